import type { RemoteObject } from '@platform-sync/core/model/provider';
import { shownMembers } from '@platform-sync/core/model/hidden-members';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { type Json, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import { asObject, asText } from './http/json.js';
import type { InvalidParameter } from './http/problem.js';
import { memberAt, nestedRecord, valueAt } from './member-paths.js';
import { fromWire, wireName } from './names.js';
import { fieldName, idWire, type RestType } from './rest-type.js';
import { idsFromWire, integerText, type WireField, wireFields } from './wire-fields.js';

export interface DecodeOptions {
  /** Ids above the object that its answer does not repeat. */
  readonly scope: Readonly<Record<string, string>>;
  /** An item of a list: fields that lists don't carry are left out even where they happen to be there. */
  readonly listed?: boolean;
}

/** An answered object in catalogue names; undefined when it has no id. */
export function decodeObject(
  type: ResourceType,
  rest: RestType,
  item: JsonObject,
  options: DecodeOptions,
): RemoteObject | undefined {
  const scope = scopeOf(rest, item, options.scope);
  const id = rest.onlyId ?? idIn(rest, item) ?? scope?.[rest.idField];
  if (id === undefined || scope === undefined) return undefined;
  const values = new Map<string, Json>();
  const { listed, read } = wireFields(type, rest);
  for (const field of options.listed === true ? listed : read) {
    const { name } = field;
    const value = name === rest.idField ? id : (scope[name] ?? decodeField(field, rest, item));
    if (value !== undefined) values.set(name, value);
  }
  return { identity: { id, scope }, values: Object.fromEntries(values) };
}

function idIn(rest: RestType, item: JsonObject): string | undefined {
  const shown = valueAt(item, idWire(rest));
  return asText(shown) ?? (rest.definition.idType === 'integer' ? integerText(shown) : undefined);
}

/**
 * Fields that a full answer should carry and this one does not: those the platform always returns, and those that
 * hold something (`expected`). Empty ones it is known to drop may be missing.
 */
export function missingFields(
  type: ResourceType,
  rest: RestType,
  item: JsonObject,
  expected: JsonObject,
): readonly string[] {
  const isExpected = ({ name, rule, field, isPlace }: WireField): boolean =>
    !isPlace &&
    inBranch(rest, name, expected) &&
    (!isEmpty(expected[name]) || (rule.alwaysReturned && field?.absent === undefined));
  const { read } = wireFields(type, rest);
  return read.filter((wire) => isExpected(wire) && !isShown(wire, rest, item)).map(({ name }) => name);
}

function isShown(wire: WireField, rest: RestType, item: JsonObject): boolean {
  return wire.field?.members === undefined
    ? valueAt(item, wire.shown) !== undefined
    : decodeField(wire, rest, item) !== undefined;
}

/**
 * What a read shows of an object whose write was answered with a part of it. Where the read is of another revision, what the answer
 * shows stands: somebody has changed the object since, or the read is older than the write.
 */
export function filledIn(
  type: ResourceType,
  rest: RestType,
  { item, answered }: { readonly item: JsonObject; readonly answered: RemoteObject | undefined },
  read: RemoteObject,
): RemoteObject {
  const { revision = '' } = type;
  const known = answered?.values[revision];
  if (known === undefined || known === read.values[revision]) return read;
  const shown = wireFields(type, rest).read.flatMap((wire): readonly (readonly [string, Json])[] => {
    const value = answered?.values[wire.name];
    return value === undefined || !isShown(wire, rest, item) ? [] : [[wire.name, value]];
  });
  return { ...read, values: { ...read.values, ...Object.fromEntries(shown) } };
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The catalogue path of a refused body field: `service.control_plane_id` → `serviceReference.service.controlPlaneId`. */
export function cataloguePath(type: ResourceType, rest: RestType, parameter: InvalidParameter): string | undefined {
  const { field: refused, source = 'body' } = parameter;
  if (refused === undefined || source !== 'body') return undefined;
  const field = inEnvelope(rest, refused);
  for (const [name, { members }] of Object.entries(rest.fields)) {
    const laid = Object.entries(members ?? {});
    const exact = laid.find(([, to]) => to === field);
    if (exact !== undefined) return `${name}.${exact[0]}`;
    if (laid.some(([, to]) => to.startsWith(`${field}.`))) return name;
  }
  const inRecord = Object.keys(rest.fields).find((name) => `${fieldName(rest, name)}.`.startsWith(`${field}.`));
  if (inRecord !== undefined) return inRecord;
  const [head = '', tail = ''] = /^([^.[]+)(.*)$/s.exec(field)?.slice(1) ?? [];
  const rule = Object.values(type.fields).find((candidate) => fieldName(rest, candidate.name) === head);
  return rule === undefined ? undefined : rule.name + tail;
}

function decodeField({ rule, field, shown, isPlain }: WireField, rest: RestType, item: JsonObject): Json | undefined {
  if (field?.members !== undefined) {
    const record = nestedRecord(Object.entries(field.members).map(([to, from]) => [to, memberAt(item, from)]));
    return Object.keys(record).length === 0 ? undefined : record;
  }
  const given = valueAt(item, shown);
  const value = given === undefined ? field?.absent : given;
  if (value === undefined || isPlain) return value;
  const read = fromWire(rest.naming, rule.schema, field === undefined ? value : idsFromWire(field, value));
  const whole = field?.others === undefined ? read : gathered(rest, rule, field.others, value, read);
  // Whatever an answer repeats of it, once or always: it is nobody's to see.
  return shownMembers(rule, whole);
}

/** What stands beside the members that the type knows. */
function gathered(rest: RestType, { schema }: FieldRule, others: string, value: Json, read: Json): Json {
  const given = asObject(value);
  const record = asObject(read);
  if (given === undefined || record === undefined) return read;
  const known = new Set(Object.keys(asObject(schema.properties) ?? {}).map((name) => wireName(rest.naming, name)));
  const more = Object.entries(given).filter(([name]) => !known.has(name));
  return more.length === 0 ? read : { ...record, [others]: Object.fromEntries(more) };
}

/** Items of a list over all parents name theirs. */
function scopeOf(
  rest: RestType,
  item: JsonObject,
  known: Readonly<Record<string, string>>,
): Record<string, string> | undefined {
  const scope = new Map<string, string>();
  for (const field of rest.scope) {
    const said = item[fieldName(rest, field)];
    const id = asText(idsFromWire(rest.fields[field] ?? {}, said ?? null)) ?? ownMember(known, field);
    if (id === undefined) return undefined;
    scope.set(field, id);
  }
  return Object.fromEntries(scope);
}

/** The object of an answer, out of its envelope, and out of its wrapper where this answer has one. */
export function objectIn({ style, definition }: RestType, body: Json | undefined): JsonObject | undefined {
  const answer = asObject(body);
  const object = style.envelope === undefined ? answer : asObject(answer?.[style.envelope]);
  if (definition.wrapper === undefined || object === undefined) return object;
  return Object.hasOwn(object, definition.wrapper) ? asObject(object[definition.wrapper]) : object;
}

/** A body as it is sent. */
export function enveloped(rest: RestType, call: 'create' | 'update', body: JsonObject): JsonObject {
  const envelope = envelopeOf(rest, call);
  return envelope === undefined ? body : { [envelope]: body };
}

function envelopeOf({ definition: { envelope } }: RestType, call: 'create' | 'update'): string | undefined {
  return typeof envelope === 'object' ? envelope[call] : envelope;
}

/** The path of a refused field without the envelope's part of it. */
function inEnvelope(rest: RestType, field: string): string {
  const [made, changed] = [envelopeOf(rest, 'create'), envelopeOf(rest, 'update')];
  const envelope = [made, changed].find((each) => each !== undefined && field.startsWith(`${each}.`));
  return envelope === undefined ? field : field.slice(envelope.length + 1);
}

/** False for a field that belongs to another branch of a union than the object is of. */
export function inBranch({ definition: { union } }: RestType, field: string, values: JsonObject): boolean {
  if (union === undefined) return true;
  const owners = Object.entries(union.branches).filter(([, fields]) => fields.includes(field));
  return owners.length === 0 || owners.some(([branch]) => branch === values[union.by]);
}
