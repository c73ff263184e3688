import type { Plan, Step } from '../../engine/model/plan.js';
import { fitted } from './budget.js';
import { code } from './escape.js';
import { originClauses, originOf } from '../words/origin.js';

const shownFields = 10;

/** Changes the reviewed branch does not cause: what was pending before it, and what undoes a change by hand. */
export function markdownOrigins(plan: Plan, room: number): string {
  const items = plan.steps.flatMap((step) => item(plan, step));
  if (items.length === 0) return '';
  const title = plan.meta.origins === undefined ? 'Changed outside' : 'Not from this branch';
  const heading = `### ${title}: ${items.length}\n\n`;
  return `${heading}${fitted(items, room - heading.length - 1, (hidden) => `- … and ${hidden} more\n`).text}\n`;
}

function item(plan: Plan, step: Step): readonly string[] {
  const origin = originOf(plan, step.address);
  const outside = outsideClause(step);
  const clauses = [
    ...(origin === undefined || origin === 'branch' ? [] : [originClauses[origin]]),
    ...(outside === undefined ? [] : [outside]),
  ];
  return clauses.length === 0 ? [] : [`- ${code(step.address)}: ${clauses.join('; ')}\n`];
}

function outsideClause(step: Step): string | undefined {
  if (step.reasons.some((reason) => reason.kind === 'gone')) return 'was deleted outside and is made again';
  if (step.cause !== 'drift' && step.cause !== 'both') return undefined;
  const fields = step.fields.filter((field) => field.cause !== 'config').map((field) => code(field.field, 60));
  const names = fields.slice(0, shownFields).join(', ');
  const also = step.cause === 'both' ? ' (the catalogue changed, too)' : '';
  return `applying puts back ${names === '' ? 'what was changed' : names}${also}`;
}
