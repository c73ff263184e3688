import type { Plan, Step } from '../../engine/model/plan.js';
import { fitted } from './budget.js';
import { code } from './escape.js';
import { originClauses, originOf } from '../words/origin.js';

const shownFields = 10;
const shownNames = 30;

/** Changes the reviewed branch does not cause: what was pending before it, and what undoes a change by hand. */
export function markdownOrigins(plan: Plan, room: number): string {
  const alike = new Map<string, Step[]>();
  for (const step of plan.steps) {
    for (const clause of clausesOf(plan, step)) {
      const steps = alike.get(clause);
      if (steps === undefined) alike.set(clause, [step]);
      else steps.push(step);
    }
  }
  if (alike.size === 0) return '';
  const groups = [...alike.values()];
  const size = (some: readonly (readonly Step[])[]): number => some.reduce((sum, steps) => sum + steps.length, 0);
  const title = plan.meta.origins === undefined ? 'Changed outside' : 'Not from this branch';
  const heading = `### ${title}: ${size(groups)}\n\n`;
  const items = [...alike].map(([clause, steps]) => `- ${namesOf(steps)}: ${clause}\n`);
  const rest = (hidden: number): string => `- … and ${hidden === 0 ? 0 : size(groups.slice(-hidden))} more\n`;
  return `${heading}${fitted(items, room - heading.length - 1, rest).text}\n`;
}

/** What is the same of many is told once. */
function namesOf(steps: readonly Step[]): string {
  const names = steps.slice(0, shownNames).map(({ address }) => code(address));
  const hidden = steps.length - names.length;
  return `${names.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`;
}

/** One text, or none. */
function clausesOf(plan: Plan, step: Step): readonly string[] {
  const origin = originOf(plan, step.address);
  const outside = outsideClause(step);
  const clauses = [
    ...(origin === undefined || origin === 'branch' ? [] : [originClauses[origin]]),
    ...(outside === undefined ? [] : [outside]),
  ];
  return clauses.length === 0 ? [] : [clauses.join('; ')];
}

function outsideClause(step: Step): string | undefined {
  if (step.reasons.some((reason) => reason.kind === 'gone')) return 'was deleted outside and is made again';
  if (step.cause !== 'drift' && step.cause !== 'both') return undefined;
  const fields = step.fields.filter((field) => field.cause !== 'config').map((field) => code(field.field, 60));
  const names = fields.slice(0, shownFields).join(', ');
  const also = step.cause === 'both' ? ' (the catalogue changed, too)' : '';
  return `applying puts back ${names === '' ? 'what was changed' : names}${also}`;
}
