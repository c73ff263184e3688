import { canonicalJson } from './canonical.js';
import type { Identity } from './state.js';

/**
 * One text for one object: the only key under which objects are looked up in an index. An id alone is not enough, since
 * other types, and objects below other parents, may have the same one.
 */
export function identityKey(type: string, identity: Identity): string {
  return canonicalJson([type, identity.id, identity.scope]);
}
