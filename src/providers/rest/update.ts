import { ProviderError, type CallOptions, type RemoteObject, type UpdateRequest } from '../../engine/model/provider.js';
import type { ResourceType } from '../../engine/model/resource-type.js';
import type { JsonObject } from '../../engine/model/value.js';
import type { HttpCode } from '../../generated/codes.js';
import { cataloguePath, decodeObject, missingFields } from './decode.js';
import { updateBodies, wholeBody } from './encode.js';
import { enveloped, objectIn } from './envelope.js';
import { itemPath } from './path.js';
import { readObject } from './reading.js';
import { untilReady } from './until-ready.js';
import { hostOf, idWire, isWholeUpdate, methodOfCall, pathOfCall, type RestType } from './rest-type.js';
import type { Call, Session } from './session.js';

/** Changes an object and returns it as it is then. An answer that lacks fields is read again. */
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
  let changed: RemoteObject | undefined;
  for (const body of bodiesOf(type, rest, request)) {
    const answer = objectIn(rest, await session.call({ ...call, body: enveloped(rest, 'update', body) }));
    const item = { [idWire(rest)]: identity.id, ...answer };
    const isWhole = missingFields(type, rest, item, expectedFields(request)).length === 0;
    changed = isWhole ? decodeObject(type, rest, item, { scope: identity.scope }) : undefined;
  }
  const object = changed ?? (await readObject(session, type, rest, identity, options));
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
