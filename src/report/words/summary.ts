import type { Plan, PlanSummary } from '@platform-sync/core/model/plan';

const parts: readonly (readonly [keyof PlanSummary, string])[] = [
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
  const changes = parts.flatMap(([key, text]) =>
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
  if ((plan.leftOut ?? []).length > 0)
    return `No changes but those that are left out (${plan.summary.unchanged} unchanged).`;
  return `No changes: the platform is as the catalogue says (${plan.summary.unchanged} unchanged).`;
}
