import type { FieldRule, ResourceType } from '../../src/engine/model/resource-type.js';
import { isObject } from '../../src/engine/model/value.js';
import type { Json, JsonObject } from '../../src/engine/model/value.js';

/** A legal value of a JSON schema; `other`: a second one, where there are two. */
export function sampleOf(schema: JsonObject, other = false, name = ''): Json {
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as readonly Json[]) : [];
  if (values.length > 0) return values[other ? values.length - 1 : 0] ?? null;
  const kind = [schema['type'] ?? []].flat()[0];
  const least = (word: string, fallback: number): number => Number(schema[word] ?? fallback);
  switch (kind) {
    case 'string':
      return textOf(schema, other, name);
    case 'boolean':
      return other;
    case 'integer':
    case 'number':
      return Math.max(least('minimum', 1), 1) + (other && least('maximum', 9) > least('minimum', 1) ? 1 : 0);
    case 'array':
      return Array.from({ length: Math.max(1, least('minItems', 1)) }, () =>
        sampleOf(objectIn(schema['items']), other, name),
      );
    case 'object':
      return recordOf(schema, other, name);
    default:
      return other ? { b: 2 } : { a: 1 };
  }
}

function recordOf(schema: JsonObject, other: boolean, name: string): JsonObject {
  const members = objectIn(schema['properties']);
  if (Object.keys(members).length === 0)
    return { [other ? 'b' : 'a']: sampleOf(objectIn(schema['additionalProperties']), other, name) };
  const required = (schema['required'] ?? []) as readonly string[];
  const chosen = required.length > 0 ? required : Object.keys(members).slice(0, 1);
  return Object.fromEntries(chosen.map((member) => [member, sampleOf(objectIn(members[member]), other, member)]));
}

function textOf({ format, minLength, pattern }: JsonObject, other: boolean, name: string): string {
  const sign = other ? 'b' : 'a';
  if (format === 'uuid') return `0000000${other ? 2 : 1}-0000-4000-8000-000000000000`;
  if (format === 'date-time') return other ? '2031-01-01T00:00:00Z' : '2030-01-01T00:00:00Z';
  if (format === 'email') return `${sign}@example.com`;
  if (format === 'uri' || format === 'url') return `https://${sign}.example.com`;
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(`${name}-${sign}`)) {
    const tried = [
      sign,
      sign.repeat(8),
      `https://${sign}.example.com`,
      `/${sign}`,
      `${sign}.example.com`,
      '#aabbcc',
      '1',
      '10.0.0.0/16',
    ];
    return tried.find((text) => new RegExp(pattern, 'u').test(text)) ?? sign;
  }
  return `${name}-${sign}`.padEnd(Number(minLength ?? 0), sign);
}

function objectIn(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** A field that can change: by an update where the type has one. */
export function changing(type: ResourceType, taken: ReadonlySet<string>): FieldRule | undefined {
  const free = Object.values(type.fields).filter(
    (rule) =>
      rule.input &&
      !rule.writeOnly &&
      rule.references === undefined &&
      !taken.has(rule.name) &&
      JSON.stringify(sampleOf(rule.schema)) !== JSON.stringify(sampleOf(rule.schema, true)),
  );
  return (
    free.find(({ onChange, type: kind }) => onChange === 'update' && kind === 'string') ??
    free.find(({ onChange }) => onChange === 'update') ??
    free[0]
  );
}
