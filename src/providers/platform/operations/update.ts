import {
  ProviderError,
  type CallOptions,
  type RemoteObject,
  type UpdateRequest,
} from '../../../engine/model/provider.js';
import type { ResourceType } from '../../../engine/model/resource-type.js';
import type { JsonObject } from '../../../engine/model/value.js';
import type { HttpCode } from '../../http/codes.js';
import { asObject } from '../../http/json.js';
import { itemPath } from './addressing.js';
import { cataloguePath, decodeObject, missingFields } from './decode.js';
import { updateBody } from './encode.js';
import { readObject } from './read.js';
import type { Session } from './session.js';
import type { WireType } from './wire-type.js';

/** Changes an object and returns it as it is then. An answer that lacks fields is read again. */
export async function updateObject(
  session: Session,
  type: ResourceType,
  wire: WireType,
  request: UpdateRequest,
  options: CallOptions,
): Promise<RemoteObject> {
  if (!type.updatable) throw new Error(`bug: ${type.token} can't be updated`);
  const { identity } = request;
  const path = itemPath(wire.item, identity);
  const body = updateBody(type, wire, request);
  if (Object.keys(body).length > 0) {
    const fieldOf = (parameter: Parameters<typeof cataloguePath>[2]): string | undefined =>
      cataloguePath(type, wire, parameter);
    const item = {
      id: identity.id,
      ...asObject(await session.call({ method: 'PATCH', path, body, fieldOf, ...options })),
    };
    const changed = decodeObject(type, wire, item, { scope: identity.scope });
    if (changed !== undefined && missingFields(type, wire, item, expectedFields(request)).length === 0) return changed;
  }
  const read = await readObject(session, type, wire, identity, options);
  if (read !== undefined) return read;
  const code: HttpCode = 'object-not-found';
  throw new ProviderError('not-found', [{ severity: 'error', code, summary: `${path} does not exist any more.` }], {
    status: 404,
  });
}

/** What the object should hold after the update. */
function expectedFields({ set, actual, clear }: UpdateRequest): JsonObject {
  const cleared = new Set(clear);
  return Object.fromEntries(Object.entries({ ...actual, ...set }).filter(([name]) => !cleared.has(name)));
}
