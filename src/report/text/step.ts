import { ownMember } from '../../engine/model/own-member.js';
import type { Action, Plan, Step } from '../../engine/model/plan.js';
import { visible } from '../words/escape.js';
import { fieldLines } from './field.js';
import { originClauses, originOf } from '../words/origin.js';
import { optionSentence, reasonSentence, riskClause, stepSymbol } from '../words/reasons.js';
import type { PlanViews } from '../view/plan-views.js';
import type { Style } from './style.js';
import { typeName } from '../words/type-name.js';

const maxNameWidth = 24;

/** One block: what happens to which object, why, what it costs, and every field that changes. */
export function stepLines(step: Step, plan: Plan, style: Style, views: PlanViews): readonly string[] {
  let width = 0;
  for (const { field } of step.fields) width = Math.max(width, Math.min(maxNameWidth, field.length));
  const lines = [`${headMark(step, style)} ${headline(step, plan, style)}`];
  for (const note of notes(step, plan, style)) lines.push(`      ${note}`);
  for (const view of views.fields(step)) for (const line of fieldLines(view, width, style)) lines.push(`      ${line}`);
  return lines;
}

function headMark(step: Step, style: Style): string {
  return paintFor(step.action, style)(stepSymbol(step).padStart(5));
}

function headline(step: Step, plan: Plan, style: Style): string {
  const place = ownMember(plan.meta.sources, step.address);
  const what = `${verbs[step.action]} ${style.bold(visible(step.address))} (${typeName(step.type)})`;
  return place === undefined ? what : `${what}  ${style.dim(visible(place))}`;
}

/** The lines between the headline and the fields: identity, reasons, risks. */
function notes(step: Step, plan: Plan, style: Style): readonly string[] {
  const found: string[] = [];
  if (step.id !== undefined && step.action !== 'move') found.push(style.dim(`id ${visible(step.id)}`));
  if (step.from !== undefined) found.push(`moves from ${visible(step.from)}`);
  for (const reason of step.reasons) {
    const sentence = reason.kind === 'alias' ? undefined : reasonSentence(reason, step.action);
    if (sentence !== undefined) found.push(`${style.cyan('because:')} ${sentence}`);
  }
  const origin = originOf(plan, step.address);
  // The branch's own changes are what a reader expects: only the others are marked.
  if (origin !== undefined && origin !== 'branch') found.push(style.cyan(originClauses[origin]));
  for (const change of step.options ?? []) found.push(optionSentence(change));
  for (const risk of step.risks) {
    const clause = riskClause(risk, step.action);
    if (clause !== undefined) found.push(style.yellow(`risk: ${clause}`));
  }
  if (step.action === 'replace' && step.order !== undefined) found.push(style.dim(orders[step.order]));
  return found;
}

const orders = {
  'delete-first': 'the old object is deleted before the new one is created',
  'create-first': 'the new object is created before the old one is deleted',
} as const;

const verbs: Readonly<Record<Action, string>> = {
  create: 'create',
  update: 'update',
  replace: 'replace',
  delete: 'delete',
  forget: 'forget',
  adopt: 'adopt',
  move: 'move',
  options: 'change the options of',
};

/** The colour of an action: green makes, yellow changes, red takes away, cyan touches only state. */
function paintFor(action: Action, style: Style): (text: string) => string {
  if (action === 'create') return style.green;
  if (action === 'update') return style.yellow;
  return action === 'replace' || action === 'delete' ? style.red : style.cyan;
}
