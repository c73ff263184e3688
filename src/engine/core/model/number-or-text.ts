import { isList, isObject, type Json, type JsonObject } from './value.js';

/** True for the schema of a value that is a number or a text: `"6379"` and 6379 are one value of it. */
export function isNumberOrText({ type }: JsonObject): boolean {
  return isList(type) && type.length === 2 && type.includes('string') && type.some((kind) => isNumberKind(kind));
}

function isNumberKind(kind: Json): boolean {
  return kind === 'integer' || kind === 'number';
}

/** The number that a text spells; any other value as it is. */
export function spelledNumber(value: Json): Json {
  return typeof value === 'string' && Number.isFinite(Number(value)) && String(Number(value)) === value
    ? Number(value)
    : value;
}

/** A value with the numbers that its texts spell, wherever its schema takes either, at any depth. */
export function withNumbers(schema: JsonObject, value: Json): Json {
  return spelt(schema, value, spelledNumber);
}

/** A value with texts for the numbers, wherever its schema takes either, at any depth. */
export function withTexts(schema: JsonObject, value: Json): Json {
  return spelt(schema, value, (each) => (typeof each === 'number' ? String(each) : each));
}

function spelt(schema: JsonObject, value: Json, spell: (each: Json) => Json): Json {
  if (!holdsNumberOrText(schema)) return value;
  if (isNumberOrText(schema)) return spell(value);
  if (isList(value)) return value.map((item) => spelt(inner(schema['items']), item, spell));
  if (!isObject(value)) return value;
  const [members, others] = [inner(schema['properties']), inner(schema['additionalProperties'])];
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      spelt(Object.hasOwn(members, name) ? inner(members[name]) : others, member, spell),
    ]),
  );
}

/** Asked once a schema: every comparison of every object begins with it. */
export function holdsNumberOrText(schema: JsonObject): boolean {
  const known = holding.get(schema);
  if (known !== undefined) return known;
  const parts = [schema['items'], schema['additionalProperties'], ...Object.values(inner(schema['properties']))];
  const holds = isNumberOrText(schema) || parts.some((part) => isObject(part) && holdsNumberOrText(part));
  holding.set(schema, holds);
  return holds;
}

const holding = new WeakMap<JsonObject, boolean>();

function inner(schema: Json | undefined): JsonObject {
  return isObject(schema) ? schema : {};
}
