import { sameJson } from '@platform-sync/core/model/canonical';
import {
  type CallOptions,
  type DeleteOptions,
  ProviderError,
  type RemoteObject,
  type UpdateRequest,
} from '@platform-sync/core/model/provider';
import { shownMembers } from '@platform-sync/core/model/hidden-members';
import { type FieldRule, listsThatMustLack, type ResourceType } from '@platform-sync/core/model/resource-type';
import { type Json, type JsonObject, ownMember, reveal } from '@platform-sync/core/model/value';
import { sameValue } from '@platform-sync/core/value/equality';
import { overRecord } from '@platform-sync/core/value/parts';
import { cataloguePath, decodeObject, enveloped, missingFields, objectIn } from './decode.js';
import { createBody, updateBodies, wholeBody } from './encode.js';
import { valueAt } from './member-paths.js';
import { itemPath, pathOf, placeOf } from './path.js';
import { readObject } from './reading.js';
import { fieldName, hostOf, idWire, isWholeUpdate, methodOfCall, pathOfCall, type RestType } from './rest-type.js';
import type { Call, Session } from './session.js';
import type { HttpCode } from '@platform-sync/core/generated/codes';
import type { Identity } from '@platform-sync/core/model/state';
import { unlessUnlisted } from './read.js';
import { wireFields } from './wire-fields.js';

/** Makes an object. An answer without id is an ambiguous create: the object is there, but nobody knows which it is. */
export async function createObject(
  session: Session,
  type: ResourceType,
  rest: RestType,
  given: Readonly<Record<string, string>>,
  inputs: JsonObject,
  options: CallOptions,
): Promise<RemoteObject> {
  const { create } = rest.definition.operations;
  const scope = placeOf(rest, given, inputs);
  const own = ownId(rest, scope, inputs);
  const call: Call = {
    method: methodOfCall(create),
    path: pathOf(pathOfCall(create), own === undefined ? scope : { ...scope, [rest.idField]: own }),
    ...hostOf(rest),
    body: enveloped(rest, 'create', createBody(type, rest, inputs)),
    fieldOf: (parameter) => cataloguePath(type, rest, parameter),
    ...options,
  };
  const answer = objectIn(rest, await session.call(call)) ?? {};
  const item = own === undefined ? answer : { [idWire(rest)]: own, ...answer };
  const made = decodeObject(type, rest, item, { scope });
  if (made === undefined) throw await session.withoutId(call);
  const isWhole = missingFields(type, rest, item, inputs).length === 0;
  // The object exists and its id is known: a read that fails now must not turn that into a failed create.
  const shown = isWhole
    ? undefined
    : await readObject(session, type, rest, made.identity, options).catch(() => undefined);
  // Others may have written it since, and what is made at an id that it is given may have been there.
  const request = { ...made, set: inputs, clear: [], actual: {} };
  const object = isWhole ? made : written(type, rest, request, { item, answered: made, shown: shown ?? made });
  const ready = rest.definition.ready === undefined ? object : await untilReady(session, type, rest, object, options);
  const once = shownOnce(rest, answer);
  return once === undefined ? ready : { ...ready, shownOnce: once };
}

function shownOnce(rest: RestType, answer: JsonObject): JsonObject | undefined {
  const names = rest.definition.shownOnce ?? [];
  const shown = names.flatMap((name) => {
    const value = answer[fieldName(rest, name)];
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  return shown.length === 0 ? undefined : Object.fromEntries(shown);
}

/** The id that the inputs themselves hold, of types that get none from the platform. */
function ownId({ idField }: RestType, scope: Readonly<Record<string, string>>, inputs: JsonObject): string | undefined {
  const id = idField === 'id' ? undefined : (ownMember(scope, idField) ?? inputs[idField]);
  return typeof id === 'string' ? id : undefined;
}

/** Changes an object and returns it as it is then. What an answer lacks is read. */
export async function updateObject(
  session: Session,
  type: ResourceType,
  rest: RestType,
  request: UpdateRequest,
  options: CallOptions,
): Promise<RemoteObject> {
  const { update, forceUpdate } = rest.definition.operations;
  if (update === undefined) throw new Error(`bug: ${type.token} can't be updated`);
  const { identity } = request;
  const path = itemPath(rest, pathOfCall(update), identity);
  const call: Call = {
    method: methodOfCall(update),
    path,
    ...hostOf(rest),
    ...(request.force === true && forceUpdate !== undefined ? { query: [[forceUpdate, 'true']] } : {}),
    fieldOf: (parameter) => cataloguePath(type, rest, parameter),
    ...options,
  };
  const bodies = bodiesOf(type, rest, request);
  let [item, isWhole]: [JsonObject, boolean] = [{}, false];
  for (const body of bodies) {
    const answer = objectIn(rest, await session.call({ ...call, body: enveloped(rest, 'update', body) }));
    item = { [idWire(rest)]: identity.id, ...answer };
    isWhole = answer !== undefined && missingFields(type, rest, item, expectedFields(request)).length === 0;
  }
  const answered = decodeObject(type, rest, item, { scope: identity.scope });
  const read = (): Promise<RemoteObject | undefined> => readObject(session, type, rest, identity, options);
  if (isWhole && answered !== undefined) return untilReady(session, type, rest, answered, options);
  if (bodies.length > 0) {
    // It is written: a look that fails now must not turn that into a failed update.
    const shown = await read().catch(() => undefined);
    return untilReady(session, type, rest, written(type, rest, request, { item, answered, shown }), options);
  }
  const object = await read();
  if (object !== undefined) return untilReady(session, type, rest, object, options);
  const code: HttpCode = 'object-not-found';
  throw new ProviderError('not-found', [{ severity: 'error', code, summary: `${path} does not exist any more.` }], {
    status: 404,
  });
}

function bodiesOf(type: ResourceType, rest: RestType, request: UpdateRequest): readonly JsonObject[] {
  if (!isWholeUpdate(rest)) return updateBodies(type, rest, request);
  const isChange = Object.keys(request.set).length > 0 || request.clear.length > 0;
  return isChange ? [wholeBody(type, rest, request)] : [];
}

/** What the object should hold after the update. */
function expectedFields({ set, actual, clear }: UpdateRequest): JsonObject {
  const cleared = new Set(clear);
  return Object.fromEntries(Object.entries({ ...actual, ...set }).filter(([name]) => !cleared.has(name)));
}

/** Deletes an object; one that is proven to be gone already is fine. One that is always there is put back, or left. */
export async function deleteObject(
  session: Session,
  type: ResourceType,
  rest: RestType,
  identity: Identity,
  options: DeleteOptions,
): Promise<void> {
  const call = deletion(type, rest, identity, options);
  if (call === undefined) return;
  const isByList = listsThatMustLack(type.absence) > 0;
  // Of a delete the platform's own words are proof, also where no read gives any.
  const asked: Call = { ...call, absence: isByList ? 'problem-404' : type.absence };
  const send = (): Promise<true | undefined> => session.ifThere(asked, () => session.call(asked).then(() => true));
  const isDone = await (isByList ? unlessUnlisted(session, type, rest, identity, options, send) : send());
  if (isDone !== true && options.mayNotShow === true) throw deniedTooSoon(type, identity);
}

function deniedTooSoon({ name }: ResourceType, { id }: Identity): ProviderError {
  const code: HttpCode = 'outcome-unknown';
  const summary = `It is not known whether ${name} ${id} is deleted: it was written a moment ago, and the platform says that it is not there, which it may say of what does not show yet.`;
  const hint = 'Run the command again a little later.';
  return new ProviderError('ambiguous', [{ severity: 'error', code, summary, hint }], { status: 404 });
}

function deletion(
  type: ResourceType,
  rest: RestType,
  identity: Identity,
  { force = false, actual: _, declared, mayNotShow: __, ...options }: DeleteOptions,
): Call | undefined {
  const { delete: remove, forceDelete, reset, update } = rest.definition.operations;
  const common = { ...hostOf(rest), ...options };
  if (remove !== undefined)
    return {
      ...{ method: methodOfCall(remove), path: itemPath(rest, pathOfCall(remove), identity), ...common },
      // What no path names stands in the body.
      ...(rest.definition.member === undefined
        ? {}
        : { body: enveloped(rest, 'create', createBody(type, rest, { [rest.idField]: identity.id })) }),
      ...(force && forceDelete !== undefined ? { query: [[forceDelete, 'true']] } : {}),
    };
  if (reset === undefined || update === undefined) return undefined;
  const path = itemPath(rest, pathOfCall(update), identity);
  const method = methodOfCall(update);
  const isOurs = ([name]: readonly [string, unknown]): boolean =>
    method === 'PUT' || declared?.includes(name) !== false;
  const back = Object.entries(reset).filter(isOurs);
  // Nothing was declared of what can be put back: the rest is others'.
  if (back.length === 0 && method !== 'PUT') return undefined;
  // Of what is put back a null is meant.
  const nulls = back.flatMap(([name, value]) => (value === null ? [[fieldName(rest, name), null]] : []));
  const body: JsonObject = { ...createBody(type, rest, Object.fromEntries(back)), ...Object.fromEntries(nulls) };
  return { method, path, body: enveloped(rest, 'update', body), ...common };
}

/**
 * The object once the platform has done with it. One that fails, or takes too long, exists all the same: that is told as
 * a warning, and the object comes back as it is.
 */
async function untilReady(
  session: Session,
  type: ResourceType,
  rest: RestType,
  object: RemoteObject,
  options: CallOptions,
): Promise<RemoteObject> {
  const rule = rest.definition.ready;
  if (rule === undefined) return object;
  let last = object;
  for (let waited = 0; ; waited += rule.everyMs) {
    const status = last.values[rule.field] ?? null;
    if (rule.done.includes(status)) return last;
    const isFailed = rule.failed.includes(status);
    if (isFailed || waited >= rule.limitMs) {
      const code = isFailed ? 'refused-later' : 'not-ready';
      const what = isFailed ? 'came to nothing' : `was not done within ${rule.limitMs / 1000} s`;
      const summary = `${type.name} ${object.identity.id}: the work of the platform after the write ${what} (${rule.field}: ${String(status)}).`;
      session.warn({ severity: 'warning', code, summary });
      return last;
    }
    await session.wait(rule.everyMs, `${type.name} is not ready yet`, options.signal);
    last = (await readObject(session, type, rest, object.identity, options)) ?? last;
  }
}

/** What the answer to a write says itself, by fields. */
function saidIn(type: ResourceType, rest: RestType, item: JsonObject, answered: RemoteObject | undefined): JsonObject {
  const said = wireFields(type, rest).read.flatMap(({ name, field, shown }): [string, Json][] => {
    const value =
      field?.members === undefined && valueAt(item, shown) !== undefined ? answered?.values[name] : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(said);
}

/**
 * An object as a later reading shows it, but for what the answer to its write says itself: others may have changed it since. The revision of
 * that change stands for no such object, so that the next plan finds it.
 */
function filledUp(type: ResourceType, read: RemoteObject, stands: JsonObject): RemoteObject {
  const { [type.revision ?? '']: _, ...unrevised } = read.values;
  const isChanged = Object.entries(stands).some(([name, value]) => !sameJson(read.values[name], value));
  return { ...read, values: { ...(isChanged ? unrevised : read.values), ...stands } };
}

/**
 * An object after a write whose answer does not say all of it. What was sent stands where the reading after it does not show it so: that
 * may be older than the write, or somebody's since. Shown a second time as before, it is what the platform makes of it.
 */
function written(
  type: ResourceType,
  rest: RestType,
  { identity, set, clear, actual, recorded }: UpdateRequest,
  after: {
    readonly item: JsonObject;
    readonly answered: RemoteObject | undefined;
    readonly shown: RemoteObject | undefined;
  },
): RemoteObject {
  const { revision = '' } = type;
  const said = saidIn(type, rest, after.item, after.answered);
  const { [revision]: _, ...before } = Object.fromEntries(
    Object.entries(actual).filter(([name]) => !clear.includes(name)),
  );
  const shown = after.shown ?? { identity, values: before };
  // The reading is of this very write.
  if (said[revision] !== undefined && said[revision] === shown.values[revision]) return filledUp(type, shown, said);
  const sent = wireFields(type, rest).read.flatMap(({ name, rule }): [string, Json][] => {
    const given = ownMember(set, name);
    if (given === undefined || rule.movesWith !== undefined) return [];
    const value = shownMembers(rule, given);
    const now = shown.values[name];
    const isAsBefore = sameValue(rule, actual[name], now);
    // What the platform adds to a record of its own accord differs from nothing that was sent.
    const isShown = sameValue(rule, value, now) || (!isAsBefore && isLaidIn(rule, value, now));
    const isUnkept = after.shown !== undefined && isAsBefore && sameValue(rule, recorded?.[name], value);
    return isShown || isUnkept ? [] : [[name, value]];
  });
  // What was taken away and is there as before may be an old answer, or what the platform has where nothing is said: the next reading tells.
  const untold = wireFields(type, rest).read.flatMap(({ name, rule }) => {
    const isAsBefore = name in shown.values && sameValue(rule, actual[name], shown.values[name]);
    return isAsBefore && clear.includes(name) && rule.movesWith === undefined ? [name] : [];
  });
  const left = untold.length === 0 ? [] : [...untold, revision];
  const values = Object.fromEntries(Object.entries(shown.values).filter(([name]) => !left.includes(name)));
  // Without a reading the rest is as it was before: the revision of the answer may be of what others changed there.
  const told =
    after.shown === undefined ? Object.entries(said).filter(([name]) => name !== revision) : Object.entries(said);
  return filledUp(type, { ...shown, values }, Object.fromEntries([...sent, ...told]));
}

function isLaidIn(rule: FieldRule, value: Json, now: Json | undefined): boolean {
  return rule.equality === 'record' && sameValue(rule, reveal(overRecord(value, now, [value]) ?? null), now);
}
