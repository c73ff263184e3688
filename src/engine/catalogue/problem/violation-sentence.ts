import type { SchemaViolation } from '../../model/provider.js';
import type { Json } from '../../model/value.js';
import type { CatalogueCode } from '../../../generated/codes.js';

/** What to say about a broken rule, without the value that broke it. */
export interface Sentence {
  readonly code: CatalogueCode;
  readonly summary: string;
  readonly detail?: string;
  readonly hint?: string;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  null: 'empty',
};

/** `subject` names the value: `"labels.team" of petstore`. */
export function violationSentence(violation: SchemaViolation, subject: string): Sentence {
  const { keyword, params, message } = violation;
  if (typeof params['propertyName'] === 'string') return keySentence(violation, params['propertyName'], subject);
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'type':
      return { code: 'wrong-type', summary: `${subject} must be ${typeList(params['type'])}.` };
    case 'enum':
      return { code: 'not-allowed', summary: `${subject} must be ${alternatives(params['allowedValues'])}.` };
    case 'minLength':
      return limit === 1
        ? {
            code: 'too-short',
            summary: `${subject} must not be empty.`,
            hint: 'Leave the line out when there is none.',
          }
        : { code: 'too-short', summary: `${subject} must have at least ${count(limit, 'character')}.` };
    case 'maxLength':
      return { code: 'too-long', summary: `${subject} must have at most ${count(limit, 'character')}.` };
    case 'minItems':
    case 'minProperties':
      return { code: 'too-few', summary: `${subject} must have at least ${count(limit, 'entry', 'entries')}.` };
    case 'maxItems':
    case 'maxProperties':
      return { code: 'too-many', summary: `${subject} must have at most ${count(limit, 'entry', 'entries')}.` };
    case 'uniqueItems':
      return { code: 'repeated-item', summary: `${subject} must not hold the same item twice.` };
    case 'pattern':
      return {
        code: 'bad-form',
        summary: `${subject} does not have the form the platform asks for.`,
        detail: `It must match ${String(params['pattern'])}`,
      };
    case 'format':
      return { code: 'not-an-id', summary: `${subject} must be an id, which is a UUID.` };
    case 'contentMediaType':
      return {
        code: 'not-json',
        summary: `${subject} must be a map, or the JSON text of one.`,
        hint: 'Write a map, or use !json.',
      };
    default:
      return { code: 'broken-rule', summary: `${subject} ${message}.` };
  }
}

function keySentence({ keyword, params, message }: SchemaViolation, name: string, subject: string): Sentence {
  const key = `The key "${name}" in ${subject}`;
  switch (keyword) {
    case 'not':
      return {
        code: 'reserved-name',
        summary: `${key} is reserved by the platform.`,
        ...(typeof params['prefix'] === 'string' && { hint: `Keys must not begin with "${params['prefix']}".` }),
      };
    case 'maxLength':
      return { code: 'too-long', summary: `${key} must have at most ${count(Number(params['limit']), 'character')}.` };
    case 'minLength':
      return { code: 'too-short', summary: `A key in ${subject} is empty.` };
    case 'pattern':
      return {
        code: 'bad-form',
        summary: `${key} does not have the form the platform asks for.`,
        detail: `It must match ${String(params['pattern'])}`,
      };
    default:
      return { code: 'broken-rule', summary: `${key} ${message}.` };
  }
}

/** `text`, `a map or text`. */
export function typeList(types: Json | undefined): string {
  const names = (Array.isArray(types) ? types : [types]).map(String).filter((name) => name !== 'null');
  return names.map((name) => typeWords[name] ?? name).join(' or ');
}

function alternatives(values: Json | undefined): string {
  return Array.isArray(values) ? values.map(String).join(' or ') : 'one of the allowed values';
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${String(number)} ${number === 1 ? one : many}`;
}
