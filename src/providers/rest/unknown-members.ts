import { sameOrNothing } from '@platform-sync/core/model/canonical';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { ownMember, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { asList, asObject } from './http/json.js';
import type { FieldType } from './definition.js';
import { memberOf } from './field-schema.js';
import { isOpenRecord, wireName } from './names.js';
import { fieldName, idWire, type RestType } from './rest-type.js';
import { wireFields } from './wire-fields.js';
import type { Naming } from './style.js';

/** What the type knows of a record on the wire. */
interface Known {
  /** Members by name; one without a shape is known with whatever it holds. */
  readonly members: Map<string, Known | undefined>;
  /** The field that it all belongs to. */
  readonly field?: string;
  /** Of a list: what stands in it. */
  readonly items?: Known;
}

/** True where an answer has members that the type does not know, in records at any depth: a later version of the service has them. */
export function hasUnknown(type: Pick<ResourceType, 'fields'>, rest: RestType, answer: JsonObject): boolean {
  return holdsUnknown(knownOf(type, rest), answer);
}

interface Before {
  readonly answer: JsonObject;
  /** Of a field whose record is of another kind nothing is kept. */
  readonly isOfKind: (field: string) => boolean;
}

/** A body that takes the place of an object, with what the object has and the type does not know. */
export function withUnknown(
  type: Pick<ResourceType, 'fields'>,
  rest: RestType,
  body: JsonObject,
  { answer, isOfKind }: Before,
): JsonObject {
  return keptIn(knownOf(type, rest), answer, body, isOfKind);
}

function holdsUnknown(known: Known, value: Json): boolean {
  const list = asList(value);
  if (list !== undefined)
    return known.items !== undefined && list.some((item) => holdsUnknown(known.items ?? known, item));
  return Object.entries(asObject(value) ?? {}).some(([name, member]) => {
    if (!known.members.has(name)) return known.items === undefined;
    const inner = known.members.get(name);
    return inner !== undefined && holdsUnknown(inner, member);
  });
}

function keptIn(known: Known, before: JsonObject, body: JsonObject, isOfKind: Before['isOfKind']): JsonObject {
  const members = Object.entries(before).flatMap(([name, value]): [string, Json][] => {
    const own = body[name];
    if (!known.members.has(name)) return own === undefined ? [[name, value]] : [];
    const inner = known.members.get(name);
    if (inner === undefined || own === undefined || (inner.field !== undefined && !isOfKind(inner.field))) return [];
    return [[name, keptInside(inner, value, own, isOfKind)]];
  });
  return { ...body, ...Object.fromEntries(members) };
}

function keptInside(known: Known, before: Json, own: Json, isOfKind: Before['isOfKind']): Json {
  const [items, were] = [asList(own), asList(before)];
  if (items !== undefined) {
    const { items: inner } = known;
    if (inner === undefined || were === undefined) return own;
    // An item is the one that it equals as far as that is known; of a list as long as before, else the one in its place.
    return items.map((item, at) => {
      const same = were.find((each) => sameOrNothing(withoutUnknown(inner, each), item));
      const was = same ?? (were.length === items.length ? were[at] : undefined);
      return was === undefined ? item : keptInside(inner, was, item, isOfKind);
    });
  }
  const [record, was] = [asObject(own), asObject(before)];
  return record === undefined || was === undefined || known.items !== undefined
    ? own
    : keptIn(known, was, record, isOfKind);
}

function withoutUnknown(known: Known, value: Json): Json {
  const record = asObject(value);
  if (record === undefined) return value;
  return Object.fromEntries(Object.entries(record).filter(([name]) => known.members.has(name)));
}

/** Worked out once a type. */
function knownOf(type: Pick<ResourceType, 'fields'>, rest: RestType): Known {
  const before = made.get(rest);
  if (before !== undefined) return before;
  const { definition, fields } = rest;
  const root: Known = { members: new Map() };
  for (const { name, rule, field, wire, shown } of wireFields(type, rest).byName.values()) {
    const isWhole = field?.as !== undefined || field?.others !== undefined || rule.computed;
    for (const path of Object.values(field?.members ?? {})) put(root, path);
    if (field?.members !== undefined) continue;
    put(root, wire, isWhole ? undefined : shapeOf(rest.naming, rule.schema, field?.type, name));
    if (shown !== wire) put(root, shown);
  }
  const { shownOnce = [], tells } = definition;
  // An object known by something else may have an id of the platform's beside it.
  for (const name of ['id', rest.idField, ...rest.scope, ...shownOnce]) put(root, fieldName(rest, name));
  put(root, idWire(rest));
  for (const { sent } of Object.values(fields)) if (sent !== undefined) put(root, sent);
  if (tells !== undefined) put(root, tells.member);
  made.set(rest, root);
  return root;
}

const made = new WeakMap<RestType, Known>();

function put(root: Known, path: string, shape?: Known): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let at = root;
  for (const name of names) {
    if (at.members.has(name) && at.members.get(name) === undefined) return;
    const next: Known = at.members.get(name) ?? { members: new Map() };
    at.members.set(name, next);
    at = next;
  }
  if (!at.members.has(last)) at.members.set(last, shape);
}

/** Undefined where a schema names no members: then all that is there is known. */
function shapeOf(naming: Naming, schema: JsonObject, type?: FieldType, field?: string): Known | undefined {
  if (isOpenRecord(schema)) return undefined;
  const properties = asObject(schema.properties);
  const record = typeof type === 'object' && 'record' in type ? type : undefined;
  if (properties !== undefined) {
    const shown = (record?.shown ?? []).map((wire): [string, undefined] => [wire, undefined]);
    const members = Object.entries(properties).flatMap(([name, member]) => {
      const said = ownMember(record?.members ?? {}, name);
      const inner = shapeOf(naming, asObject(member) ?? {}, said === undefined ? undefined : memberOf(said).type);
      // A few records are spelt on the wire as they are here.
      return [...new Set([wireName(naming, name), name])].map((wire): [string, Known | undefined] => [wire, inner]);
    });
    return { members: new Map([...shown, ...members]), ...(field === undefined ? {} : { field }) };
  }
  const items = asObject(schema.items);
  const list = typeof type === 'object' && 'list' in type ? type.list : undefined;
  const item = items === undefined ? undefined : shapeOf(naming, items, list);
  return item === undefined
    ? undefined
    : { members: new Map(), items: item, ...(field === undefined ? {} : { field }) };
}
