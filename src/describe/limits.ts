import { openMark } from '@platform-sync/core/model/open-choice';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import type { FieldType } from '@platform-sync/rest/definition';
import { isBrokenLimit, strictPattern } from './broken-limits.js';
import { valuesOf } from './merge.js';

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
