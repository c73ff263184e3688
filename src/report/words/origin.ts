import type { Address } from '@platform-sync/core/model/address';
import type { Plan, PlanStep, StepOrigin } from '@platform-sync/core/model/plan';
import { visible } from './escape.js';

/** What a step comes from; undefined when the plan was made without a base, or the base could not be planned. */
export function originOf(plan: Plan, address: Address): StepOrigin | undefined {
  const { origins } = plan.meta;
  return origins !== undefined && Object.hasOwn(origins, address) ? origins[address] : undefined;
}

/** A clause for each origin: `pending before this branch`. */
export const originClauses: Readonly<Record<StepOrigin, string>> = {
  branch: 'caused by this branch',
  pending: 'pending before this branch: merged, not applied yet',
  drift: 'not from this branch: the platform was changed by hand',
};

const order: readonly StepOrigin[] = ['branch', 'pending', 'drift'];

/** Steps by origin, those there are, this branch's own first. Empty without a base. */
export function originCounts(plan: Plan): readonly (readonly [StepOrigin, number])[] {
  const counts = new Map<StepOrigin, number>();
  for (const step of plan.steps) {
    const origin = originOf(plan, step.address);
    if (origin !== undefined) counts.set(origin, (counts.get(origin) ?? 0) + 1);
  }
  return order.flatMap((origin) => {
    const count = counts.get(origin);
    return count === undefined ? [] : [[origin, count] as const];
  });
}

const countWords: Readonly<Record<StepOrigin, string>> = {
  branch: 'by this branch',
  pending: 'pending before it',
  drift: 'by hand on the platform (drift)',
};

/** `Compared with main at 1a2b3c4d5e6f: 2 by this branch, 1 pending before it.` Undefined without a base. */
export function originLine(plan: Plan): string | undefined {
  const { base } = plan.meta;
  if (base === undefined) return undefined;
  if (plan.meta.origins === undefined)
    return `Could not be compared with ${visible(base)}: it is not known which changes come from this branch.`;
  const parts = originCounts(plan).map(([origin, count]) => `${count} ${countWords[origin]}`);
  return `Compared with ${visible(base)}: ${parts.length === 0 ? 'no change on either side' : parts.join(', ')}.`;
}

const othersWords: Readonly<Record<Exclude<StepOrigin, 'branch'>, readonly [title: string, end: string]>> = {
  pending: ['Waiting before this branch', 'merged, and not applied yet'],
  drift: ['Changed by hand', 'the platform is not as recorded'],
};

/** A line for each kind of step that the reviewed branch does not cause; the verdict leaves them out. */
export function othersLines(plan: Plan, dangers: readonly { readonly step: PlanStep }[]): readonly string[] {
  return originCounts(plan).flatMap(([origin, number]) => {
    if (origin === 'branch') return [];
    const [title, end] = othersWords[origin];
    const hurting = dangers.filter(({ step }) => originOf(plan, step.address) === origin).length;
    const can = hurting === 0 ? '' : `, ${hurting} can hurt`;
    return [`${title}: ${number === 1 ? '1 change' : `${number} changes`}${can} (${end}).`];
  });
}
