import type { CallOptions } from '../../../engine/model/provider.js';
import type { ResourceType } from '../../../engine/model/resource-type.js';
import type { Identity } from '../../../engine/model/state.js';
import { itemPath } from './addressing.js';
import type { Session } from './session.js';
import type { WireType } from './wire-type.js';

/** Deletes an object; one that is proven to be gone already is fine. */
export async function deleteObject(
  session: Session,
  type: ResourceType,
  wire: WireType,
  identity: Identity,
  options: CallOptions,
): Promise<void> {
  const call = { method: 'DELETE', path: itemPath(wire.item, identity), ...options } as const;
  await session.ifThere(call, type.absence, () => session.call(call));
}
