import type { CallOptions } from '../../../engine/model/provider.js';
import type { Identity } from '../../../engine/model/state.js';
import { itemPath } from './addressing.js';
import type { Session } from './session.js';
import type { WireType } from './wire-type.js';

/** Deletes an object; one that is gone already is fine. */
export async function deleteObject(
  session: Session,
  wire: WireType,
  identity: Identity,
  options: CallOptions,
): Promise<void> {
  await session.callIfThere({ method: 'DELETE', path: itemPath(wire.item, identity), ...options });
}
