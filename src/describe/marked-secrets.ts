import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { FieldType } from '@platform-sync/rest/definition';
import type { Description } from './description.js';
import { branchesOf } from './merge.js';

/** Schemas within each other that are looked through. */
const mostParts = 8;

export function isMarkedSecret(schema: JsonObject): boolean {
  return ['x-sensitive', 'x-encrypted', 'x-speakeasy-param-sensitive'].some((mark) => Boolean(schema[mark]))
    ? true
    : schema['format'] === 'password';
}

/** True where a description marks a value as a secret: itself, one of the schemas that it may be of, or what a list or map of it holds. */
export function isMarked(description: Description, schema: Json | undefined, depth = 0): boolean {
  const at = description.at(schema);
  if (isMarkedSecret(at)) return true;
  if (depth > mostParts) return false;
  const whole = isList(at['allOf']) ? at['allOf'] : [];
  const inside = [at['items'], at['additionalProperties']].filter((each) => each !== undefined);
  return [...whole, ...branchesOf(at), ...inside].some((part) => isMarked(description, part, depth + 1));
}

/** True for a member that is a secret though its name does not say so: it is marked, or a text that is taken and never shown. */
export function isSecretMember(description: Description, schema: Json, type: FieldType, isUnseen: boolean): boolean {
  return isMarked(description, schema) || (isUnseen && (type === 'string' || type === 'any'));
}
