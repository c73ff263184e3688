import { settled } from '@platform-sync/report/text/sample-value';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';

/** Which of several legal values: the first, what it is changed to, or that of a second object. */
export type Sample = 'first' | 'other' | 'second';

const signs: Readonly<Record<Sample, string>> = { first: 'a', other: 'b', second: 'c' };

/** A legal value of a JSON schema; texts differ from sample to sample, anything else where it is changed. */
export function sampleOf(given: JsonObject, which: Sample = 'first', name = ''): Json {
  const schema = settled(given);
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as readonly Json[]) : [];
  if (values.length > 0) return values[which === 'other' ? values.length - 1 : 0] ?? null;
  const kind = [schema['type'] ?? []].flat()[0];
  const isOther = which === 'other';
  const least = (word: string, fallback: number): number => Number(schema[word] ?? fallback);
  switch (kind) {
    case 'string':
      return textOf(schema, which, name);
    case 'boolean':
      return isOther;
    case 'integer':
    case 'number':
      return Math.max(least('minimum', 1), 1) + (isOther && least('maximum', 9) > least('minimum', 1) ? 1 : 0);
    case 'array':
      return Array.from({ length: Math.max(1, least('minItems', 1)) }, () =>
        sampleOf(objectIn(schema['items']), which, name),
      );
    case 'object':
      return recordOf(schema, which, name);
    default:
      return isOther ? { b: 2 } : { a: 1 };
  }
}

function recordOf(schema: JsonObject, which: Sample, name: string): JsonObject {
  const members = objectIn(schema['properties']);
  if (Object.keys(members).length === 0) {
    const inner = objectIn(schema['additionalProperties']);
    const value = sampleOf(inner, which, name);
    // Another key where there is no other value.
    const isSame = which === 'other' && JSON.stringify(value) === JSON.stringify(sampleOf(inner, 'first', name));
    return { [isSame ? 'b' : 'a']: value };
  }
  const required = (schema['required'] ?? []) as readonly string[];
  const chosen = required.length > 0 ? required : Object.keys(members).slice(0, 1);
  return Object.fromEntries(chosen.map((member) => [member, sampleOf(objectIn(members[member]), which, member)]));
}

function textOf({ format, minLength, pattern }: JsonObject, which: Sample, name: string): string {
  const sign = signs[which];
  if (/^cert(?:Alt)?\d*$/.test(name)) return `-----BEGIN CERTIFICATE-----\n${name}${sign}\n-----END CERTIFICATE-----`;
  if (format === 'uuid') return `0000000${sign}-0000-4000-8000-000000000000`;
  if (format === 'date-time') return `203${'abc'.indexOf(sign)}-01-01T00:00:00Z`;
  if (format === 'email') return `${sign}@example.com`;
  // The form of some addresses is said beside.
  const isFormed = typeof pattern !== 'string' || new RegExp(pattern, 'u').test(`https://${sign}.example.com`);
  if ((format === 'uri' || format === 'url') && isFormed) return `https://${sign}.example.com`;
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(`${name}-${sign}`)) {
    const tried = [
      sign,
      sign.repeat(8),
      `https://${sign}.example.com`,
      `/${sign}`,
      `${sign}.example.com`,
      '#aabbcc',
      '1',
      `${'abc'.indexOf(sign) + 1}.0`,
      '10.0.0.0/16',
      `${sign}.example.com:443`,
      `data:image/png;base64,${sign.repeat(4)}`,
      `EU${sign.toUpperCase()}`,
      `P${'abc'.indexOf(sign) + 1}M`,
      `0${sign.toUpperCase()}`.padEnd(26, '0'),
    ];
    return tried.find((text) => new RegExp(pattern, 'u').test(text)) ?? sign;
  }
  return `${name}-${sign}`.padEnd(Number(minLength ?? 0), sign);
}

function objectIn(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The fields of a type that have another value to be changed to, and whose change can be seen. */
export function changeable(type: ResourceType, taken: ReadonlySet<string>): readonly FieldRule[] {
  return Object.values(type.fields).filter(
    (rule) =>
      rule.input &&
      !rule.writeOnly &&
      rule.references === undefined &&
      !taken.has(rule.name) &&
      JSON.stringify(sampleOf(rule.schema)) !== JSON.stringify(sampleOf(rule.schema, 'other')),
  );
}

/** The one of them to change: by an update where the type has one. */
export function changing(type: ResourceType, taken: ReadonlySet<string>): FieldRule | undefined {
  const free = changeable(type, taken);
  return (
    // Each plugin has a configuration of its own, and everything else of one base.
    free.find(({ name }) => name === 'config' && type.name.startsWith('GatewayPlugin')) ??
    free.find(({ onChange, type: kind }) => onChange === 'update' && kind === 'string') ??
    free.find(({ onChange }) => onChange === 'update') ??
    free[0]
  );
}
