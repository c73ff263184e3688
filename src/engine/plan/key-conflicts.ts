import type { Address } from '../model/address.js';
import { keyOutside, keyTaken } from './key-problems.js';
import type { DesiredProposal, Proposal, ProposalInput, Proposals } from './proposal.js';
import { finalKey, takingIn } from './unique.js';
import { heldKey, uniqueKeyOf, wantedKeys } from './unique-key.js';

/** A resource whose object gets a key that it does not have now. */
export interface Taking {
  readonly proposal: DesiredProposal;
  /** The key, and what else the platform may make of it. */
  readonly keys: readonly string[];
}

/** Who gets a unique key in this plan, whether the object is new or changes. */
export function takings(proposals: Iterable<Proposal>): readonly Taking[] {
  const found: Taking[] = [];
  for (const proposal of proposals) {
    const { type, action, declared } = proposal;
    // Whose key does not change takes none.
    if (takingIn(proposal) === undefined || !isDesired(proposal) || uniqueKeyOf(type) === undefined) continue;
    const own = keyNow(proposal);
    const keys = (action === 'create' ? wantedKeys(type, declared) : keysThen(proposal)).filter((key) => key !== own);
    if (keys.length > 0) found.push({ proposal, keys });
  }
  return found;
}

function isDesired(proposal: Proposal): proposal is DesiredProposal {
  return proposal.desired !== undefined;
}

/** Whose object has which unique key now, as far as it is known; what could not be read has the one it had. */
export function holdersOf(proposals: Iterable<Proposal>): ReadonlyMap<string, Proposal> {
  const holders = new Map<string, Proposal>();
  for (const proposal of proposals) {
    const key = keyNow(proposal);
    if (key !== undefined && !holders.has(key)) holders.set(key, proposal);
  }
  return holders;
}

/** The first of the keys that any but the resource itself has, by who has it. */
export function holderFor<T extends { readonly address: Address }>(
  { proposal, keys }: Taking,
  holders: ReadonlyMap<string, T>,
): T | undefined {
  return keys
    .map((key) => holders.get(key))
    .find((holder) => holder !== undefined && holder.address !== proposal.address);
}

/**
 * Resources that get a key which belongs to one that has it after this plan, too. (One that gives its key up is waited
 * for: see `uniqueWaits`.)
 */
export function keyConflicts(input: ProposalInput, proposals: ReadonlyMap<Address, Proposal>): Proposals['problems'] {
  const all = takings(proposals.values());
  if (all.length === 0) return [];
  const keepers = keepersOf(proposals, new Set(all.map(({ proposal }) => proposal.address)));
  return all.flatMap((taking) => {
    const owner = holderFor(taking, keepers);
    return owner === undefined ? [] : [keyTaken(input, taking.proposal, owner.address)];
  });
}

/** Resources whose key somebody would give up in a part of the plan that is not selected. */
export function keysOutside(
  input: ProposalInput,
  proposals: ReadonlyMap<Address, Proposal>,
  selected: ReadonlyMap<Address, Proposal>,
): Proposals['problems'] {
  if (selected.size === proposals.size) return [];
  const holders = holdersOf(proposals.values());
  return takings(selected.values()).flatMap((taking) => {
    const holder = holderFor(taking, holders);
    if (holder === undefined || selected.has(holder.address)) return [];
    return [keyOutside(input, taking.proposal, holder.address)];
  });
}

/** Who has which key once the plan is carried out; those that have it now come before those that get it. */
function keepersOf(
  proposals: ReadonlyMap<Address, Proposal>,
  taking: ReadonlySet<Address>,
): ReadonlyMap<string, Proposal> {
  const keepers = new Map<string, Proposal>();
  for (const isTaking of [false, true])
    for (const proposal of proposals.values()) {
      if (taking.has(proposal.address) !== isTaking) continue;
      for (const key of keysThen(proposal)) if (!keepers.has(key)) keepers.set(key, proposal);
    }
  return keepers;
}

function keysThen(proposal: Proposal): readonly string[] {
  if (proposal.action === 'delete') return [];
  if (takingIn(proposal) === undefined) return [keyNow(proposal)].filter((key) => key !== undefined);
  const unique = uniqueKeyOf(proposal.type);
  const key = unique === undefined ? undefined : finalKey(proposal, unique);
  return key === undefined ? [] : [key];
}

/** Undefined where others may have the same, and for what is not there. */
function keyNow({ type, action, actual, recorded }: Proposal): string | undefined {
  const group = uniqueKeyOf(type);
  if (group === undefined) return undefined;
  if (actual !== undefined) return heldKey(type, actual.identity.scope, actual.values, group);
  if (action !== 'not-compared' || recorded === undefined) return undefined;
  return heldKey(type, recorded.identity.scope, recorded.outputs, group);
}
