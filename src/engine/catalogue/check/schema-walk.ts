import type { PathSegment } from '@platform-sync/core/model/expression';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';

/** The schema of a part of a value: `none` when the schema rules such a part out, undefined when it does not say. */
export function schemaAt(schema: JsonObject, path: readonly PathSegment[]): JsonObject | 'none' | undefined {
  let current: JsonObject = schema;
  for (const step of path) {
    const next = stepSchema(current, step);
    if (next === undefined || next === 'none') return next;
    current = next;
  }
  return current;
}

function stepSchema(schema: JsonObject, step: PathSegment): JsonObject | 'none' | undefined {
  const types = schemaTypes(schema);
  if (typeof step === 'number') {
    if (types !== undefined && !types.includes('array')) return 'none';
    return asSchema(schema['items']);
  }
  if (types !== undefined && !types.includes('object')) return 'none';
  const properties = asSchema(schema['properties']);
  if (properties !== undefined && Object.hasOwn(properties, step)) return asSchema(properties[step]);
  return schema['additionalProperties'] === false ? 'none' : asSchema(schema['additionalProperties']);
}

/** The JSON types a schema allows; undefined when it does not say. */
export function schemaTypes(schema: JsonObject): readonly string[] | undefined {
  const type = schema['type'];
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((name): name is string => typeof name === 'string') : undefined;
}

/** Names a record schema knows; none for open maps. */
export function schemaProperties(schema: JsonObject | 'none' | undefined): readonly string[] {
  if (schema === undefined || schema === 'none') return [];
  return Object.keys(asSchema(schema['properties']) ?? {});
}

/** True when no value can satisfy both. */
export function typesExclude(source: JsonObject, target: JsonObject): boolean {
  const from = schemaTypes(source);
  const to = schemaTypes(target);
  if (from === undefined || to === undefined) return false;
  const numbers = (names: readonly string[]): readonly string[] =>
    names.map((name) => (name === 'integer' ? 'number' : name));
  const wanted = numbers(to);
  return !numbers(from).some((name) => wanted.includes(name));
}

function asSchema(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}
