import type { CallOptions, RemoteObject } from '../../../engine/model/provider.js';
import type { ResourceType } from '../../../engine/model/resource-type.js';
import type { JsonObject } from '../../../engine/model/value.js';
import { asObject } from '../../http/json.js';
import { parentScope, pathOf } from './addressing.js';
import { cataloguePath, decodeObject, missingFields } from './decode.js';
import { createBody } from './encode.js';
import { readObject } from './read.js';
import type { Call, Session } from './session.js';
import type { WireType } from './wire-type.js';

/** Makes an object. An answer without id is an ambiguous create: the object is there, but nobody knows which it is. */
export async function createObject(
  session: Session,
  type: ResourceType,
  wire: WireType,
  given: Readonly<Record<string, string>>,
  inputs: JsonObject,
  options: CallOptions,
): Promise<RemoteObject> {
  const scope = parentScope(type, given, inputs);
  const call: Call = {
    method: 'POST',
    path: pathOf(wire.collection, scope),
    body: createBody(type, wire, inputs),
    fieldOf: (parameter) => cataloguePath(type, wire, parameter),
    ...options,
  };
  const item = asObject(await session.call(call)) ?? {};
  const made = decodeObject(type, wire, item, { scope });
  if (made === undefined) throw session.withoutId(call);
  if (missingFields(type, wire, item, inputs).length === 0) return made;
  // The object exists and its id is known: a read that fails now must not turn that into a failed create.
  return (await readObject(session, type, wire, made.identity, options).catch(() => undefined)) ?? made;
}
