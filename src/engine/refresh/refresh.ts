import pLimit from 'p-limit';
import type { Address } from '../model/address.js';
import { compareText } from '../model/address.js';
import type { DesiredState } from '../model/desired.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { EventListener } from '../model/event.js';
import type { Unmanaged } from '../model/plan.js';
import { ProviderError } from '../model/provider.js';
import type { Provider, ProviderErrorKind, RemoteObject } from '../model/provider.js';
import type { ResourceType } from '../model/resource-type.js';
import type { Reading, Snapshot } from '../model/snapshot.js';
import type { RecordedResource } from '../model/state.js';
import { collectionsOf } from './collections.js';
import type { Collection } from './collections.js';

/** How much to read: `auto` trusts an unchanged `updatedAt`, `full` fetches everything, `none` trusts state. */
export type RefreshMode = 'auto' | 'full' | 'none';

export interface RefreshContext {
  readonly mode: RefreshMode;
  readonly recorded: ReadonlyMap<Address, RecordedResource>;
  readonly desired: DesiredState['resources'];
  readonly typeOf: (token: string) => ResourceType;
  readonly providerOf: (type: ResourceType) => Promise<Provider>;
  readonly concurrency: number;
  readonly onEvent?: EventListener;
  readonly signal?: AbortSignal;
}

/** Reads what exists: a collection at a time where that is cheaper than object by object. */
export async function refresh(context: RefreshContext): Promise<Snapshot> {
  if (context.mode === 'none') return asRecorded(context.recorded);
  const collections = collectionsOf(context.recorded, context.desired, context.typeOf);
  const readings = new Map<Address, Reading>();
  const unmanaged: Unmanaged[] = [];
  const unread: { type: string; diagnostic: Diagnostic }[] = [];
  context.onEvent?.({ type: 'reading', collections: collections.length, objects: context.recorded.size });
  // The provider's own gate limits requests; this only keeps thousands of promises from being started at once.
  const limit = pLimit(context.concurrency * 2);
  let done = 0;
  await Promise.all(
    collections.map((collection) =>
      limit(async () => {
        const found = await readCollection(context, collection);
        for (const [address, reading] of found.readings) readings.set(address, reading);
        if (found.unread !== undefined) unread.push({ type: collection.type.token, diagnostic: found.unread });
        if (found.unmanaged > 0) unmanaged.push(unmanagedOf(collection, found.unmanaged));
        done += 1;
        context.onEvent?.({ type: 'read', done, total: collections.length });
      }),
    ),
  );
  unmanaged.sort((a, b) => compareText(`${a.type} ${a.under ?? ''}`, `${b.type} ${b.under ?? ''}`));
  unread.sort((a, b) => compareText(a.type, b.type));
  return { readings, found: new Map(), unmanaged, unread };
}

function unmanagedOf(collection: Collection, count: number): Unmanaged {
  return { type: collection.type.token, ...(collection.under === undefined ? {} : { under: collection.under }), count };
}

/** `--refresh none`: what the platform answered last is taken as what it has. */
function asRecorded(recorded: ReadonlyMap<Address, RecordedResource>): Snapshot {
  const readings = new Map<Address, Reading>();
  for (const record of recorded.values()) {
    readings.set(record.address, { kind: 'found', identity: record.identity, values: record.outputs });
  }
  return { readings, found: new Map(), unmanaged: [], unread: [] };
}

interface CollectionReadings {
  readonly readings: ReadonlyMap<Address, Reading>;
  /** Objects of the collection that state knows nothing of. */
  readonly unmanaged: number;
  /** Why a collection without members could not be read. */
  readonly unread?: Diagnostic;
}

/** Failures that every other call would meet, too: nothing can be planned. */
const hopeless: ReadonlySet<ProviderErrorKind> = new Set(['unauthenticated', 'configuration']);

async function readCollection(context: RefreshContext, collection: Collection): Promise<CollectionReadings> {
  const readings = new Map<Address, Reading>();
  try {
    const provider = await context.providerOf(collection.type);
    const listed = await listMembers(context, provider, collection);
    await Promise.all(
      collection.members.map(async (record) => {
        const item = listed.objects.get(record.identity.id);
        readings.set(
          record.address,
          await readMember(context, provider, collection.type, record, item, listed.isComplete),
        );
      }),
    );
    return { readings, unmanaged: listed.unmanaged };
  } catch (error) {
    if (!(error instanceof ProviderError) || hopeless.has(error.kind)) throw error;
    // The place itself is gone: so is everything in it.
    const reading: Reading =
      error.kind === 'not-found' ? { kind: 'gone' } : { kind: 'failed', diagnostic: asDiagnostic(error) };
    for (const record of collection.members) readings.set(record.address, reading);
    const isUnread = collection.members.length === 0 && reading.kind === 'failed';
    return { readings, unmanaged: 0, ...(isUnread ? { unread: reading.diagnostic } : {}) };
  }
}

interface Listing {
  /** By id; only members. */
  readonly objects: ReadonlyMap<string, RemoteObject>;
  /** Every page was read, so what is not among them does not exist. */
  readonly isComplete: boolean;
  readonly unmanaged: number;
}

/**
 * The first page tells the size. The other pages are read when that takes fewer calls than reading the members
 * they must hold one by one.
 */
async function listMembers(context: RefreshContext, provider: Provider, collection: Collection): Promise<Listing> {
  const wanted = new Set(collection.members.map((record) => record.identity.id));
  const objects = new Map<string, RemoteObject>();
  let seen = 0;
  const take = (page: readonly RemoteObject[]): void => {
    seen += page.length;
    for (const object of page) if (wanted.has(object.identity.id)) objects.set(object.identity.id, object);
  };
  const options = context.signal === undefined ? {} : { signal: context.signal };
  const first = await provider.list(collection.type, collection.scope, 1, options);
  take(first.objects);
  const total = Math.max(first.total ?? first.objects.length, seen);
  if (first.nextPage === undefined) return { objects, isComplete: true, unmanaged: Math.max(0, total - objects.size) };
  const morePages = Math.ceil(total / Math.max(1, first.objects.length)) - 1;
  const missing = wanted.size - objects.size;
  if (missing < morePages) return { objects, isComplete: false, unmanaged: Math.max(0, total - wanted.size) };
  const numbers = Array.from({ length: morePages }, (_, index) => index + 2);
  const pages = await Promise.all(
    numbers.map((number) => provider.list(collection.type, collection.scope, number, options)),
  );
  for (const page of pages) take(page.objects);
  // Objects made or deleted meanwhile shift the pages, so a member that was not seen is asked for by id.
  return { objects, isComplete: false, unmanaged: Math.max(0, Math.max(total, seen) - objects.size) };
}

async function readMember(
  context: RefreshContext,
  provider: Provider,
  type: ResourceType,
  record: RecordedResource,
  item: RemoteObject | undefined,
  isComplete: boolean,
): Promise<Reading> {
  if (item === undefined && isComplete) return { kind: 'gone' };
  if (item !== undefined && !needsBody(context.mode, type, record, item)) return found(type, record, item, 'list');
  try {
    const object = await provider.read(
      type,
      record.identity,
      context.signal === undefined ? {} : { signal: context.signal },
    );
    return object === undefined ? { kind: 'gone' } : found(type, record, object, 'read');
  } catch (error) {
    if (!(error instanceof ProviderError) || hopeless.has(error.kind)) throw error;
    return { kind: 'failed', diagnostic: asDiagnostic(error) };
  }
}

/** Lists that leave fields out are enough while the object's `updatedAt` is the one of the recorded answer. */
function needsBody(mode: RefreshMode, type: ResourceType, record: RecordedResource, item: RemoteObject): boolean {
  const isPartial = Object.values(type.fields).some((rule) => !rule.inList && !rule.writeOnly);
  if (!isPartial) return false;
  return (
    mode === 'full' ||
    item.values['updatedAt'] === undefined ||
    item.values['updatedAt'] !== record.outputs['updatedAt']
  );
}

/** Fields that kind of answer never carries are as recorded; the ids of the object's place count as fields. */
export function found(
  type: ResourceType,
  record: Pick<RecordedResource, 'outputs'>,
  object: RemoteObject,
  by: 'list' | 'read',
): Reading {
  const carried: Record<string, RecordedResource['outputs'][string]> = {};
  for (const rule of Object.values(type.fields)) {
    const recorded = record.outputs[rule.name];
    const isCarried = !rule.writeOnly && (by === 'read' || rule.inList);
    if (!isCarried && recorded !== undefined && !(rule.name in object.values)) carried[rule.name] = recorded;
  }
  return {
    kind: 'found',
    identity: object.identity,
    values: { ...carried, ...object.identity.scope, ...object.values },
  };
}

export function asDiagnostic(error: ProviderError): Diagnostic {
  return error.diagnostics[0] ?? { severity: 'error', code: 'platform-error', summary: error.message };
}
