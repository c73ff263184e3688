import type { CallOptions, RemoteObject } from '../../../engine/model/provider.js';
import type { ResourceType } from '../../../engine/model/resource-type.js';
import type { Identity } from '../../../engine/model/state.js';
import { asObject } from '../../http/json.js';
import { Wrong } from '../../http/wrong.js';
import { itemPath } from './addressing.js';
import { checkedObject } from './checked-object.js';
import type { Session } from './session.js';
import type { WireType } from './wire-type.js';

/** One object; undefined when it is proven not to exist. */
export async function readObject(
  session: Session,
  type: ResourceType,
  wire: WireType,
  identity: Identity,
  options: CallOptions,
): Promise<RemoteObject | undefined> {
  const call = { method: 'GET', path: itemPath(wire.item, identity), ...options } as const;
  return session.ifThere(call, type.absence, () =>
    session.get(call, (body) => {
      const item = asObject(body);
      if (item === undefined) return new Wrong('no object');
      // An answer may leave its own id out; it is the one that was asked for.
      const object = checkedObject(type, wire, { id: identity.id, ...item }, { scope: identity.scope });
      return object instanceof Wrong || object.identity.id === identity.id ? object : new Wrong('another object');
    }),
  );
}
