import type { RecordedResource, SealedSecret } from '../model/state.js';
import {
  isList,
  isObject,
  isSecret,
  isUnknown,
  type Json,
  type JsonObject,
  reveal,
  secret,
  type Value,
} from '../model/value.js';
import { anyText, type FieldRule } from '../model/resource-type.js';
import { memberSchema } from './format-form.js';

export function isSealed(value: Value | undefined): value is SealedSecret & JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && '$secret' in value;
}

/** True where a value, or any part of it, is kept or shown as a sealed secret. */
export function hasSealed(value: Value | undefined): boolean {
  if (typeof value !== 'object') return false;
  if (isList(value)) return value.some(hasSealed);
  return isSealed(value) || (isObject(value) && Object.values(value).some(hasSealed));
}

/** A property that was sent, or answered, as a secret is one, whether or not this run knows what it holds. */
export function wasSealed(recorded: Pick<RecordedResource, 'inputs' | 'outputs'> | undefined, name: string): boolean {
  return hasSealed(recorded?.inputs[name]) || hasSealed(recorded?.outputs[name]);
}

/** A secret, or a part that is one, sealed or not yet. */
function hasSecretPart(value: Value | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isSecret(value) || isSealed(value)) return true;
  if (isList(value)) return value.some(hasSecretPart);
  return isObject(value) && Object.values(value).some(hasSecretPart);
}

/** The catalogue's words for a value that is sealed or has a secret part; undefined for one without. */
export function secretExpression(value: Value): string | undefined {
  return typeof value === 'object' && hasSecretPart(value) ? expressionOf(value) : undefined;
}

/** The catalogue's words for a value with secret parts. */
export function expressionOf(value: Value, otherwise = '(secret)'): string {
  const found = new Set<string>();
  const visit = (part: Value): void => {
    if (isSecret(part)) found.add(part.expression);
    else if (isSealed(part)) found.add(part.$secret.expression);
    else if (isList(part)) part.forEach(visit);
    else if (isObject(part)) Object.values(part).forEach(visit);
  };
  visit(value);
  return found.size === 0 ? otherwise : [...found].sort().join(', ');
}

/** A value with something else in the place of each sealed part. */
export function withSealedParts(value: Value, put: (sealed: SealedSecret) => Value): Value {
  if (isSealed(value)) return put(value);
  if (isList(value)) return value.map((item) => withSealedParts(item, put));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withSealedParts(member, put)]));
}

/** An answer in which each text that repeats a secret is one itself, under these words. */
export function withRepeats(value: Json, isRepeat: (text: string) => boolean, expression: string): Value {
  if (typeof value === 'string') return isRepeat(value) ? secret(value, expression) : value;
  if (isList(value)) return value.map((item) => withRepeats(item, isRepeat, expression));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withRepeats(member, isRepeat, expression)]),
  );
}

/** What of a field's rule says which of its parts are secret. */
export type SecrecyRule = Pick<FieldRule, 'equality' | 'secret'> &
  Partial<Pick<FieldRule, 'name' | 'schema' | 'secretMembers'>>;

/** One secret part: the words for it, and what stands at its place in the values that told it. */
export interface SecretPart {
  readonly value: Value;
  readonly expression: string;
  readonly schema: JsonObject | undefined;
  readonly like: readonly Value[];
}

/** Where a walk over a value is. */
interface Place {
  readonly name: string;
  /** Paths of secret members from here. */
  readonly paths: readonly (readonly string[])[];
  readonly schema: JsonObject | undefined;
  /** What other values of the same field have here. */
  readonly like: readonly Value[];
}

/** True for a field whose records keep their secrets in their members; of any other field the whole is a secret, or nothing. */
export function isSealedByParts({ equality, secret }: SecrecyRule): boolean {
  return equality === 'record' && !secret;
}

/**
 * A value with something in the place of each secret part: what the rule names, what one of `like` has as a secret, and in a record
 * with either the members that its schema does not know. Keys of maps and items of lists may change their places: what is secret in
 * one of them is so in all.
 */
export function withSecretParts(
  rule: SecrecyRule,
  value: Value,
  like: readonly (Value | undefined)[],
  put: (part: SecretPart) => Value,
): Value {
  const known = like.flatMap((each) => (each === undefined || isWholeByRule(rule, each) ? [] : [each]));
  if (rule.secretMembers === undefined && ![value, ...known].some(hasSecretPart)) return value;
  const paths = (rule.secretMembers ?? []).map((path) => path.split('.'));
  return visit(value, { name: rule.name ?? '(secret)', paths, schema: rule.schema, like: known }, put);
}

/** Sealed by an earlier version, for the sake of a member: that tells nothing of the others. */
function isWholeByRule({ name }: SecrecyRule, value: Value): boolean {
  return isSealed(value) && value.$secret.expression === name;
}

function visit(value: Value, place: Place, put: (part: SecretPart) => Value): Value {
  if (value === null || isSealed(value) || isUnknown(value)) return value;
  const { name, paths, schema, like } = place;
  const secrets = like.filter(hasSecretPart);
  const isMeant =
    isSecret(value) || paths.some(([head]) => head === undefined || (head === anyText && typeof value === 'string'));
  if (isMeant || secrets.some((each) => !isSameKind(each, value))) {
    const told = [value, ...secrets].map((each) => secretExpression(each)).find((each) => each !== undefined);
    return put({ value, expression: told ?? name, schema, like });
  }
  if (isList(value)) {
    const items = schema?.['items'];
    const inside = {
      ...place,
      schema: isObject(items) ? items : undefined,
      like: like.flatMap((each) => (isList(each) ? each : [])),
    };
    return value.map((item) => visit(item, inside, put));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, visit(member, memberPlace(place, key), put)]),
  );
}

/** A record or list beside one of its kind: the members tell more. */
function isSameKind(like: Value, value: Value): boolean {
  return isList(like) ? isList(value) : isObject(like) && !isSealed(like) && isObject(value);
}

function memberPlace({ name, paths, schema, like }: Place, key: string): Place {
  const inner = schema === undefined ? undefined : memberSchema(schema, key);
  const meant = paths.flatMap(([head, ...rest]) =>
    head === anyText ? [[anyText]] : head === '*' || head === key ? [rest] : [],
  );
  const records = like.filter((each) => isObject(each));
  const isRecord = isObject(schema?.['properties']);
  const isUnknownMember = isRecord && !isKnown(schema, key) && (paths.length > 0 || records.some(hasSecretPart));
  const isFree = !isRecord && isObject(schema?.['additionalProperties']);
  return {
    name: `${name}.${key}`,
    paths: isUnknownMember ? [[]] : meant,
    schema: inner,
    like: records.flatMap((each) =>
      isFree ? Object.values(each) : Object.hasOwn(each, key) ? [each[key] ?? null] : [],
    ),
  };
}

function isKnown(schema: JsonObject | undefined, key: string): boolean {
  const properties = schema?.['properties'];
  return isObject(properties) && Object.hasOwn(properties, key);
}

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
