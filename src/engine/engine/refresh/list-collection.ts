import { listsThatMustLack, type ResourceType } from '@platform-sync/core/model/resource-type';
import { defined } from '@platform-sync/core/model/value';
import { collectionKey, identityKey, parentIdentity } from '@platform-sync/core/model/identity';
import { ProviderError, type ProviderErrorKind, type RemoteObject } from '@platform-sync/core/model/provider';
import type { Look, Need } from '../reads/look.js';
import type { RefreshContext } from './context.js';
import type { Address } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { byCollection, type Collection, type Place, placeIn } from '../reads/collection.js';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';

/** What a list call said about a collection. */
export interface ListedCollection {
  readonly collection: RecordedCollection;
  /** Members that were seen, by `identityKey`. */
  readonly objects: ReadonlyMap<string, RemoteObject>;
  /** The others that were seen. */
  readonly strangers: readonly RemoteObject[];
  /** Pages that were not read. */
  readonly morePages: number;
  /** True: it holds nothing else. */
  readonly isComplete: boolean;
  /** How many objects it has beside its members, if all of these are in it; below 0: they are not. */
  readonly beside: number;
  /** Why it could not be listed; nothing is known of it then. */
  readonly failure?: ProviderError;
}

/** Failures that every other call would meet, too: nothing can be planned. */
const fatal: ReadonlySet<ProviderErrorKind> = new Set(['unauthenticated', 'configuration']);

/** Errors that say something about one call only; others are thrown on. */
export function mustBePassing(error: unknown): ProviderError {
  if (!(error instanceof ProviderError) || fatal.has(error.kind)) throw error;
  return error;
}

/** The place is not found: what is above it tells whether it is gone. */
export function isNotFound({ kind, status }: ProviderError): boolean {
  return kind === 'not-found' || status === 404;
}

/** Lists a collection, as far as its members need it; `again`: by another list, for a second answer. */
export async function listCollection(
  context: RefreshContext,
  collection: RecordedCollection,
  again = false,
): Promise<ListedCollection> {
  const { type, members } = collection;
  const wanted = new Set(members.map(({ identity }) => identityKey(type.token, identity)));
  // Without a read of its own, only the whole list tells of an object, as it does of an old one, which a plan reads nowhere else.
  const isWhole =
    listsThatMustLack(type.absence) === 2 || context.whole?.has(type) === true || collection.old !== undefined;
  try {
    const need: Need = { ...collection, of: isWhole ? 'everything' : wanted };
    const told: Look = await (again ? context.reads.lookAgain(need) : context.reads.look(need));
    const objects = new Map<string, RemoteObject>();
    const strangers: RemoteObject[] = [];
    for (const object of told.objects) {
      const key = identityKey(type.token, object.identity);
      if (wanted.has(key)) objects.set(key, object);
      else strangers.push(object);
    }
    return {
      collection,
      objects,
      strangers,
      morePages: told.morePages,
      isComplete: told.isComplete,
      beside: told.total - (told.isComplete ? objects.size : wanted.size),
    };
  } catch (error) {
    const failure = mustBePassing(error);
    return { collection, objects: new Map(), strangers: [], morePages: 0, isComplete: false, beside: 0, failure };
  }
}

/** A collection whose members are the records of which objects are expected in it. */
export interface RecordedCollection extends Collection<RecordedResource> {
  /** Address of the recorded resource it belongs to, when there is one. */
  readonly under?: Address;
  /** Old objects in it that are still to be deleted, by `identityKey`: they are in state, too. Left out: there are none. */
  readonly old?: ReadonlySet<string>;
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
): readonly RecordedCollection[] {
  const records = [...recorded.values()];
  const used = new Set([...desired.values()].map(({ type }) => typeOf(type)));
  const others: readonly Place[] = [
    ...[...used].filter(({ collection }) => collection.scope.length === 0).map((type) => ({ type, scope: {} })),
    ...[...whole].flatMap((type) => placesOf(type, records)),
  ];
  const depths = new Map<string, number>();
  const expecting = byCollection(records, ({ type, identity }) => ({ type: typeOf(type), scope: identity.scope }));
  const keys = new Set(expecting.map(({ key }) => key));
  const empty = byCollection(others, (place) => place).filter(({ key }) => !keys.has(key));
  const collections = [...expecting, ...empty.map((collection) => ({ ...collection, members: [] }))];
  const old = oldOnes(records, typeOf);
  const above = new Set(collections.map(({ type }) => type.parent?.type));
  const addressOf = new Map<string, Address>();
  for (const { type, identity, address } of records)
    if (above.has(type)) addressOf.set(identityKey(type, identity), address);
  return collections
    .map((collection) => ({ collection, depth: depthOf(collection.type, typeOf, depths) }))
    .sort((a, b) => a.depth - b.depth || (a.collection.key < b.collection.key ? -1 : 1))
    .map(({ collection }) => {
      const parent = parentIdentity(collection.type, collection);
      const under = parent === undefined ? undefined : addressOf.get(parentKey(collection.type, parent));
      return { ...collection, ...defined({ under, old: old.get(collection.key) }) };
    });
}

/** Old objects that are still to be deleted, by the list they are in. */
function oldOnes(
  records: readonly RecordedResource[],
  typeOf: (token: string) => ResourceType,
): ReadonlyMap<string, ReadonlySet<string>> {
  const old = new Map<string, Set<string>>();
  for (const { type, deposed } of records)
    for (const { identity } of deposed) {
      const key = collectionKey(typeOf(type), identity.scope);
      old.set(key, (old.get(key) ?? new Set()).add(identityKey(type, identity)));
    }
  return old;
}

/** Where objects of a type may be, as far as state knows: once at the top, or in each object that they can live in. */
function placesOf(type: ResourceType, records: readonly RecordedResource[]): readonly Place[] {
  if (type.collection.scope.length === 0) return [{ type, scope: {} }];
  const above = records.filter((record) => record.type === type.parent?.type);
  return above.flatMap(({ identity }) => placeIn(type, identity) ?? []);
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

/** The first thing that a failed call has to tell. */
export function asDiagnostic(error: ProviderError): Diagnostic {
  return error.diagnostics[0] ?? { severity: 'error', code: 'platform-error', summary: error.message };
}
