import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';

export function code(text: string): string {
  return `\`${text}\``;
}

export function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`;
}

/** A JSON Schema's type in a few words: `list of text (UUID)`. */
export function typeWords(schema: JsonObject): string {
  if (Object.keys(schema).length === 0) return 'any value';
  return ([schema['type'] ?? 'any value'].flat() as readonly string[])
    .filter((type) => type !== 'null')
    .map((type) => oneType(type, schema))
    .join(', or ');
}

function oneType(type: string, schema: JsonObject): string {
  if (Array.isArray(schema['enum']))
    return (schema['enum'] as readonly Json[]).map((value) => code(String(value))).join(' or ');
  if (type === 'array') return `list of ${typeWords(member(schema['items']))}`;
  if (type !== 'object') return `${typeNames[type] ?? type}${schema['format'] === 'uuid' ? ' (UUID)' : ''}`;
  const members = schema['properties'];
  if (!isObject(members)) return `map of ${grouped(typeWords(member(schema['additionalProperties'])))}`;
  const inner = Object.entries(members as JsonObject).map(
    ([name, part]) => `${code(name)}: ${typeWords(member(part))}`,
  );
  return `object {${inner.join(', ')}}`;
}

function grouped(words: string): string {
  return words.includes(', or ') ? `(${words})` : words;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
};

/** The limits of a JSON Schema as sentences. */
export function limitWords(schema: JsonObject): readonly string[] {
  const names = schema['propertyNames'];
  if (isObject(names) && 'not' in names) return ['those of [labels](README.md#labels)'];
  const items = schema['items'];
  const values = schema['additionalProperties'];
  return [
    ...size(schema, 'minLength', 'maxLength', 'characters'),
    ...size(schema, 'minItems', 'maxItems', 'items'),
    ...size(schema, 'minProperties', 'maxProperties', 'entries'),
    ...(schema['uniqueItems'] === true ? ['no item twice'] : []),
    ...(typeof schema['pattern'] === 'string' ? [`matches ${code(schema['pattern'])}`] : []),
    ...(isObject(names) ? keyLimits(names) : []),
    ...(isObject(items) ? limitWords(items).map((limit) => `each item: ${limit}`) : []),
    ...(isObject(values) ? limitWords(values).map((limit) => `values: ${limit}`) : []),
  ];
}

function keyLimits(names: JsonObject): readonly string[] {
  return limitWords(names).map((limit) => `keys: ${limit}`);
}

function size(schema: JsonObject, least: string, most: string, what: string): readonly string[] {
  const { [least]: from, [most]: to } = schema;
  if (from === undefined && to === undefined) return [];
  if (to === undefined) return [`at least ${String(from)} ${what}`];
  return [from === undefined ? `at most ${String(to)} ${what}` : `${String(from)} to ${String(to)} ${what}`];
}

function member(schema: Json | undefined): JsonObject {
  return isObject(schema) ? schema : {};
}

/** A field as an item of a list: its name, its type, and what there is to say of it. */
export function fieldItem(name: string, type: string, ...about: readonly string[]): string {
  return `- ${code(name)}: ${type}. ${about.filter((sentence) => sentence !== '').join(' ')}`.trimEnd() + '\n';
}

/** What every object has: said in one line for all of them. */
export const commonFields: Readonly<Record<string, string>> = {
  id: 'Identifier of the object.',
  createdAt: 'When it was created, ISO 8601.',
  updatedAt: 'When it was last changed, ISO 8601.',
};
