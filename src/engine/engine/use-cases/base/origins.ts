import type { Address } from '@platform-sync/core/model/address';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { PlanStep, StepOrigin } from '@platform-sync/core/model/plan';

/**
 * Whose change each step is, given the steps that the base catalogue would need at the very same moment. A step that
 * the base would need just like this is not the branch's; one that it would need in another form is.
 */
export function originsOf(head: readonly PlanStep[], base: readonly PlanStep[]): Readonly<Record<Address, StepOrigin>> {
  const others = new Map(base.map((step) => [step.address, changeOf(step)]));
  return Object.fromEntries(
    head.map((step): [Address, StepOrigin] => {
      if (others.get(step.address) !== changeOf(step)) return [step.address, 'branch'];
      return [step.address, step.cause === 'drift' ? 'drift' : 'pending'];
    }),
  );
}

/** What a step does, without what it waits for and what it puts at risk: those follow from other steps, too. */
function changeOf({ type, action, order, id, from, fields }: PlanStep): string {
  return canonicalJson([type, action, order ?? null, id ?? null, from ?? null, fields]);
}
