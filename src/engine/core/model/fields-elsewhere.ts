import type { Address } from './address.js';
import type { PlanMeta } from './plan.js';

/** Resources of which a field is given by another file, by the `sources` of a plan that was made here. */
const elsewhere = new WeakMap<PlanMeta['sources'], ReadonlySet<Address>>();

export function keepFieldsElsewhere(sources: PlanMeta['sources'], addresses: ReadonlySet<Address>): void {
  elsewhere.set(sources, addresses);
}

/** True where all fields are given by the file that has the resource: told without their places. False says nothing. */
export function isInOneFile({ sources }: Pick<PlanMeta, 'sources'>, address: Address): boolean {
  return elsewhere.get(sources)?.has(address) === false;
}
