import type { UpdateRequest } from '../../../engine/model/provider.js';
import type { FieldRule, ResourceType } from '../../../engine/model/resource-type.js';
import type { Json, JsonObject } from '../../../engine/model/value.js';
import { asObject, parseJson } from '../../http/json.js';
import { toWire, wireName } from '../convert.js';
import { reservedLabelPrefixes } from '../wire.js';
import { memberAt, nestedRecord } from './member-paths.js';
import type { WireType } from './wire-type.js';

/** The body that creates an object. Null and left out mean the same there, so nulls are not sent. */
export function createBody(type: ResourceType, wire: WireType, inputs: JsonObject): JsonObject {
  const body: Record<string, Json> = {};
  for (const [name, value] of Object.entries(inputs)) {
    const rule = type.fields[name];
    if (value === null || rule === undefined || name === type.parent?.field) continue;
    Object.assign(
      body,
      isMap(rule) ? { [wireName(name)]: withoutNulls(mapValue(rule, value)) } : encodeField(rule, wire, value),
    );
  }
  return body;
}

/** The body that changes an object: what changes, nothing else. */
export function updateBody(type: ResourceType, wire: WireType, request: UpdateRequest): JsonObject {
  const body: Record<string, Json> = {};
  const changes = [...Object.entries(request.set), ...request.clear.map((name) => [name, null] as const)];
  for (const [name, value] of changes) {
    const rule = type.fields[name];
    if (rule === undefined || name === type.parent?.field) continue;
    if (!isMap(rule)) Object.assign(body, encodeField(rule, wire, value));
    else {
      const map = mergeMap(rule, mapValue(rule, value), mapValue(rule, request.actual[name] ?? null));
      if (Object.keys(map).length > 0) body[wireName(name)] = map;
    }
  }
  return body;
}

function encodeField(rule: FieldRule, wire: WireType, value: Json): JsonObject {
  const members = wire.members?.[rule.name];
  if (members !== undefined) return nestedRecord(members.map(([from, to]) => [to, memberAt(value, from)]));
  return { [wireName(rule.name)]: toWire(rule.schema, value) };
}

/** Maps are merged key by key by the platform; everything else is put in whole. */
function isMap(rule: FieldRule): boolean {
  return rule.equality === 'map' || rule.equality === 'multisets' || rule.equality === 'json';
}

/** The map in its wire form: JSON text read, single attribute values as lists of one, empty lists as none. */
function mapValue(rule: FieldRule, value: Json): JsonObject {
  const map = asObject(typeof value === 'string' ? parseJson(value) : value) ?? {};
  if (rule.equality !== 'multisets') return map;
  return Object.fromEntries(Object.entries(map).map(([key, member]) => [key, attributeList(member)]));
}

function attributeList(member: Json): Json {
  if (member === null) return null;
  const items = (Array.isArray(member) ? (member as readonly Json[]) : [member]).map((item) =>
    typeof item === 'object' ? item : String(item),
  );
  return items.length === 0 ? null : items;
}

/**
 * All wanted keys, and null for each that is there and not wanted. Right whether the platform merges key by key (as it
 * seems to) or takes the map as the whole.
 */
function mergeMap(rule: FieldRule, wanted: JsonObject, actual: JsonObject): JsonObject {
  const there = Object.entries(actual).filter(([key, value]) => value !== null && !isReserved(rule, key));
  const merged = new Map<string, Json>(there.map(([key]) => [key, null]));
  for (const [key, value] of Object.entries(wanted))
    if (value !== null && !isReserved(rule, key)) merged.set(key, value);
  return Object.fromEntries(merged);
}

/** Keys that the platform keeps for itself: it refuses them in a body, and nobody can take them off. */
function isReserved({ foreignKeys }: FieldRule, key: string): boolean {
  return foreignKeys !== undefined && reservedLabelPrefixes.some((prefix) => key.startsWith(prefix));
}

function withoutNulls(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null));
}
