import type { Address } from '../model/address.js';
import { markField } from '../model/ownership-mark.js';
import type { BareFinding } from '../model/plan.js';
import type { ResourceType } from '../model/resource-type.js';
import type { Snapshot } from '../model/snapshot.js';
import type { Proposal } from './proposal.js';
import { heldKey, uniqueKeyOf, wantedKeys } from './keys.js';

/** An object with the name of one that is to be made: it leaves the catalogue, or this stack has no record of it. */
type NamedObject = { readonly left: Address } | { readonly id: string };

interface SameName {
  readonly proposal: Proposal;
  readonly holder: NamedObject;
}

interface Known {
  readonly snapshot: Pick<Snapshot, 'listed'>;
  readonly types: ReadonlyMap<string, ResourceType>;
}

/** New objects of a type whose key is not unique, where one of the same name exists: it may be the one that is meant. */
export function sameNames(known: Known, proposals: readonly Proposal[]): readonly SameName[] {
  const creates = proposals.filter(
    ({ action, type, recorded }) => action === 'create' && recorded === undefined && uniqueKeyOf(type) === undefined,
  );
  if (creates.length === 0) return [];
  const holders = namedObjects(known, proposals);
  return creates.flatMap((proposal) => {
    const holder = wantedKeys(proposal.type, proposal.declared)
      .map((key) => holders.get(key))
      .find((found) => found !== undefined);
    return holder === undefined ? [] : [{ proposal, holder }];
  });
}

/** A second object of a name is made only where somebody says so: a reviewed plan that lacks this finding is another one. */
export function sameNameGuards(input: Known & { readonly proposals: readonly Proposal[] }): readonly BareFinding[] {
  return sameNames(input, input.proposals).flatMap(
    ({ proposal: { address, type, declared }, holder }): readonly BareFinding[] => {
      // Where a mark is borne, it alone tells whose an object is.
      if ('left' in holder || declared.has(markField)) return [];
      const name = type.naturalKey.join(' and ');
      const summary = `${address} would be created beside the object ${holder.id}, of which this stack has no record: both have the same ${name}, and the platform allows that; if it is the one that is meant, say import: ${holder.id}`;
      return [{ name: `same-name:${address}`, summary, addresses: [address] }];
    },
  );
}

/** Objects that leave the catalogue and objects that nobody manages, by their natural key. */
function namedObjects({ snapshot, types }: Known, proposals: readonly Proposal[]): ReadonlyMap<string, NamedObject> {
  const holders = new Map<string, NamedObject>();
  const add = (key: string | undefined, holder: NamedObject): void => {
    if (key !== undefined && !holders.has(key)) holders.set(key, holder);
  };
  for (const { action, desired, address, type, actual } of proposals)
    if (desired === undefined && action === 'delete') add(heldKey(type, {}, actual?.values ?? {}), { left: address });
  for (const { type: token, objects } of snapshot.listed) {
    const type = types.get(token);
    if (type === undefined || uniqueKeyOf(type) !== undefined) continue;
    for (const { identity, values } of objects) add(heldKey(type, identity.scope, values), { id: identity.id });
  }
  return holders;
}
