import { parentAddress, type Address } from '../model/address.js';
import { canonicalJson } from '../model/canonical.js';
import { groupBy } from '../model/graph.js';
import { markField } from '../model/ownership-mark.js';
import type { BareFinding } from '../model/plan.js';
import type { ResourceType } from '../model/resource-type.js';
import type { JsonObject } from '../model/value.js';
import type { Reading, Snapshot } from '../model/snapshot.js';
import type { Proposal } from './proposal.js';
import { heldKey, knownInputs, uniqueKeyOf, wantedKeys } from './keys.js';

/** An object with the name of one that is to be made: it leaves the catalogue, or this stack has no record of it. */
type NamedObject = { readonly left: Address } | { readonly id: string } | { readonly several: string };

interface SameName {
  readonly proposal: Proposal;
  readonly holder: NamedObject;
}

interface Known {
  readonly snapshot: Pick<Snapshot, 'listed' | 'found'>;
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
    const holder =
      foundByName(known.snapshot.found.get(proposal.address)) ??
      wantedKeys(proposal.type, proposal.declared)
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
      const summary =
        'several' in holder
          ? `${address} would be created beside others of the same ${name}, which the platform allows: ${holder.several}`
          : `${address} would be created beside the object ${holder.id}, of which this stack has no record: both have the same ${name}, and the platform allows that; if it is the one that is meant, say import: ${holder.id}`;
      return [{ name: `same-name:${address}`, summary, addresses: [address] }];
    },
  );
}

function foundByName(reading: Reading | undefined): NamedObject | undefined {
  if (reading?.kind === 'found') return { id: reading.identity.id };
  return reading?.kind === 'failed' && areSeveral(reading) ? { several: reading.diagnostic.summary } : undefined;
}

/** More than one has the name: that is an answer, too. */
export function areSeveral({ diagnostic }: Extract<Reading, { readonly kind: 'failed' }>): boolean {
  return diagnostic.code === 'several-found';
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

/** A new resource and one that leaves the catalogue, which say the same of everything but their keys. */
interface LikelyRename {
  readonly created: Proposal;
  readonly left: Proposal;
}

/** Where both the key in the file and the name are new, contents alone tell; what is nested in such a one goes with it. */
export function likelyRenames(proposals: readonly Proposal[]): readonly LikelyRename[] {
  const left = groupBy(
    proposals.filter(({ desired, action }) => desired === undefined && action === 'delete'),
    ({ type, recorded }) => contentsText(type, recorded?.inputs ?? {}),
  );
  if (left.size === 0) return [];
  const found = new Map<Address, LikelyRename>();
  for (const created of proposals) {
    if (created.action !== 'create' || created.recorded !== undefined) continue;
    const text = contentsText(created.type, knownInputs(created.declared));
    const [only, ...others] = text === undefined ? [] : (left.get(text) ?? []);
    if (only === undefined || others.length > 0 || found.has(parentAddress(created.address) ?? '')) continue;
    found.set(created.address, { created, left: only });
  }
  return [...found.values()];
}

/** What a resource says, but for its key, its place and its mark; undefined where that is nothing. */
function contentsText(type: ResourceType, inputs: JsonObject): string | undefined {
  const place = new Set([...type.naturalKey, ...type.collection.scope, type.parent?.field, type.nameField, markField]);
  const said = Object.entries(inputs).filter(([name, value]) => !place.has(name) && value !== null);
  return said.length === 0 ? undefined : `${type.token} ${canonicalJson(Object.fromEntries(said))}`;
}
