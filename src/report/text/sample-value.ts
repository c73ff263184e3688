import { linearPattern, UnfitPattern } from '@platform-sync/core/model/linear-pattern';
import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { merged } from '../openapi/flat-schema.js';
import { isRecord } from '../words/value.js';

/** How deep what is required inside records is spelt out. */
const deepest = 6;

/** A value that obeys the schema: the first choice, the least that is required. */
export function sampleValue(given: JsonObject, name: string, depth = 0): Json {
  const schema = settled(given, depth);
  if (schema['default'] !== undefined) return schema['default'];
  if (schema['const'] !== undefined) return schema['const'];
  const { enum: choices } = schema;
  if (isList(choices)) return choices[0] ?? null;
  const [first] = [schema['anyOf'] ?? schema['oneOf'] ?? []].flat();
  const type = isList(schema['type']) ? schema['type'][0] : schema['type'];
  if (type === undefined && isRecord(first)) return sampleValue(first, name, depth);
  switch (type) {
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? Math.min(1, Number(schema['maximum'] ?? 1)));
    case 'array':
      return Array.from({ length: Number(schema['minItems'] ?? 1) }, () =>
        sampleValue(isRecord(schema['items']) ? schema['items'] : {}, name, depth + 1),
      );
    case 'object':
      return recordOf(schema, depth);
    default:
      return textOf(schema, name);
  }
}

/** A schema with what it says of all its values, and of those of the kind that its first sample is. */
export function settled({ allOf, ...own }: JsonObject, depth = 0): JsonObject {
  if (!isList(allOf)) return own;
  const parts = allOf.filter(isRecord);
  const whole = parts.filter((part) => part['if'] === undefined).reduce(merged, own);
  const sample = recordOf(whole, depth);
  const kinds = parts.flatMap(({ if: condition, then }) =>
    isRecord(condition) && isRecord(then) && holds(condition, sample) ? [then] : [],
  );
  return settled(kinds.reduce(merged, whole), depth);
}

/** The condition that something is of one kind. */
function holds(condition: JsonObject, sample: JsonObject): boolean {
  const members = Object.entries(isRecord(condition['properties']) ? condition['properties'] : {});
  return members.every(([name, kind]) => isRecord(kind) && kind['const'] === sample[name]);
}

function recordOf(schema: JsonObject, depth: number): JsonObject {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = isList(schema['required']) ? schema['required'].map(String) : [];
  const inner = depth > deepest ? [] : required;
  const members = inner.map((name) => {
    const member = properties[name];
    return [name, sampleValue(isRecord(member) ? member : {}, name, depth + 1)] as const;
  });
  const least = Number(schema['minProperties'] ?? 0);
  const values = isRecord(schema['additionalProperties']) ? schema['additionalProperties'] : {};
  const extra = Array.from(
    { length: Math.max(0, least - members.length) },
    (_, at) => [`key${at + 1}`, sampleValue(values, 'value', depth + 1)] as const,
  );
  return Object.fromEntries([...members, ...extra]);
}

/** A text that says whose value it is, of a length that is allowed. */
function textOf(schema: JsonObject, name: string): string {
  const most = Number(schema['maxLength'] ?? 1_000);
  const least = Number(schema['minLength'] ?? 0);
  const pattern = typeof schema['pattern'] === 'string' ? patternOf(schema['pattern']) : undefined;
  const candidates = [
    ...(schema['format'] === 'uuid' || name === 'id' ? ['00000000-0000-4000-8000-000000000000'] : []),
    ...[
      name,
      name.toLowerCase(),
      'example',
      'https://example.com',
      '/example',
      'example.com',
      '1',
      'A',
      '2026-01-01T00:00:00Z',
    ],
    ...[
      '00000000-0000-4000-8000-000000000000',
      'data:image/png;base64,AAAA',
      '1.0',
      '0',
      '1h',
      'P1M',
      'EUR',
      '0'.repeat(26),
      'txcd_00000000',
      '#000000',
      'a@example.com',
      '10.0.0.0/8',
      'example.yaml',
      'example.com:443',
      'arn:aws:kms:eu-west-1:000000000000:key/example',
    ],
  ].map((text) => text.slice(0, most).padEnd(least, 'x'));
  return candidates.find((text) => pattern === undefined || pattern.test(text)) ?? candidates[0] ?? '';
}

/** What looks ahead is our own: a pattern of anybody else that does is refused before its type is known. */
function patternOf(source: string): { readonly test: (text: string) => boolean } {
  try {
    return linearPattern(source);
  } catch (error) {
    if (error instanceof UnfitPattern) return new RegExp(source, 'u');
    throw error;
  }
}
