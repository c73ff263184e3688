import type { Address } from '../model/address.js';
import type { DesiredState } from '../model/desired.js';
import type { RecordedResource } from '../model/state.js';

/** Which record belongs to which desired resource. */
export interface Matching {
  /** Desired address → its record, wherever it stood before. */
  readonly recordOf: ReadonlyMap<Address, RecordedResource>;
  /** Desired address → former address, for records that move. */
  readonly movedFrom: ReadonlyMap<Address, Address>;
  /** Records the catalogue no longer mentions, by address. */
  readonly leftOver: ReadonlyMap<Address, RecordedResource>;
}

/**
 * Finds each desired resource's record: under its own address, else under one of its aliases, else under the
 * former address of the resource it is nested in (renaming a parent moves what is below it).
 */
export function matchRecords(
  desired: DesiredState['resources'],
  recorded: ReadonlyMap<Address, RecordedResource>,
): Matching {
  const recordOf = new Map<Address, RecordedResource>();
  const movedFrom = new Map<Address, Address>();
  const taken = new Set<Address>();
  for (const address of desired.keys()) {
    const own = recorded.get(address);
    if (own === undefined) continue;
    recordOf.set(address, own);
    taken.add(address);
  }
  // Parents come before children in sorted order, so a parent's move is known when its children are looked at.
  for (const address of [...desired.keys()].sort()) {
    if (recordOf.has(address)) continue;
    const from = formerAddresses(address, desired, movedFrom).find((alias) => recorded.has(alias) && !taken.has(alias));
    const record = from === undefined ? undefined : recorded.get(from);
    if (from === undefined || record === undefined) continue;
    recordOf.set(address, record);
    movedFrom.set(address, from);
    taken.add(from);
  }
  const leftOver = new Map([...recorded].filter(([address]) => !taken.has(address)));
  return { recordOf, movedFrom, leftOver };
}

function formerAddresses(
  address: Address,
  desired: DesiredState['resources'],
  movedFrom: ReadonlyMap<Address, Address>,
): readonly Address[] {
  const own = desired.get(address)?.options.aliases ?? [];
  const slash = address.lastIndexOf('/');
  if (slash < 0) return own;
  const parent = address.slice(0, slash);
  const key = address.slice(slash);
  const parents = [parent, movedFrom.get(parent), ...(desired.get(parent)?.options.aliases ?? [])];
  // An alias without a slash is a former sibling key.
  const siblings = own
    .filter((alias) => !alias.includes('/'))
    .flatMap((alias) => parents.map((above) => `${above ?? ''}/${alias}`));
  const inherited = parents.slice(1).flatMap((above) => (above === undefined ? [] : [`${above}${key}`]));
  return [...own, ...siblings, ...inherited];
}
