import { openMark } from '@platform-sync/core/model/resource-type';
import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { FieldType } from '@platform-sync/rest/definition';
import { valuesOf } from './merge.js';
import { linearPattern, unfitPattern } from '@platform-sync/core/model/linear-pattern';
import { uuid } from '@platform-sync/core/model/import-id';

const limitWords = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'pattern',
  'format',
] as const;

/** Rule 5: what a schema says of a value beyond its type, wherever the value stands: a field, a member, one item, one entry. */
export function limitsOf(schema: JsonObject, type: FieldType = 'string'): JsonObject {
  if (typeof type === 'object' && ('choice' in type || 'record' in type)) return {};
  const said = limitWords.flatMap((word): [string, Json][] => {
    const given = schema[word];
    const limit = word === 'pattern' && typeof given === 'string' ? strictPattern(given) : given;
    const isSaid = typeof limit === 'number' || typeof limit === 'string' || (word === 'uniqueItems' && limit === true);
    return isSaid && !isBrokenLimit(word, limit, schema) ? [[word, limit]] : [];
  });
  return { ...Object.fromEntries(said), ...listed(schema, type) };
}

/** Values of a field that is no text, where it lists them: more numbers may be as good once the service is newer. */
function listed(schema: JsonObject, type: FieldType): JsonObject {
  const values = valuesOf(schema)?.filter((value) => value !== null) ?? [];
  if (values.length === 0 || typeof type !== 'string' || type === 'string') return {};
  const isOpen = values.length > 1 && values.every((value) => typeof value === 'number');
  return { enum: values, ...(isOpen ? { [openMark]: true } : {}) };
}

/** The row of limits, where there are any. */
export function limitRows(schema: JsonObject, type?: FieldType): { readonly limits?: JsonObject } {
  const limits = limitsOf(schema, type);
  return Object.keys(limits).length === 0 ? {} : { limits };
}

/** The same of a member of a record or an entry of a map, which may be null where the service says so. */
export function memberLimits(schema: JsonObject, type: FieldType): { readonly limits?: JsonObject } {
  const limits = { ...limitsOf(schema, type), ...(isNullable(schema) && type !== 'any' ? { nullable: true } : {}) };
  return Object.keys(limits).length === 0 ? {} : { limits };
}

export function isNullable({ nullable, type }: JsonObject): boolean {
  return nullable === true || (isList(type) && type.includes('null'));
}

/** True for a limit that the description's own examples or default break: the service takes more than it says. */
function isBrokenLimit(word: string, limit: Json, { example, examples, default: preset }: JsonObject): boolean {
  // No engine that ends runs it: what is open tells of it.
  if (word === 'pattern' && unfitPattern(String(limit)) !== undefined) return true;
  const shown = [example, preset, ...(isList(examples) ? examples : [])];
  return shown.some((value) => value !== undefined && !keeps(word, limit, value));
}

/** A pattern in which nothing is escaped that needs no escape: some descriptions do, and the language's strict form refuses it. */
export function strictPattern(source: string): string {
  let isClass = false;
  return source.replace(/\\([^])|[[\]]/g, (sign, escaped?: string) => {
    if (escaped === undefined) isClass = sign === '[';
    const isNeeded =
      escaped === undefined || /[A-Za-z0-9^$\\.*+?()[\]{}|/\n]/.test(escaped) || (isClass && escaped === '-');
    return isNeeded ? sign : escaped;
  });
}

function keeps(word: string, limit: Json, value: Json): boolean {
  if (typeof limit === 'number') {
    const size = sizeOf(word, value);
    if (size === undefined) return true;
    if (word === 'multipleOf') return size % limit === 0;
    const isInside = word.endsWith('Minimum') || word.startsWith('min') ? size >= limit : size <= limit;
    return isInside && !(word.startsWith('exclusive') && size === limit);
  }
  if (typeof limit !== 'string' || typeof value !== 'string') return true;
  return word === 'pattern' ? linearPattern(limit).test(value) : limit !== 'uuid' || uuid.test(value);
}

/** What a limit measures of a value; undefined where it says nothing about it. */
function sizeOf(word: string, value: Json): number | undefined {
  if (word.endsWith('Length')) return typeof value === 'string' ? [...value].length : undefined;
  if (word.endsWith('Items')) return isList(value) ? value.length : undefined;
  if (word.endsWith('Properties')) return isObject(value) ? Object.keys(value).length : undefined;
  return typeof value === 'number' ? value : undefined;
}
