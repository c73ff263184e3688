import type { FieldRule } from '@platform-sync/core/model/resource-type';
import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { asObject, parseJson } from './http/json.js';
import type { RestType } from './rest-type.js';

/** Maps are merged key by key by the platform; everything else is put in whole. */
export function isMap(rule: FieldRule): boolean {
  // A text with JSON travels as the text that it is.
  return rule.schema['type'] !== 'string' && ['map', 'multisets', 'json'].includes(rule.equality);
}

/** The map in its wire form: JSON text read, single attribute values as lists of one, empty lists as none. */
export function mapValue(rule: FieldRule, value: Json): JsonObject {
  const map = asObject(typeof value === 'string' ? parseJson(value) : value) ?? {};
  if (rule.equality !== 'multisets') return map;
  return Object.fromEntries(Object.entries(map).map(([key, member]) => [key, attributeList(member)]));
}

function attributeList(member: Json): Json {
  if (member === null) return null;
  const items = (isList(member) ? member : [member]).map((item) => (typeof item === 'object' ? item : String(item)));
  return items.length === 0 ? null : items;
}

/**
 * All wanted keys, and null for each that is there and not wanted. Right whether the platform merges key by key (as it
 * seems to) or takes the map as the whole.
 */
export function mergeMap(rest: RestType, rule: FieldRule, wanted: JsonObject, actual: JsonObject): JsonObject {
  const isOurs = (key: string): boolean => !isReserved(rest, rule, key);
  const there = Object.entries(actual).filter(([key, value]) => value !== null && isOurs(key));
  const merged = new Map<string, Json>(there.map(([key]) => [key, null]));
  for (const [key, value] of Object.entries(wanted)) if (value !== null && isOurs(key)) merged.set(key, value);
  return Object.fromEntries(merged);
}

/** Keys that the platform keeps for itself: it refuses them in a body, and nobody can take them off. */
export function isReserved({ style }: RestType, { foreignKeys }: FieldRule, key: string): boolean {
  return foreignKeys !== undefined && (style.reservedKeys ?? []).some((prefix) => key.startsWith(prefix));
}

export function withoutNulls(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null));
}
