import type { ResourceType } from './resource-type.js';
import type { Identity } from './state.js';

/**
 * One text for one object: the only key under which objects are looked up in an index. An id alone is not enough, since
 * other types, and objects below other parents, may have the same one. Texts stand with their length, so that none runs into the
 * next: that takes half of what writing JSON takes.
 */
export function identityKey(type: string, { id, scope }: Identity): string {
  const fields = Object.keys(scope);
  if (fields.length > 1) fields.sort();
  let key = '';
  for (const field of fields) key += ` ${field} ${sized(scope[field])}`;
  return `${type}${key}  ${id}`;
}

/** One text for one collection: what a list call answers together. `scope` may hold more than selects it. */
export function collectionKey({ token, collection }: ResourceType, scope: Identity['scope']): string {
  let key = token;
  for (const field of collection.scope) key += ` ${sized(scope[field])}`;
  return key;
}

function sized(text: string | undefined): string {
  return text === undefined ? '-' : `${text.length} ${text}`;
}

/** Where the object lives that this one lives in; undefined for an object that lives in none. */
export function parentIdentity(type: ResourceType, { scope }: Pick<Identity, 'scope'>): Identity | undefined {
  const field = type.parent?.field;
  const id = field === undefined ? undefined : scope[field];
  if (field === undefined || id === undefined) return undefined;
  const { [field]: _id, ...above } = scope;
  return { id, scope: above };
}
