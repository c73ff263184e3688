import { isEmptyPlan, type Plan, type PlanSummary } from '@platform-sync/core/model/plan';
import type { Danger } from './danger.js';
import { isBlocked } from '../words/guards.js';
import { failedReads } from '../words/diagnostics.js';
import { originOf } from '../words/origin.js';
import { count } from '../words/value.js';

/** The one word for a plan; the gravest that holds. With a base, for what the reviewed branch does. */
type Verdict = 'blocked' | 'incomplete' | 'dangerous' | 'changes' | 'clean';

export function verdictOf(plan: Plan, dangers: readonly Danger[]): Verdict {
  if (isBlocked(plan.guards)) return 'blocked';
  if (plan.notCompared.length > 0) return 'incomplete';
  if (dangers.some((danger) => isReviewed(plan, danger))) return 'dangerous';
  return isQuietBranch(plan) ? 'clean' : 'changes';
}

export const verdictMarks: Readonly<Record<Verdict, string>> = {
  blocked: '⛔',
  incomplete: '❓',
  dangerous: '⚠️',
  changes: '📝',
  clean: '✅',
};

/** `Blocked by 1 guard; 2 reads failed; 3 changes can hurt; 1 change may break clients`. Holds no name and no value. */
export function verdictText(plan: Plan, dangers: readonly Danger[]): string {
  const blocking = plan.guards.filter((guard) => guard.lifted === undefined).length;
  const own = dangers.filter((danger) => isReviewed(plan, danger));
  const unsure = own.filter(({ kind }) => kind === 'may-break').length;
  const sure = own.length - unsure;
  const reads = failedReads(plan.notCompared).length;
  const parts = [
    ...(blocking > 0 ? [`Blocked by ${count(blocking, 'guard')}`] : []),
    ...(reads > 0 ? [`${count(reads, 'read')} failed`] : []),
    ...(sure > 0 ? [`${count(sure, 'change')} can hurt`] : []),
    ...(unsure > 0 ? [`${count(unsure, 'change')} may break clients`] : []),
  ];
  if (parts.length > 0) return parts.join('; ');
  if (isEmptyPlan(plan)) return 'No changes';
  return isQuietBranch(plan) ? 'No changes by this branch' : 'Changes, none of them dangerous';
}

/** Where somebody is asked only when it matters: nothing dangerous, no guard and no rule that speaks, nothing that could not be read. */
export function needsApproval(plan: Plan, dangers: readonly Danger[]): boolean {
  const isAdvised = plan.notices.some(({ code }) => code === 'policy-advice');
  const speaks = dangers.length + plan.guards.length + plan.notCompared.length > 0;
  return !isEmptyPlan(plan) && (speaks || isAdvised);
}

/** True of everything in a plan that was made without a base. */
function isReviewed(plan: Plan, { step }: Danger): boolean {
  return (originOf(plan, step.address) ?? 'branch') === 'branch';
}

/** Nothing to do, or nothing that the reviewed branch brings about. */
function isQuietBranch(plan: Plan): boolean {
  if (isEmptyPlan(plan)) return true;
  return (
    plan.outputs.length === 0 && plan.steps.every((step) => (originOf(plan, step.address) ?? 'branch') !== 'branch')
  );
}

const counted: readonly (readonly [keyof PlanSummary, string])[] = [
  ['create', 'to create'],
  ['update', 'to update'],
  ['replace', 'to replace'],
  ['delete', 'to delete'],
  ['adopt', 'to adopt'],
  ['move', 'to move'],
  ['forget', 'to forget'],
  ['options', 'to change in their options'],
];

/** `Plan: 3 to create, 1 to update, 12 unchanged.` */
export function summaryLine(plan: Plan): string {
  const changes = counted.flatMap(([key, text]) =>
    (plan.summary[key] ?? 0) > 0 ? [`${plan.summary[key]} ${text}`] : [],
  );
  if (plan.steps.length === 0 && plan.outputs.length > 0) changes.push('only outputs change');
  if (changes.length === 0) return noChanges(plan);
  return `Plan: ${[...changes, `${plan.summary.unchanged} unchanged`].join(', ')}.`;
}

/** Never claims "no changes" for what was not compared. */
function noChanges(plan: Plan): string {
  if (plan.notCompared.length > 0) return 'No changes among what could be compared.';
  if (plan.mode === 'destroy') return 'Nothing to destroy: state holds no object.';
  if (plan.mode === 'adopt') return 'Nothing to adopt.';
  if ((plan.leftOut ?? []).length > 0) return `No changes but the skipped ones (${plan.summary.unchanged} unchanged).`;
  return `No changes: the platform matches the catalogue (${plan.summary.unchanged} unchanged).`;
}
