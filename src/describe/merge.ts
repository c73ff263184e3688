import { canonicalJson } from '@platform-sync/core/model/canonical';
import { isList, isObject, type Json, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import type { NumberOrText } from '@platform-sync/rest/definition';
import type { Description } from './description.js';

/** Schemas within each other that are put together. */
const mostParts = 8;

/** Values of which one is meant; undefined where another may be. */
export function valuesOf({ enum: values, const: only }: JsonObject): readonly Json[] | undefined {
  return isList(values) ? values : only === undefined ? undefined : [only];
}

export function kindOf(schema: JsonObject): string | undefined {
  const { type, properties, items, const: only } = schema;
  if (type === undefined && (typeof only === 'string' || typeof only === 'boolean')) return typeof only;
  const kinds = (isList(type) ? type : [type]).filter((kind) => typeof kind === 'string' && kind !== 'null');
  if (kinds.length === 1) return kinds[0] === 'string' && isBounded(schema) ? spelledKind(schema) : String(kinds[0]);
  if (kinds.length > 1) return numberOrText(kinds);
  return properties === undefined ? (items === undefined ? undefined : 'array') : 'object';
}

/** Bounds of a number, on a text: it spells one. */
function isBounded({ minimum, maximum }: JsonObject): boolean {
  return typeof minimum === 'number' || typeof maximum === 'number';
}

function spelledKind({ minimum = 0, maximum = 0 }: JsonObject): NumberOrText {
  return Number.isInteger(minimum) && Number.isInteger(maximum) ? 'integer-or-text' : 'number-or-text';
}

/** The one kind of what is a number or a text; undefined for any other mixture. */
function numberOrText(kinds: readonly unknown[]): NumberOrText | undefined {
  const known = new Set(kinds.flatMap((kind) => ownMember(partsOf, String(kind)) ?? ['other']));
  if (known.has('other') || !known.has('string') || known.size === 1) return undefined;
  return known.has('number') ? 'number-or-text' : 'integer-or-text';
}

const partsOf: Readonly<Record<string, readonly string[]>> = {
  ...{ string: ['string'], number: ['number'], integer: ['integer'] },
  ...{ 'number-or-text': ['number', 'string'], 'integer-or-text': ['integer', 'string'] },
};

/** A schema with all it is put together of, and of what it may be everything that one of its branches has. */
export function merged(description: Description, schema: Json | undefined, depth = 0): JsonObject {
  const at = description.at(schema);
  if (depth > mostParts) return at;
  const branches = branchesOf(at);
  const real = branches.filter((branch) => description.at(branch)['type'] !== 'null');
  const either = real.map((branch) => merged(description, branch, depth + 1));
  const parts = [
    ...(isList(at['allOf']) ? at['allOf'] : []).map((part) => merged(description, part, depth + 1)),
    ...(either.length > 1 ? [unionOf(description, either)] : either),
  ];
  return parts.reduce<JsonObject>(
    (whole, more) => ({
      ...more,
      ...whole,
      ...bothProperties(whole, more),
      ...(real.length < branches.length ? { nullable: true } : {}),
      ...(Array.isArray(more['required']) || Array.isArray(whole['required'])
        ? { required: [...asList(whole['required']), ...asList(more['required'])] }
        : {}),
    }),
    at,
  );
}

/** What a schema may be one of. */
export function branchesOf(at: JsonObject): readonly Json[] {
  return [at['oneOf'], at['anyOf']].flatMap((list) => (isList(list) ? list : []));
}

/** Each part says something of a member: both count. */
function bothProperties(a: JsonObject, b: JsonObject): JsonObject {
  const [own, more] = [a['properties'], b['properties']];
  if (!isObject(own) || !isObject(more)) return {};
  const joined = Object.entries(own).map(([name, schema]): [string, Json] => {
    const other = more[name];
    const isPlain = isObject(schema) && isObject(other) && !('$ref' in schema) && !('$ref' in other);
    return [name, isPlain ? { ...other, ...schema } : schema];
  });
  return { properties: { ...more, ...Object.fromEntries(joined) } };
}

function asList(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

/** Everything that one of several schemas has; required is what all of them require. */
function unionOf(description: Description, branches: readonly JsonObject[]): JsonObject {
  const kinds = new Set(branches.map(kindOf));
  const either = kinds.size > 1 ? numberOrText([...kinds]) : undefined;
  // Limits of texts say nothing about numbers, and those of numbers nothing about texts.
  if (either !== undefined)
    return {
      ...loosest(branches.filter((branch) => kindOf(branch) === 'string')),
      ...loosest(branches.filter((branch) => kindOf(branch) !== 'string')),
      type: [...(ownMember(partsOf, either) ?? [])],
    };
  if (kinds.size > 1) return {};
  const [kind] = kinds;
  const values = branches.map(valuesOf);
  if (kind !== 'object')
    return {
      ...loosest(branches),
      ...(kind === undefined ? {} : { type: kind }),
      ...(values.every((each) => each !== undefined) ? { enum: [...new Set(values.flat())] } : {}),
    };
  const properties = new Map<string, Json[]>();
  for (const branch of branches)
    for (const [name, schema] of Object.entries(description.at(branch['properties'])))
      properties.set(name, [...(properties.get(name) ?? []), schema]);
  // A branch of free members may have any.
  const isFree = branches.some((branch) => Object.keys(description.at(branch['properties'])).length === 0);
  if (isFree) return { type: 'object' };
  const required = branches.map((branch) => (isList(branch['required']) ? branch['required'].map(String) : []));
  return {
    type: 'object',
    properties: Object.fromEntries([...properties].map(([name, schemas]) => [name, oneOf(schemas)])),
    required: (required[0] ?? []).filter((name) => required.every((each) => each.includes(name))),
  };
}

/** Limits that hold whichever of several schemas a value is of: what all of them say, the loosest of each. */
function loosest(branches: readonly JsonObject[]): JsonObject {
  const [first = {}, ...others] = branches;
  return Object.fromEntries(
    Object.entries(first).flatMap(([word, limit]): [string, Json][] => {
      const all = [limit, ...others.map((branch) => branch[word])];
      const numbers = all.filter((each) => typeof each === 'number');
      if (numbers.length === all.length && /^m(?:ax|in)/.test(word))
        return [[word, word.startsWith('min') ? Math.min(...numbers) : Math.max(...numbers)]];
      return ['pattern', 'format', 'items', 'uniqueItems'].includes(word) && isSame(all) ? [[word, limit]] : [];
    }),
  );
}

function isSame(values: readonly (Json | undefined)[]): boolean {
  return new Set(values.map((value) => (value === undefined ? '' : canonicalJson(value)))).size === 1;
}

function oneOf(schemas: readonly Json[]): Json {
  const different = [...new Map(schemas.map((schema) => [canonicalJson(schema), schema])).values()];
  return different.length === 1 ? (different[0] ?? {}) : { oneOf: different };
}
