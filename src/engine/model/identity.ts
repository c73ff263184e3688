import { canonicalJson } from './canonical.js';
import type { ResourceType } from './resource-type.js';
import type { Identity } from './state.js';

/**
 * One text for one object: the only key under which objects are looked up in an index. An id alone is not enough, since
 * other types, and objects below other parents, may have the same one.
 */
export function identityKey(type: string, identity: Identity): string {
  const { id, scope } = identity;
  // What has one key is in order.
  return Object.keys(scope).length < 2 ? JSON.stringify([type, id, scope]) : canonicalJson([type, id, scope]);
}

/** One text for one collection: what a list call answers together. `scope` may hold more than selects it. */
export function collectionKey(type: ResourceType, scope: Identity['scope']): string {
  return canonicalJson([type.token, type.collection.scope.map((field) => scope[field] ?? null)]);
}

/** Where the object lives that this one lives in; undefined for an object that lives in none. */
export function parentIdentity(type: ResourceType, { scope }: Pick<Identity, 'scope'>): Identity | undefined {
  const field = type.parent?.field;
  const id = field === undefined ? undefined : scope[field];
  if (field === undefined || id === undefined) return undefined;
  const { [field]: _id, ...above } = scope;
  return { id, scope: above };
}
