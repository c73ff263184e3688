import type { Json, JsonObject } from '../../engine/model/value.js';
import { asList, asObject } from '../http/json.js';
import { brandedNames } from './wire.js';

/** Names that don't follow the rule, catalogue → wire. */
export type WireNames = Readonly<Record<string, string>>;

/** `portalIds` → `portal_ids`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `portal_ids` → `portalIds`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The wire name of a field. */
export function wireName(name: string, names: WireNames = {}): string {
  return names[name] ?? brandedNames[name] ?? snakeCase(name);
}

/**
 * A catalogue value in wire names. The schema says which objects are records, whose names are translated; in maps (labels,
 * metadata) the keys are the user's and stay.
 */
export function toWire(schema: JsonObject, value: Json): Json {
  const properties = asObject(schema.properties);
  const record = asObject(value);
  if (properties !== undefined && record !== undefined) {
    return mapEntries(record, (name, member) => [wireName(name), toWire(asObject(properties[name]) ?? {}, member)]);
  }
  const items = asObject(schema.items);
  return items === undefined ? value : (asList(value)?.map((item) => toWire(items, item)) ?? value);
}

export interface FromWireOptions {
  readonly names?: WireNames;
  /** Puts in what the schema calls required and the answer lacks: `{}` for maps, `[]` for lists, else null. */
  readonly fill?: boolean;
}

/** A wire value in catalogue names. Of records, only what the schema knows; values stay as they are. */
export function fromWire(schema: JsonObject, value: Json, options: FromWireOptions = {}): Json {
  const properties = asObject(schema.properties);
  const record = asObject(value);
  if (properties !== undefined && record !== undefined) return recordFromWire(schema, properties, record, options);
  const items = asObject(schema.items);
  return items === undefined ? value : (asList(value)?.map((item) => fromWire(items, item, options)) ?? value);
}

function recordFromWire(
  schema: JsonObject,
  properties: JsonObject,
  record: JsonObject,
  options: FromWireOptions,
): JsonObject {
  const required = new Set(options.fill === true ? asList(schema.required) : []);
  const found: [string, Json][] = [];
  for (const [name, spec] of Object.entries(properties)) {
    const property = asObject(spec) ?? {};
    const wire = wireName(name, options.names);
    // A few records of the platform are camelCase on the wire, too.
    const given = wire in record ? record[wire] : record[name];
    const value = required.has(name) ? (given ?? emptyOf(property)) : given;
    if (value !== undefined) found.push([name, fromWire(property, value, options)]);
  }
  return Object.fromEntries(found);
}

function emptyOf(schema: JsonObject): Json {
  if (schema.type === 'array') return [];
  return schema.type === 'object' && schema.properties === undefined ? {} : null;
}

function mapEntries(object: JsonObject, change: (name: string, value: Json) => [string, Json]): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => change(name, value)));
}
