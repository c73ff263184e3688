import type { CallOptions, RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { JsonObject } from '@platform-sync/core/model/value';
import { cataloguePath, decodeObject, missingFields } from './decode.js';
import { createBody } from './encode.js';
import { enveloped, objectIn } from './envelope.js';
import { pathOf, placeOf } from './path.js';
import { readObject } from './reading.js';
import { untilReady } from './until-ready.js';
import { fieldName, hostOf, idWire, methodOfCall, pathOfCall, type RestType } from './rest-type.js';
import type { Call, Session } from './session.js';
import { ownMember } from '@platform-sync/core/model/own-member';

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
  if (made === undefined) throw session.withoutId(call);
  const isWhole = missingFields(type, rest, item, inputs).length === 0;
  // The object exists and its id is known: a read that fails now must not turn that into a failed create.
  const object = isWhole
    ? made
    : ((await readObject(session, type, rest, made.identity, options).catch(() => undefined)) ?? made);
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
