import {
  ProviderError,
  type CallOptions,
  type FindOptions,
  type RemoteObject,
} from '@platform-sync/core/model/provider';
import { isWholeInLists, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import { type Json, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import type { RestCode } from '@platform-sync/core/generated/codes';
import { placeOf } from './path.js';
import { listObjects, readObject } from './reading.js';
import type { RestType } from './rest-type.js';
import type { Session } from './session.js';

/**
 * Objects whose natural key equals that of the inputs. A part of the key that nobody knows (the platform chose it) is
 * left out, and the other declared texts decide.
 */
export async function findObjects(
  session: Session,
  type: ResourceType,
  rest: RestType,
  given: Readonly<Record<string, string>>,
  inputs: JsonObject,
  { through, ...options }: FindOptions,
): Promise<readonly RemoteObject[]> {
  const read = through?.read ?? ((identity: Identity) => readObject(session, type, rest, identity, options));
  const scope = placeOf(rest, given, inputs);
  const wanted: JsonObject = { ...type.derive(inputs), ...inputs, ...scope };
  // An object whose place says its id, or its file, needs no looking around.
  const id = wanted[rest.idField];
  if (typeof id === 'string') return oneOrNone(await read({ id, scope }));
  const narrow = narrowing(type, rest, wanted);
  if (narrow === undefined) return [];
  const key = type.naturalKey.filter((field) => !rest.scope.includes(field));
  const alsoNamed = type.alsoNamed(inputs);
  const matches = ({ identity, values }: RemoteObject): boolean =>
    sameScope(identity.scope, scope) &&
    key.every(
      (field) =>
        isOpen(type, field, wanted) || sameKey(values[field], wanted[field]) || isAlso(values[field], alsoNamed[field]),
    );
  const listed = await (through?.list(scope, narrow) ?? listTogether(session, type, rest, scope, narrow, options));
  const found = listed.filter(matches);
  if (isWholeInLists(type) || rest.definition.operations.read === undefined) return found;
  const full = await Promise.all(found.map(({ identity }) => read(identity)));
  const there = full.filter((object) => object !== undefined);
  if (there.length < full.length) throw contradictory(type, 'reading it says that it does not exist');
  if (!there.every(matches)) throw contradictory(type, 'reading it shows another key');
  return key.some((field) => isOpen(type, field, wanted))
    ? there.filter((object) => sameTexts(object.values, inputs))
    : there;
}

function oneOrNone(object: RemoteObject | undefined): readonly RemoteObject[] {
  return object === undefined || object.untouched === true ? [] : [object];
}

/** Many who look into one place (their creates were cut off) look together. */
async function listTogether(
  session: Session,
  type: ResourceType,
  rest: RestType,
  scope: Readonly<Record<string, string>>,
  having: JsonObject,
  { onListed, ...options }: CallOptions,
): Promise<readonly RemoteObject[]> {
  const place = JSON.stringify([type.token, scope, having]);
  const { objects } = await session.looks.ask(place, options.signal, () =>
    listObjects(session, type, rest, scope, { ...options, having }),
  );
  onListed?.(objects);
  return objects;
}

function contradictory(type: ResourceType, what: string): ProviderError {
  const summary = `A list shows an object of type ${type.name}, and ${what}.`;
  const hint = 'Somebody may be changing it right now. Try again a little later.';
  const code: RestCode = 'contradictory-list';
  return new ProviderError('unexpected-answer', [{ severity: 'error', code, summary, hint }]);
}

/**
 * What the list is narrowed by. What may be missing of the key narrows nothing; undefined when another value is missing: everything
 * would match then.
 */
function narrowing(type: ResourceType, rest: RestType, wanted: JsonObject): JsonObject | undefined {
  const having = new Map<string, Json>();
  for (const field of Object.values(rest.definition.list?.findBy ?? {})) {
    const value = wanted[field];
    if (typeof value === 'string' && value !== '') having.set(field, value);
    // Without what every object has, nothing is the one that is looked for.
    else if (!mayLack(type, field) || isOpen(type, field, wanted)) return undefined;
  }
  return Object.fromEntries(having);
}

function mayLack({ naturalKey, fields }: ResourceType, field: string): boolean {
  return naturalKey.includes(field) && fields[field]?.alwaysReturned !== true;
}

/** True for a key field that always has a value on the platform and that nobody here knows. */
function isOpen(type: ResourceType, field: string, wanted: JsonObject): boolean {
  return wanted[field] === undefined && type.fields[field]?.clearing.by === 'derived';
}

/** No value and null are the same key. */
function sameKey(a: Json | undefined, b: Json | undefined): boolean {
  return (a ?? null) === (b ?? null);
}

function isAlso(value: Json | undefined, also: Json | undefined): boolean {
  return also !== undefined && value === also;
}

function sameScope(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return Object.entries(b).every(([field, id]) => ownMember(a, field) === id);
}

function sameTexts(values: JsonObject, inputs: JsonObject): boolean {
  return Object.entries(inputs).every(([field, wanted]) => {
    const value = values[field];
    return typeof wanted !== 'string' || typeof value !== 'string' || value.trimEnd() === wanted.trimEnd();
  });
}
