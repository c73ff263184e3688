import type { Address } from '../model/address.js';
import { keyTaken } from './owned.js';
import type { Proposal, ProposalInput, Proposals } from './proposal.js';
import { finalKeys } from './unique.js';
import { heldKey, uniqueKeyOf, wantedKeys } from './unique-key.js';

/**
 * Creates whose key belongs to a resource that has it after this plan, too. (One that gives its key up is waited for:
 * see `uniqueWaits`.)
 */
export function keyConflicts(input: ProposalInput, proposals: ReadonlyMap<Address, Proposal>): Proposals['problems'] {
  const creates = [...proposals.values()].filter(({ action }) => action === 'create');
  if (creates.length === 0) return [];
  const keepers = keepersOf(proposals);
  return creates.flatMap((proposal) => {
    const { type, declared, desired } = proposal;
    if (desired === undefined || uniqueKeyOf(type) === undefined) return [];
    const owner = wantedKeys(type, declared)
      .map((key) => keepers.get(key))
      .find((address) => address !== undefined);
    return owner === undefined ? [] : [keyTaken(input, { address: proposal.address, desired }, owner)];
  });
}

/** Who has which key once the plan is carried out, creates aside. */
function keepersOf(proposals: ReadonlyMap<Address, Proposal>): ReadonlyMap<string, Address> {
  const keepers = new Map<string, Address>();
  for (const proposal of proposals.values()) {
    const { type, address } = proposal;
    const group = uniqueKeyOf(type);
    if (group === undefined) continue;
    for (const key of keptKeys(proposal, group)) if (!keepers.has(key)) keepers.set(key, address);
  }
  return keepers;
}

function keptKeys(proposal: Proposal, group: readonly string[]): readonly string[] {
  const { type, action, actual } = proposal;
  switch (action) {
    case 'create':
    case 'delete':
      return [];
    case 'update':
    case 'replace':
    case 'adopt':
      return finalKeys(proposal).flatMap((final) => (final.group === group ? [final.key] : []));
    case 'none':
    case 'move':
    case 'options':
    case 'forget':
    case 'not-compared': {
      const key = actual === undefined ? undefined : heldKey(type, actual.values, group);
      return key === undefined ? [] : [key];
    }
  }
}
