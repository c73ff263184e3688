import type { DeleteOptions } from '../../engine/model/provider.js';
import type { ResourceType } from '../../engine/model/resource-type.js';
import type { Identity } from '../../engine/model/state.js';
import type { JsonObject } from '../../engine/model/value.js';
import { createBody } from './encode.js';
import { enveloped } from './envelope.js';
import { itemPath } from './path.js';
import { fieldName, hostOf, methodOfCall, pathOfCall, type RestType } from './rest-type.js';
import type { Call, Session } from './session.js';
import { unlessUnlisted } from './unlisted.js';

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
  const isByList = type.absence === 'two-lists' || type.absence === 'unlisted-404';
  // Of a delete the platform's own words are proof, also where no read gives any.
  const asked: Call = { ...call, absence: isByList ? 'problem-404' : type.absence };
  const send = (): Promise<unknown> => session.ifThere(asked, () => session.call(asked));
  await (isByList ? unlessUnlisted(session, type, rest, identity, options, send) : send());
}

function deletion(
  type: ResourceType,
  rest: RestType,
  identity: Identity,
  { force = false, actual: _, declared, ...options }: DeleteOptions,
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
