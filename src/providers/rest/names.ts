import { isNumberOrText, spelledNumber } from '@platform-sync/core/value/format-form';
import { ownMember, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { asList, asObject } from './http/json.js';
import type { Naming } from './style.js';

/** `portalIds` → `portal_ids`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `portal_ids` → `portalIds`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The wire name of a field. */
export function wireName(naming: Naming, name: string): string {
  return ownMember(naming.names, name) ?? (naming.rule === 'snake_case' ? snakeCase(name) : name);
}

/**
 * A catalogue value in wire names. The schema says which objects are records, whose names are translated; in maps (labels,
 * metadata) the keys are the user's and stay.
 */
export function toWire(naming: Naming, schema: JsonObject, value: Json): Json {
  // In a text nothing has a name.
  if (typeof value === 'string') return isNumberOrText(schema) ? spelledNumber(value) : value;
  const properties = asObject(schema.properties);
  const record = asObject(value);
  if (properties !== undefined && record !== undefined) {
    const isOpen = isOpenRecord(schema);
    return mapEntries(record, (name, member) => [
      isOpen && !Object.hasOwn(properties, name) ? name : wireName(naming, name),
      toWire(naming, asObject(properties[name]) ?? {}, member),
    ]);
  }
  return inside(schema, value, (inner, each) => toWire(naming, inner, each));
}

/**
 * A wire value in catalogue names. Of records, only what the schema knows; values stay as they are. `fill` puts in what
 * the schema calls required and the answer lacks: `{}` for maps, `[]` for lists, else null.
 */
export function fromWire(naming: Naming, schema: JsonObject, value: Json, fill = false): Json {
  const properties = asObject(schema.properties);
  const record = asObject(value);
  if (properties !== undefined && record !== undefined)
    return recordFromWire(naming, { schema, properties, record, fill });
  return inside(schema, value, (inner, each) => fromWire(naming, inner, each, fill));
}

/** True where a value of the schema may be another on the wire than it is here. */
export function isTranslated(schema: JsonObject): boolean {
  const { properties, items, additionalProperties } = schema;
  if (asObject(properties) !== undefined || isNumberOrText(schema)) return true;
  return [items, additionalProperties].map(asObject).some((part) => part !== undefined && isTranslated(part));
}

/** Items of a list and entries of a map one by one; a number that is spelt as a text is the number. */
function inside(schema: JsonObject, value: Json, change: (inner: JsonObject, each: Json) => Json): Json {
  const [items, entries] = [asObject(schema.items), asObject(schema.additionalProperties)];
  const map = asObject(value);
  if (map !== undefined && entries !== undefined)
    return mapEntries(map, (name, member) => [name, change(entries, member)]);
  if (items !== undefined) return asList(value)?.map((item) => change(items, item)) ?? value;
  return isNumberOrText(schema) ? spelledNumber(value) : value;
}

interface WireRecord {
  readonly schema: JsonObject;
  readonly properties: JsonObject;
  readonly record: JsonObject;
  readonly fill: boolean;
}

function recordFromWire(naming: Naming, { schema, properties, record, fill }: WireRecord): JsonObject {
  const required = new Set(fill ? asList(schema.required) : []);
  const found: [string, Json][] = [];
  for (const [name, spec] of Object.entries(properties)) {
    const property = asObject(spec) ?? {};
    const wire = wireName(naming, name);
    // A few records are camelCase on the wire, too.
    const given = Object.hasOwn(record, wire) ? record[wire] : ownMember(record, name);
    const value = required.has(name) ? (given ?? emptyOf(property)) : given;
    if (value !== undefined) found.push([name, fromWire(naming, property, value, fill)]);
  }
  return { ...(isOpenRecord(schema) ? othersIn(naming, properties, record) : {}), ...Object.fromEntries(found) };
}

/** Members beside those that the schema knows keep the names of the wire. */
export function isOpenRecord(schema: JsonObject): boolean {
  return asObject(schema.properties) !== undefined && asObject(schema.additionalProperties) !== undefined;
}

function othersIn(naming: Naming, properties: JsonObject, record: JsonObject): JsonObject {
  const known = new Set(Object.keys(properties).flatMap((name) => [name, wireName(naming, name)]));
  return Object.fromEntries(Object.entries(record).filter(([name]) => !known.has(name)));
}

function emptyOf(schema: JsonObject): Json {
  if (schema.type === 'array') return [];
  return schema.type === 'object' && schema.properties === undefined ? {} : null;
}

function mapEntries(object: JsonObject, change: (name: string, value: Json) => [string, Json]): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => change(name, value)));
}
