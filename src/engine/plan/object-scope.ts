import type { Address } from '../model/address.js';
import { parentIdentity } from '../model/identity.js';
import type { ResourceType } from '../model/resource-type.js';
import type { JsonObject } from '../model/value.js';
import type { Ownership } from './ownership.js';

/** The ids that select an object's place on the platform, out of its declared fields. */
export function scopeOf(type: ResourceType, inputs: JsonObject): Readonly<Record<string, string>> {
  const fields =
    type.parent === undefined ? type.collection.scope : [...new Set([...type.collection.scope, type.parent.field])];
  return Object.fromEntries(fields.flatMap((name) => (typeof inputs[name] === 'string' ? [[name, inputs[name]]] : [])));
}

/** The address in whose object the collection with this scope lies; undefined for a top-level collection. */
export function collectionOwner(
  type: ResourceType,
  scope: Readonly<Record<string, string>>,
  ownership: Ownership,
): Address | undefined {
  const above = type.collection.scope.length === 0 ? undefined : parentIdentity(type, { scope });
  return above === undefined ? undefined : ownership.ownerOf(type.parent?.type ?? '', above);
}
