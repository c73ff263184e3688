import type { Address } from '../model/address.js';
import type { DesiredState } from '../model/desired.js';
import { collectionKey, identityKey, parentIdentity } from '../model/identity.js';
import type { ResourceType } from '../model/resource-type.js';
import type { RecordedResource } from '../model/state.js';

/** Objects that one list call can show together. */
export interface Collection {
  /** See `collectionKey`. */
  readonly key: string;
  readonly type: ResourceType;
  readonly scope: Readonly<Record<string, string>>;
  /** Records whose objects are expected in it. */
  readonly members: readonly RecordedResource[];
  /** Address of the recorded resource it belongs to, when there is one. */
  readonly under?: Address;
}

/**
 * The collections to look at: one for each place where state knows an object, and the top-level ones of every
 * type the catalogue uses (so that the plan can say what else exists there). Of types in `whole` every collection that
 * lies in a recorded object, too. Those of parents before those of children.
 */
export function collectionsOf(
  recorded: ReadonlyMap<Address, RecordedResource>,
  desired: DesiredState['resources'],
  typeOf: (token: string) => ResourceType,
  whole: ReadonlySet<ResourceType> = new Set(),
): readonly Collection[] {
  const found = new Map<string, Collection & { readonly members: RecordedResource[] }>();
  const addressOf = new Map<string, Address>();
  const inScope = (type: ResourceType, scope: Readonly<Record<string, string>>): RecordedResource[] => {
    const key = collectionKey(type, scope);
    const selected = Object.fromEntries(type.collection.scope.map((field) => [field, scope[field] ?? '']));
    const known = found.get(key) ?? { key, type, scope: selected, members: [] };
    found.set(key, known);
    return known.members;
  };
  for (const record of recorded.values()) {
    addressOf.set(identityKey(record.type, record.identity), record.address);
    inScope(typeOf(record.type), record.identity.scope).push(record);
  }
  for (const resource of desired.values()) {
    const type = typeOf(resource.type);
    if (type.collection.scope.length === 0) inScope(type, {});
  }
  for (const type of whole) for (const scope of placesOf(type, recorded.values())) inScope(type, scope);
  const depths = new Map<string, number>();
  return [...found.values()]
    .map((collection) => ({ collection, depth: depthOf(collection.type, typeOf, depths) }))
    .sort((a, b) => a.depth - b.depth || (a.collection.key < b.collection.key ? -1 : 1))
    .map(({ collection }) => {
      const parent = parentIdentity(collection.type, collection);
      const under = parent === undefined ? undefined : addressOf.get(parentKey(collection.type, parent));
      return under === undefined ? collection : { ...collection, under };
    });
}

/** Where objects of a type may be, as far as state knows: once at the top, or in each object that they can live in. */
function placesOf(
  { collection, parent }: ResourceType,
  recorded: Iterable<RecordedResource>,
): readonly RecordedResource['identity']['scope'][] {
  if (collection.scope.length === 0) return [{}];
  if (parent === undefined) return [];
  return [...recorded]
    .filter(({ type }) => type === parent.type)
    .map(({ identity }) => ({ ...identity.scope, [parent.field]: identity.id }))
    .filter((scope) => collection.scope.every((field) => field in scope));
}

/** Key of the object that objects of a type live in. */
export function parentKey(type: ResourceType, parent: RecordedResource['identity']): string {
  return identityKey(type.parent?.type ?? '', parent);
}

/** How many types stand above a type. */
export function depthOf(
  type: ResourceType,
  typeOf: (token: string) => ResourceType,
  known: Map<string, number> = new Map(),
): number {
  const before = known.get(type.token);
  if (before !== undefined) return before;
  // A type that lives in itself would ask for ever.
  known.set(type.token, 0);
  const depth = type.parent === undefined ? 0 : depthOf(typeOf(type.parent.type), typeOf, known) + 1;
  known.set(type.token, depth);
  return depth;
}
