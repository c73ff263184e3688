import type { ResourceType } from '../model/resource-type.js';
import type { JsonObject } from '../model/value.js';

/** The ids that select an object's place on the platform, out of its declared fields. */
export function scopeOf(type: ResourceType, inputs: JsonObject): Readonly<Record<string, string>> {
  const fields =
    type.parent === undefined ? type.collection.scope : [...new Set([...type.collection.scope, type.parent.field])];
  return Object.fromEntries(fields.flatMap((name) => (typeof inputs[name] === 'string' ? [[name, inputs[name]]] : [])));
}
