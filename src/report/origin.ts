import type { Address } from '../engine/model/address.js';
import type { Plan, StepOrigin } from '../engine/model/plan.js';
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
    return `Could not be compared with ${visible(base)}: whose changes these are is not known.`;
  const parts = originCounts(plan).map(([origin, count]) => `${count} ${countWords[origin]}`);
  return `Compared with ${visible(base)}: ${parts.length === 0 ? 'no change on either side' : parts.join(', ')}.`;
}
