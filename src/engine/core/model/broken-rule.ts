import { defined, type Json, type JsonObject } from './value.js';
import type { SchemaViolation } from './provider.js';

/** What a compiled validator says of a broken rule. */
interface Complaint {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: JsonObject;
  readonly message?: string;
  readonly propertyName?: string;
}

/** A rule about a key is told by itself, with the key. */
export function violationOf({ instancePath, keyword, message, params, propertyName }: Complaint): SchemaViolation {
  return {
    pointer: instancePath,
    keyword,
    message: message ?? keyword,
    params: { ...params, ...defined({ propertyName }) },
  };
}

/**
 * True where other violations say it all: a value of another kind is none of the listed ones either, an empty text has no form,
 * which branch of the schema holds is nobody's mistake, and `propertyNames` encloses a rule about a key.
 */
export function followsFrom({ keyword, pointer, params }: SchemaViolation, all: readonly SchemaViolation[]): boolean {
  if (keyword === 'if' || keyword === 'propertyNames') return true;
  if (keyword !== 'enum' && keyword !== 'pattern' && keyword !== 'format') return false;
  return all.some(
    (other) =>
      (other.keyword === 'type' || other.keyword === 'minLength') &&
      other.pointer === pointer &&
      other.params['propertyName'] === params['propertyName'],
  );
}

/** Names of the kinds of JSON values, in the words of whoever is spoken to. */
export type KindWords = Readonly<Record<string, string>>;

/** For people who write YAML. */
export const kindWords = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  null: 'empty',
} as const satisfies KindWords;

/** What the rule asks for, to follow the name of the value: `must be a whole number`. The value is not quoted. */
export function demandOf({ keyword, params, message }: SchemaViolation, kinds: KindWords = kindWords): string {
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'type':
      return `must be ${kindList(params['type'], kinds)}`;
    case 'enum':
      return `must be ${Array.isArray(params['allowedValues']) ? params['allowedValues'].map(String).join(' or ') : 'one of the allowed values'}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${count(limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${count(limit, 'character')}`;
    case 'minItems':
    case 'minProperties':
      return `must have at least ${count(limit, 'entry', 'entries')}`;
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${count(limit, 'entry', 'entries')}`;
    case 'uniqueItems':
      return 'must not hold the same item twice';
    case 'pattern':
      return 'does not have the form the platform asks for';
    case 'format':
      return 'must be an id, which is a UUID';
    case 'contentMediaType':
      return 'must be a map, or the JSON text of one';
    default:
      return message;
  }
}

/** `text`, `a map or text`. */
export function kindList(types: Json | undefined, kinds: KindWords = kindWords): string {
  const names = (Array.isArray(types) ? types : [types]).map(String).filter((name) => name !== 'null');
  return names.map((name) => kinds[name] ?? name).join(' or ');
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${String(number)} ${number === 1 ? one : many}`;
}
