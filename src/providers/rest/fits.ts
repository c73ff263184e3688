import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { asList, asObject } from './http/json.js';

/**
 * Is the value of the kind that a JSON schema says? Kinds only: the platform's own limits are not checked on what it
 * answers. Members that hold null count as left out.
 */
export function fits(schema: JsonObject, value: Json): boolean {
  const { type } = schema;
  const isKind = (kind: Json): boolean => kind === kindOf(value) || (kind === 'integer' && Number.isInteger(value));
  if (typeof type === 'string' ? !isKind(type) : asList(type)?.some(isKind) === false) return false;
  if (typeof value !== 'object') return true;
  const list = asList(value);
  if (list !== undefined) return list.every((item) => fits(asObject(schema.items) ?? {}, item));
  const object = asObject(value);
  return object === undefined || membersFit(schema, object);
}

function membersFit(schema: JsonObject, object: JsonObject): boolean {
  const known = asObject(schema.properties) ?? {};
  const others = asObject(schema.additionalProperties) ?? {};
  const hasAll = (asList(schema.required) ?? []).every((name) => (object[String(name)] ?? null) !== null);
  return (
    hasAll &&
    Object.entries(object).every(([name, member]) => {
      const own = Object.hasOwn(known, name) ? asObject(known[name]) : undefined;
      return member === null || fits(own ?? others, member);
    })
  );
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
