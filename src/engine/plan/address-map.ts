import type { Address } from '../model/address.js';
import type { Proposal } from './proposal.js';

/** Records name what they depend on by the addresses of then: this gives the address of now, where a resource moves. */
export function addressesNow(proposals: ReadonlyMap<Address, Proposal>): (then: Address) => Address {
  const moved = new Map(
    [...proposals.values()].flatMap((p) => (p.movedFrom === undefined ? [] : [[p.movedFrom, p.address]])),
  );
  return (then) => moved.get(then) ?? then;
}
