import type { Address } from '../model/address.js';
import type { GuardAllowance } from '../model/project.js';
import type { Proposal } from './proposal.js';

/** Name of the guard that forces a delete. */
export function forceGuard(address: Address): string {
  return `force:${address}`;
}

/** Proposals, those that end an object marked where its delete is to be forced. `allowed` are guards lifted today. */
export function withForced(
  proposals: ReadonlyMap<Address, Proposal>,
  allowed: readonly GuardAllowance[],
): ReadonlyMap<Address, Proposal> {
  const lifted = new Set(allowed.map(({ guard }) => guard));
  const isForced = ({ address, type, action }: Proposal): boolean =>
    type.forcible === true && (action === 'delete' || action === 'replace') && lifted.has(forceGuard(address));
  if (![...proposals.values()].some(isForced)) return proposals;
  return new Map([...proposals].map(([address, p]) => [address, isForced(p) ? { ...p, force: true } : p]));
}
