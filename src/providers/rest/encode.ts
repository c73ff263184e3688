import type { UpdateRequest } from '../../engine/model/provider.js';
import type { FieldRule, ResourceType } from '../../engine/model/resource-type.js';
import { withoutMembers } from '../../engine/model/hidden-members.js';
import type { Json, JsonObject } from '../../engine/model/value.js';
import { asObject } from '../http/json.js';
import { chunkedMaps } from './map-chunks.js';
import { isMap, isReserved, mapValue, mergeMap, withoutNulls } from './maps.js';
import { memberAt, nestedRecord } from './member-paths.js';
import { toWire, wireName } from './names.js';
import { fieldName, isPlace, type RestType } from './rest-type.js';
import { inBranch } from './union.js';
import { withUnknown } from './unknown-members.js';
import { wireFields, type WireFields } from './wire-fields.js';
import { idsToWire } from './wire-ids.js';

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
    const [rule, value] = [type.fields[name], identity.scope[name] ?? after[name]];
    if (rule === undefined || value === undefined || value === null || clear.includes(name)) return [];
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
  const wire = spread(rest, rule, toWire(rest.naming, rule.schema, value));
  return [[fieldName(rest, rule.name), field === undefined ? wire : idsToWire(field, wire)]];
}

/** A field as updates have it: without what only a create takes. */
function encodeChange(rule: FieldRule, rest: RestType, value: Json): readonly BodyMember[] {
  const fixed = rule.updatesOnly?.fixed;
  return encodeField(rule, rest, fixed === undefined ? value : withoutMembers(value, fixed));
}

/** Of a record whose members change one by one, null for each that the object has and is to have no longer. */
function patched(member: BodyMember, rule: FieldRule, rest: RestType, actual: JsonObject): BodyMember {
  const [path, value] = member;
  const wanted = asObject(value);
  const before = actual[rule.name];
  if (rest.fields[rule.name]?.patched !== true || wanted === undefined || before === undefined) return member;
  const [[, had] = []] = encodeChange(rule, rest, before);
  const gone = Object.keys(asObject(had) ?? {}).filter((name) => wanted[name] === undefined);
  return [path, { ...wanted, ...Object.fromEntries(gone.map((name) => [name, null])) }];
}

/** What a record has beyond its members stands beside them on the wire; what is a member by name is that. */
function spread(rest: RestType, { name }: FieldRule, value: Json): Json {
  const others = rest.fields[name]?.others;
  const record = asObject(value);
  if (others === undefined || record === undefined) return value;
  const { [wireName(rest.naming, others)]: more, ...own } = record;
  return { ...asObject(more), ...own };
}
