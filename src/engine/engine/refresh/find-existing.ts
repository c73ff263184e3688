import { canonicalJson, sameJson } from '@platform-sync/core/model/canonical';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { identityKey } from '@platform-sync/core/model/identity';
import { markField } from '@platform-sync/core/model/ownership-mark';
import { ProviderError, type RemoteObject } from '@platform-sync/core/model/provider';
import { isWholeInLists, listsThatMustLack, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Reading } from '@platform-sync/core/model/snapshot';
import type { Identity } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { Reads } from '../reads/reads.js';
import { asDiagnostic } from './list-collection.js';
import { byCollection } from '../reads/collection.js';

/** Reads an object that state does not know, with what can be found out about its write-only fields. */
export async function readExisting(reads: Reads, type: ResourceType, identity: Identity): Promise<Reading> {
  return guarded(async () => {
    const object = await reads.read(type, identity);
    if (object === undefined) return { kind: 'gone' };
    // What lists alone show is as two of them say.
    const again = listsThatMustLack(type.absence) === 2 ? await reads.readAgain(type, identity) : object;
    if (again === undefined || !sameJson(again.values, object.values))
      return { kind: 'failed', diagnostic: contradictory(type, object, 'another list') };
    return withWriteOnly(reads, type, object);
  });
}

/** What narrows a search down. */
interface Narrowing {
  /** Write-only fields count only where these declare one. */
  readonly inputs: JsonObject;
  /** The ownership mark that the object must bear. */
  readonly mark?: string | undefined;
}

/** Finds the one object with a resource's natural key. `gone`: there is none, by a complete list. */
export async function findExisting(
  reads: Reads,
  type: ResourceType,
  scope: Readonly<Record<string, string>>,
  inputs: JsonObject,
  { mark, inputs: compared }: Partial<Narrowing> = {},
): Promise<Reading> {
  return guarded(async () => {
    const found = await reads.find(type, scope, inputs);
    const objects = mark === undefined ? found : found.filter(({ values }) => values[markField] === mark);
    const [only] = objects;
    if (only === undefined) return { kind: 'gone' };
    if (objects.length > 1) return { kind: 'failed', diagnostic: severalFound(type, objects, 'have this natural key') };
    return confirmed(reads, type, only, compared);
  });
}

/** What tells an object where its key does not. */
export interface Telling {
  /** No name tells which object is meant. */
  readonly isNameless: boolean;
  /** False for an object that somebody has already, or with a name where the resource has none. */
  readonly isOpen: (object: RemoteObject) => boolean;
  /** It has what the file says, as far as it was read: of a list, some fields are left out. */
  readonly fits: (values: JsonObject, isListed: boolean) => boolean;
  /** It refers to nothing that the file does not name. */
  readonly isBare: (values: JsonObject) => boolean;
}

/**
 * Finds the one object that a resource describes whose key others may have, too, or that has no name: the only one of that key, or the
 * only one of them that has what the file says.
 */
export async function findByContents(
  reads: Reads,
  type: ResourceType,
  scope: Readonly<Record<string, string>>,
  inputs: JsonObject,
  { isNameless, isOpen, fits, isBare }: Telling,
): Promise<Reading> {
  return guarded(async () => {
    const isListed = isNameless && type.collection.listed !== false;
    const found = isListed
      ? (await reads.look({ type, scope, of: 'everything' })).objects.filter(({ values }) => fits(values, true))
      : await reads.find(type, scope, inputs);
    const open = found.filter((object) => isIn(object, scope) && isOpen(object));
    const [only, ...others] = open;
    if (only === undefined) return { kind: 'gone' };
    const read = await Promise.all(open.map((object) => confirmed(reads, type, object)));
    if (others.length === 0 && !isListed) return read[0] ?? { kind: 'gone' };
    const failed = read.find(({ kind }) => kind === 'failed');
    const fitting = read.filter((reading) => reading.kind === 'found' && fits(reading.values, false));
    // What says nothing of a service fits those of one service, too.
    const bare = fitting.filter((reading) => reading.kind === 'found' && isBare(reading.values));
    const [one, ...more] = bare.length === 0 ? fitting : bare;
    if (one !== undefined && more.length === 0 && failed === undefined) return one;
    if (fitting.length === 0)
      return isListed ? (failed ?? { kind: 'gone' }) : severalOf(type, open, 'have this natural key');
    return failed ?? severalOf(type, open, 'may be the one that is meant');
  });
}

function isIn({ identity }: RemoteObject, scope: Readonly<Record<string, string>>): boolean {
  return Object.entries(scope).every(([field, id]) => (identity.scope[field] ?? id) === id);
}

function severalOf(type: ResourceType, objects: readonly RemoteObject[], what: string): Reading {
  return { kind: 'failed', diagnostic: severalFound(type, objects, what) };
}

/**
 * Reads an object that a list showed. `inputs`: write-only fields count only where these declare one. `again`: a second
 * answer that is there already.
 */
export async function readListed(
  reads: Reads,
  type: ResourceType,
  listed: RemoteObject,
  inputs: JsonObject,
  again?: SecondLook,
): Promise<Reading> {
  return guarded(() => confirmed(reads, type, listed, inputs, again));
}

async function confirmed(
  reads: Reads,
  type: ResourceType,
  listed: RemoteObject,
  inputs?: JsonObject,
  again?: SecondLook,
): Promise<Reading> {
  const object = again ?? (await reads.read(type, listed.identity));
  if (object === undefined || object === 'missing' || !isSame(type, listed, object))
    return { kind: 'failed', diagnostic: contradictory(type, listed) };
  return withWriteOnly(reads, type, object, inputs);
}

/** The list and the object itself must name it alike. */
function isSame(type: ResourceType, a: RemoteObject, b: RemoteObject): boolean {
  const key = ({ identity, values }: RemoteObject): string =>
    canonicalJson([
      identityKey(type.token, identity),
      type.naturalKey.map((field) => identity.scope[field] ?? values[field] ?? null),
    ]);
  return key(a) === key(b);
}

async function withWriteOnly(
  reads: Reads,
  type: ResourceType,
  object: RemoteObject,
  inputs?: JsonObject,
): Promise<Reading> {
  const hidden = Object.values(type.fields).some(
    (rule) => rule.writeOnly && (inputs === undefined || rule.name in inputs),
  )
    ? await (await reads.providerOf(type)).readWriteOnly(type, object.identity)
    : {};
  return {
    kind: 'found',
    identity: object.identity,
    values: { ...object.identity.scope, ...object.values, ...hidden },
  };
}

/** Whatever goes wrong proves nothing: not even a place that is not found says anything about what it should hold. */
async function guarded(read: () => Promise<Reading>): Promise<Reading> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { kind: 'failed', diagnostic: asDiagnostic(error) };
  }
}

export function contradictory(
  type: ResourceType,
  { identity }: Pick<RemoteObject, 'identity'>,
  other = 'the object itself',
): Diagnostic {
  return {
    severity: 'error',
    code: 'contradictory-answers',
    summary: `A list shows the ${type.name} ${identity.id} differently from ${other}, so neither is used.`,
    hint: 'Somebody may be changing it right now. Try again a little later.',
  };
}

function severalFound(type: ResourceType, objects: readonly RemoteObject[], what: string): Diagnostic {
  const ids = objects.map((object) => object.identity.id).sort();
  return {
    severity: 'error',
    code: 'several-found',
    summary: `${objects.length} ${type.name} objects ${what}: ${ids.join(', ')}.`,
    hint: 'Say which one: sync adopt ADDRESS ID',
  };
}

/** An object that a list showed, and about which a second answer is wanted. */
interface Shown {
  readonly type: ResourceType;
  readonly listed: RemoteObject;
}

/** What the second answer says: the object, or that there is none. */
export type SecondLook = RemoteObject | 'missing';

/**
 * Second answers about objects that lists showed, by `identityKey`: one more list tells them all, where lists show the
 * whole object and that takes fewer calls. What has no second answer has to be read. Rejects with ProviderError.
 */
export async function secondLooks(reads: Reads, shown: readonly Shown[]): Promise<ReadonlyMap<string, SecondLook>> {
  const whole = shown.filter(({ type }) => type.collection.listed !== false && isWholeInLists(type));
  const groups = byCollection(whole, ({ type, listed }) => ({ type, scope: listed.identity.scope }));
  const looks = await Promise.all(
    groups.map(async ({ type, scope, members }): Promise<readonly (readonly [string, SecondLook])[]> => {
      const keyOf = ({ identity }: RemoteObject): string => identityKey(type.token, identity);
      const of = new Set(members.map(({ listed }) => keyOf(listed)));
      const again = of.size < 2 ? undefined : await reads.lookAgain({ type, scope, of });
      const objects = new Map(again?.objects.map((object) => [keyOf(object), object]));
      return [...of].flatMap((key) => {
        const object = objects.get(key) ?? (again?.morePages === 0 ? ('missing' as const) : undefined);
        return object === undefined ? [] : [[key, object] as const];
      });
    }),
  );
  return new Map(looks.flat());
}
