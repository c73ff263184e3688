import { type Address, compareText } from '@platform-sync/core/model/address';
import { defined, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Unmanaged } from '@platform-sync/core/model/plan';
import { MappedMap } from '@platform-sync/core/model/lazy-map';
import { ProviderError, type RemoteObject } from '@platform-sync/core/model/provider';
import type { ListedStrangers, Reading, Snapshot } from '@platform-sync/core/model/snapshot';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { inParallel } from '../reads/in-parallel.js';
import { recordedReading } from './confirmed-reading.js';
import {
  asDiagnostic,
  collectionsOf,
  depthOf,
  isNotFound,
  listCollection,
  type ListedCollection,
  parentKey,
  type RecordedCollection,
} from './list-collection.js';
import type { RefreshContext } from './context.js';
import { Evidence } from './evidence.js';
import { identityKey, parentIdentity } from '@platform-sync/core/model/identity';
import type { ResourceType } from '@platform-sync/core/model/resource-type';

/**
 * Reads what exists: a collection at a time where that is cheaper than object by object. What lists lack is gone only
 * when that is proven. Rejects with ProviderError when nothing at all could be read.
 */
export async function refresh(context: RefreshContext): Promise<Snapshot> {
  const { mode, recorded, only } = context;
  if (mode === 'none') return asRecorded(recorded);
  if (only === undefined) return read(context);
  const wanted = new Map([...recorded].filter(([address]) => only.has(address)));
  // Nothing is listed for what is only wanted.
  const kept = [...context.desired].filter(([address, { type }]) => wanted.get(address)?.type === type);
  const seen = await read({ ...context, recorded: wanted, desired: new Map(kept) });
  return { ...seen, readings: new Map([...asRecorded(recorded).readings, ...seen.readings]) };
}

async function read(context: RefreshContext): Promise<Snapshot> {
  const collections = collectionsOf(context.recorded, context.desired, context.typeOf, context.whole);
  context.onEvent?.({ type: 'reading', collections: collections.length, objects: context.recorded.size });
  // The provider's own gate limits requests; this only keeps thousands of promises from being started at once.
  const width = context.concurrency * 2;
  let done = 0;
  const listAll = (
    chosen: readonly RecordedCollection[],
    above: ReadonlyMap<string, RemoteObject>,
  ): Promise<readonly ListedCollection[]> =>
    inParallel(chosen, width, async (collection) => {
      const list = shownAbove(context, collection, above) ?? (await listCollection(context, collection));
      done += 1;
      context.onEvent?.({ type: 'read', done, total: collections.length });
      return list;
    });
  const isShown = ({ type }: RecordedCollection): boolean => type.collection.shownIn !== undefined;
  const first = await listAll(
    collections.filter((collection) => !isShown(collection)),
    new Map(),
  );
  const shown = collections.filter(isShown);
  const above = new Map(shown.length === 0 ? [] : first.flatMap(({ objects }) => [...objects]));
  const listed = [...first, ...(await listAll(shown, above))];
  if (listed.length > 0 && listed.every(isUnread)) throw await nothingRead(context, listed);
  const evidence = new Evidence(context, listed);
  // What an object lives in is decided before the object.
  for (const level of byDepth(listed, context.typeOf)) {
    await inParallel(level, width, (list) => evidence.decide(list));
  }
  return snapshotOf(listed, evidence, context);
}

/** That a place does not exist is an answer, too. */
function isUnread({ failure, collection }: ListedCollection): boolean {
  return failure !== undefined && !(isNotFound(failure) && collection.type.collection.scope.length > 0);
}

function byDepth(
  listed: readonly ListedCollection[],
  typeOf: RefreshContext['typeOf'],
): readonly (readonly ListedCollection[])[] {
  const levels = new Map<number, ListedCollection[]>();
  const depths = new Map<string, number>();
  for (const list of listed) {
    const depth = depthOf(list.collection.type, typeOf, depths);
    const level = levels.get(depth);
    if (level === undefined) levels.set(depth, [list]);
    else level.push(list);
  }
  return [...levels].sort(([a], [b]) => a - b).map(([, level]) => level);
}

function snapshotOf(
  listed: readonly ListedCollection[],
  evidence: Evidence,
  { reads }: Pick<RefreshContext, 'reads'>,
): Snapshot {
  const { readings, uncertain } = evidence.consistent();
  const unmanaged = listed
    .map((list) => unmanagedOf(list.collection, strayIn(list, readings)))
    .filter(({ count }) => count > 0)
    .sort((a, b) => compareText(`${a.type} ${a.under ?? ''}`, `${b.type} ${b.under ?? ''}`));
  // Where members could not be compared, they say so themselves.
  const unread = listed
    .flatMap(({ collection: { key, type, members } }) => {
      const diagnostic = uncertain.get(key);
      const isTold = members.some(({ address }) => readings.get(address)?.kind === 'failed');
      return diagnostic === undefined || isTold ? [] : [{ type: type.token, diagnostic }];
    })
    .sort((a, b) => compareText(a.type, b.type));
  return {
    readings,
    found: new Map(),
    unmanaged,
    listed: listed.flatMap((list) => strangersOf(list, reads)),
    unread,
    uncertain,
  };
}

/** How many of a list nobody manages. */
function strayIn(
  { collection: { type, members, old }, beside, isComplete, strangers, failure }: ListedCollection,
  readings: ReadonlyMap<Address, Reading>,
): number {
  if (failure !== undefined) return 0;
  const others = beside - strangers.filter(({ identity }) => old?.has(identityKey(type.token, identity))).length;
  if (isComplete) return others;
  // Of a list that was not read to its end each expected object was taken for one of those that it counts.
  const gone = members.filter(({ address }) => readings.get(address)?.kind === 'gone');
  return others + gone.length;
}

function unmanagedOf(collection: RecordedCollection, count: number): Unmanaged {
  return { type: collection.type.token, ...defined({ under: collection.under }), count };
}

/** The others that lists showed, the later ones too: what a second answer took shows what came meanwhile. */
function strangersOf(
  { collection, failure, strangers, morePages }: ListedCollection,
  reads: RefreshContext['reads'],
): readonly ListedStrangers[] {
  const { type, scope, under, members } = collection;
  if (failure !== undefined) return [];
  const place = { type: type.token, scope, ...defined({ under }) };
  const later = reads.shownLater(collection);
  if (later.length === 0) return [{ ...place, morePages, objects: strangers }];
  const keyOf = ({ identity }: Pick<RemoteObject, 'identity'>): string => identityKey(type.token, identity);
  const known = new Set([...members, ...strangers].map(keyOf));
  const came = new Map(later.filter((object) => !known.has(keyOf(object))).map((object) => [keyOf(object), object]));
  return [{ ...place, morePages, objects: [...strangers, ...came.values()] }];
}

/** `--refresh none`: what the platform answered last is taken as what it has. */
function asRecorded(recorded: ReadonlyMap<Address, RecordedResource>): Snapshot {
  const readings = new MappedMap<RecordedResource, Reading>(recorded, recordedReading);
  return { readings, found: new Map(), unmanaged: [], listed: [], unread: [], uncertain: new Map() };
}

/** What went wrong first, and where the address was set. */
async function nothingRead(context: RefreshContext, listed: readonly ListedCollection[]): Promise<ProviderError> {
  const first = listed.find(isUnread);
  if (first?.failure === undefined) throw new Error('bug: something was read');
  const { targetSource } = await context.reads.providerOf(first.collection.type);
  const { summary: why, detail, hint = 'Check the address and the network.' } = asDiagnostic(first.failure);
  const summary = `Nothing could be read, so nothing was compared: ${why} ${targetSource} says this address.`;
  const told: Diagnostic = { severity: 'error', code: 'nothing-read', summary, ...defined({ detail }), hint };
  return new ProviderError('unavailable', [told], { cause: first.failure });
}

/**
 * A collection of which one object is recorded, and which need not be listed: what that object lives in shows it, and it
 * has not moved since it was recorded. Undefined: it must be listed. `above`: the objects that lists showed, by `identityKey`.
 */
export function shownAbove(
  context: RefreshContext,
  collection: RecordedCollection,
  above: ReadonlyMap<string, RemoteObject>,
): ListedCollection | undefined {
  const { type, members } = collection;
  const [only, second] = members;
  if (context.mode === 'full' || only === undefined || second !== undefined) return undefined;
  const shown = summaryOf(type, only, above);
  if (shown === undefined || !isUnmoved(context, type, only, shown)) return undefined;
  const { identity, outputs } = only;
  const values = Object.fromEntries(Object.entries(outputs).filter(([name]) => type.fields[name]?.inList === true));
  const objects = new Map([[identityKey(type.token, identity), { identity, values }]]);
  // Of what else the collection holds, nothing is known.
  return { collection, objects, strangers: [], morePages: 1, isComplete: false, beside: 0 };
}

function summaryOf(
  type: ResourceType,
  record: RecordedResource,
  above: ReadonlyMap<string, RemoteObject>,
): JsonObject | undefined {
  const parent = parentIdentity(type, record.identity);
  if (parent === undefined) return undefined;
  const shown = above.get(parentKey(type, parent))?.values[type.collection.shownIn ?? ''];
  return isObject(shown) ? shown : undefined;
}

/** It is the recorded object, of the recorded revision, and says nothing else. */
function isUnmoved(
  { same }: RefreshContext,
  type: ResourceType,
  { identity, outputs }: RecordedResource,
  shown: JsonObject,
): boolean {
  const { revision = '' } = type;
  const isSame = (name: string, value: Json): boolean => {
    const rule = type.fields[name];
    // Every change moves the revision, whether lists show it or not.
    if (rule === undefined || (!rule.inList && name !== revision)) return true;
    return same(rule, value, outputs[name]);
  };
  const isTelling = shown['id'] === identity.id && typeof shown[revision] === 'string';
  return isTelling && Object.entries(shown).every(([name, value]) => isSame(name, value));
}
