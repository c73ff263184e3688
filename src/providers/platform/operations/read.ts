import type { CallOptions, RemoteObject } from '../../../engine/model/provider.js';
import type { ResourceType } from '../../../engine/model/resource-type.js';
import type { Identity } from '../../../engine/model/state.js';
import { asObject } from '../../http/json.js';
import { itemPath } from './addressing.js';
import { decodeObject } from './decode.js';
import type { Session } from './session.js';
import type { WireType } from './wire-type.js';

/** One object; undefined when it does not exist. */
export async function readObject(
  session: Session,
  type: ResourceType,
  wire: WireType,
  identity: Identity,
  options: CallOptions,
): Promise<RemoteObject | undefined> {
  const item = asObject(await session.callIfThere({ method: 'GET', path: itemPath(wire.item, identity), ...options }));
  // An answer may leave its own id out; it is the one that was asked for.
  return item === undefined
    ? undefined
    : decodeObject(type, wire, { id: identity.id, ...item }, { scope: identity.scope });
}
