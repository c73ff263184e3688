import type { FieldRule } from '../model/resource-type.js';
import { isList, isObject, reveal, type Json } from '../model/value.js';
import { withSecretParts } from './secret-parts.js';

// Null: what a record leaves out.
const leftOut: Json = null;

/** A value without what is secret in it. */
export function withoutSecrets(rule: FieldRule, value: Json): Json {
  if (rule.secretMembers === undefined) return value;
  return reveal(withSecretParts(rule, value, [], () => leftOut));
}

/** Where secrets are in a value: `config.redis.password`. */
export function secretPlaces(rule: FieldRule, value: Json): readonly string[] {
  if (rule.secretMembers === undefined) return [];
  const found = new Set<string>();
  withSecretParts(rule, value, [], ({ value: part, expression }) => {
    if (!isEmpty(reveal(part))) found.add(expression);
    return leftOut;
  });
  return [...found];
}

function isEmpty(value: Json): boolean {
  return value === '' || (isList(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);
}
