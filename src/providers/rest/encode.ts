import type { UpdateRequest } from '@platform-sync/core/model/provider';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { withoutMembers } from '@platform-sync/core/model/hidden-members';
import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { asObject, parseJson } from './http/json.js';
import { memberAt, nestedRecord } from './member-paths.js';
import { toWire, wireName } from './names.js';
import { fieldName, isPlace, type RestType } from './rest-type.js';
import { inBranch } from './decode.js';
import { withUnknown } from './unknown-members.js';
import type { Naming } from './style.js';
import { idsToWire, wireFields, type WireFields } from './wire-fields.js';

/** The body that creates an object. Null and left out mean the same there, but for fields to which null is a value. */
export function createBody(type: ResourceType, rest: RestType, inputs: JsonObject): JsonObject {
  const fields = wireFields(type, rest);
  const body = fixedMembers(fields, rest, inputs);
  for (const [name, value] of Object.entries(inputs)) {
    const rule = sent(type, rest, name, inputs);
    if (rule === undefined || (value === null && rule.nullIsValue !== true)) continue;
    const known = fields.byName.get(name);
    if (isMap(rule)) body.push([fieldName(rest, name), withoutNulls(mapValue(rule, value))]);
    else if (known?.isPlain === true) body.push([known.wire, value]);
    else body.push(...encodeField(rule, rest, value));
  }
  return nestedRecord(body);
}

/**
 * The bodies that change an object: what changes, nothing else. It is one, unless a map changes in more entries than a
 * request may hold: then entries are taken off first.
 */
export function updateBodies(type: ResourceType, rest: RestType, request: UpdateRequest): readonly JsonObject[] {
  const body: BodyMember[] = [];
  const after: JsonObject = { ...request.actual, ...request.set };
  const changes = [...Object.entries(request.set), ...request.clear.map((name) => [name, null] as const)];
  for (const [name, value] of changes) {
    const rule = sent(type, rest, name, after);
    if (rule === undefined) continue;
    if (!isMap(rule))
      body.push(...encodeChange(rule, rest, value).map((member) => patched(member, rule, rest, request.actual)));
    else {
      const map = mergeMap(rest, rule, mapValue(rule, value), mapValue(rule, request.actual[name] ?? null));
      if (Object.keys(map).length > 0) body.push([fieldName(rest, name), map]);
    }
  }
  return body.length === 0
    ? []
    : chunkedMaps(
        rest,
        nestedRecord([...resentMembers(type, rest, request, { ...after, ...request.unread }), ...body]),
      );
}

/** The body that puts an object in the place of itself: undeclared fields keep what was read, what no
 * read shows what the file says, cleared ones are left out, and what the type does not know is given back. */
export function wholeBody(type: ResourceType, rest: RestType, request: UpdateRequest): JsonObject {
  const { set, clear, actual, unread, answer } = request;
  const after: JsonObject = { ...actual, ...unread, ...set };
  const cleared = new Set(clear);
  const body = fixedMembers(wireFields(type, rest), rest, {});
  for (const { name } of Object.values(type.fields)) {
    const value = after[name];
    const rule = sent(type, rest, name, after);
    if (rule === undefined || !rule.input || value === undefined || cleared.has(name)) continue;
    if (rest.fields[name]?.createOnly === true) continue;
    if (value === null && rule.nullIsValue !== true) continue;
    if (!isMap(rule)) body.push(...encodeChange(rule, rest, value));
    else {
      const map = Object.entries(withoutNulls(mapValue(rule, value)));
      const ours = Object.fromEntries(map.filter(([key]) => !isReserved(rest, rule, key)));
      body.push([fieldName(rest, name), ours]);
    }
  }
  const known = nestedRecord([...resentMembers(type, rest, request, after), ...body]);
  return answer === undefined
    ? known
    : withUnknown(type, rest, known, { answer, isOfKind: sameKind(type, actual, after) });
}

/** True for a field whose record is of the kind that it was: of another kind nothing is kept. */
function sameKind({ fields }: ResourceType, before: JsonObject, after: JsonObject): (name: string) => boolean {
  return (name) =>
    (fields[name]?.kindMembers ?? []).every((path) => memberAt(before[name], path) === memberAt(after[name], path));
}

/** What tells objects of this type from others of its list, and parts of the place that bodies hold, too. */
function fixedMembers({ placed }: WireFields, { definition: { tells } }: RestType, inputs: JsonObject): BodyMember[] {
  const members: BodyMember[] = tells?.is === undefined ? [] : [[tells.member, tells.is]];
  for (const [name, { sent: member, as }] of placed) {
    const value = inputs[name];
    if (member === undefined || value === undefined) continue;
    const wire = idsToWire({ ...(as === undefined ? {} : { as }) }, value);
    members.push([member, as === 'id-objects' ? [wire] : wire]);
  }
  return members;
}

/** What no update is taken without, as it is or is to be. */
function resentMembers(
  type: ResourceType,
  rest: RestType,
  { identity, clear }: UpdateRequest,
  after: JsonObject,
): readonly BodyMember[] {
  const { idType, operations } = rest.definition;
  return Object.entries(operations.resent ?? {}).flatMap(([wire, name]): readonly BodyMember[] => {
    if (name === 'id' || name === rest.idField)
      return [[wire, idsToWire(idType === undefined ? {} : { as: idType }, identity.id)]];
    const [rule, value = null] = [type.fields[name], identity.scope[name] ?? after[name]];
    // What no answer shows may be there.
    if (rule === undefined || (value === null && rule.writeOnly)) return [];
    if (value === null || clear.includes(name)) return [[wire, null]];
    return encodeChange(rule, rest, value).map(([, sent]) => [wire, sent]);
  });
}

/** The rule of a field that stands in bodies; what is in the path, or of another branch of a union, does not. */
function sent(type: ResourceType, rest: RestType, name: string, values: JsonObject): FieldRule | undefined {
  return isPlace(rest, name) || !inBranch(rest, name, values) ? undefined : type.fields[name];
}

/** A member of a body by its dotted path. */
type BodyMember = readonly [path: string, value: Json | undefined];

function encodeField(rule: FieldRule, rest: RestType, value: Json): readonly BodyMember[] {
  const field = rest.fields[rule.name];
  if (field?.members !== undefined)
    return Object.entries(field.members).map(([from, to]) => [to, memberAt(value, from)]);
  const named = toWire(rest.naming, rule.schema, value);
  const wire = field?.others === undefined ? named : spread(rest.naming, field.others, named);
  return [[fieldName(rest, rule.name), field?.as === undefined ? wire : idsToWire(field, wire)]];
}

/** A field as updates have it: without what only a create takes. */
function encodeChange(rule: FieldRule, rest: RestType, value: Json): readonly BodyMember[] {
  const fixed = rule.updatesOnly?.fixed;
  return encodeField(rule, rest, fixed === undefined ? value : withoutMembers(value, fixed));
}

/** Of a record whose members change one by one, null for each that the object has and is to have no longer. */
function patched(member: BodyMember, rule: FieldRule, rest: RestType, actual: JsonObject): BodyMember {
  const [path, value] = member;
  const before = actual[rule.name];
  if (rest.fields[rule.name]?.patched !== true || before === undefined) return member;
  const wanted = asObject(value);
  if (wanted === undefined) return member;
  const [[, had] = []] = encodeChange(rule, rest, before);
  const gone = Object.keys(asObject(had) ?? {}).filter((name) => wanted[name] === undefined);
  return [path, { ...wanted, ...Object.fromEntries(gone.map((name) => [name, null])) }];
}

/** What a record has beyond its members stands beside them on the wire; what is a member by name is that. */
function spread(naming: Naming, others: string, value: Json): Json {
  const record = asObject(value);
  if (record === undefined) return value;
  const { [wireName(naming, others)]: more, ...own } = record;
  return { ...asObject(more), ...own };
}

/** Maps are merged key by key by the platform; everything else is put in whole. */
function isMap(rule: FieldRule): boolean {
  // A text with JSON travels as the text that it is.
  return rule.schema['type'] !== 'string' && ['map', 'multisets', 'json'].includes(rule.equality);
}

/** The map in its wire form: JSON text read, single attribute values as lists of one, empty lists as none. */
function mapValue(rule: FieldRule, value: Json): JsonObject {
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
function mergeMap(rest: RestType, rule: FieldRule, wanted: JsonObject, actual: JsonObject): JsonObject {
  const isOurs = (key: string): boolean => !isReserved(rest, rule, key);
  const there = Object.entries(actual).filter(([key, value]) => value !== null && isOurs(key));
  const merged = new Map<string, Json>(there.map(([key]) => [key, null]));
  for (const [key, value] of Object.entries(wanted)) if (value !== null && isOurs(key)) merged.set(key, value);
  return Object.fromEntries(merged);
}

/** Keys that the platform keeps for itself: it refuses them in a body, and nobody can take them off. */
function isReserved({ style }: RestType, { foreignKeys }: FieldRule, key: string): boolean {
  return foreignKeys !== undefined && (style.reservedKeys ?? []).some((prefix) => key.startsWith(prefix));
}

function withoutNulls(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null));
}

/**
 * The body in as many requests as its maps need: first the removals that don't fit, as many at a time as one request may
 * hold, last everything else. All of what is wanted goes in the last one, so that it is right on a platform that takes
 * a map as the whole, too, and on the way no map ever holds more than before or after.
 */
function chunkedMaps(rest: RestType, body: JsonObject): readonly JsonObject[] {
  const before: JsonObject[] = [];
  const last: Record<string, Json> = { ...body };
  for (const [name, { entriesAtOnce: most }] of Object.entries(rest.fields)) {
    const wire = fieldName(rest, name);
    const entries = Object.entries(asObject(body[wire]) ?? {});
    if (most === undefined || entries.length <= most) continue;
    const removals = entries.filter(([, value]) => value === null);
    const kept = entries.filter(([, value]) => value !== null);
    const fitting = Math.max(0, most - kept.length);
    const early = removals.slice(fitting);
    for (let at = 0; at < early.length; at += most)
      before.push({ [wire]: Object.fromEntries(early.slice(at, at + most)) });
    last[wire] = Object.fromEntries([...removals.slice(0, fitting), ...kept]);
  }
  return [...before, last];
}
