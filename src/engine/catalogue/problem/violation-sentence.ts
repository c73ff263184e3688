import { demandOf } from '../../model/broken-rule.js';
import type { SchemaViolation } from '../../model/provider.js';
import type { CatalogueCode } from '../../../generated/codes.js';

/** What to say about a broken rule, without the value that broke it. */
interface Sentence {
  readonly code: CatalogueCode;
  readonly summary: string;
  readonly detail?: string;
  readonly hint?: string;
}

const codes: Readonly<Record<string, CatalogueCode>> = {
  type: 'wrong-type',
  enum: 'not-allowed',
  minLength: 'too-short',
  maxLength: 'too-long',
  minItems: 'too-few',
  minProperties: 'too-few',
  maxItems: 'too-many',
  maxProperties: 'too-many',
  uniqueItems: 'repeated-item',
  pattern: 'bad-form',
  format: 'not-an-id',
  contentMediaType: 'not-json',
};

/** `subject` names the value: `"labels.team" of petstore`. */
export function violationSentence(violation: SchemaViolation, subject: string): Sentence {
  const { keyword, params } = violation;
  const name = params['propertyName'];
  const code = codes[keyword] ?? 'broken-rule';
  if (typeof name === 'string') return keySentence(violation, code, `The key "${name}" in ${subject}`, subject);
  const summary = `${subject} ${demandOf(violation)}.`;
  if (keyword === 'minLength' && params['limit'] === 1)
    return { code, summary, hint: 'Leave the line out when there is none.' };
  if (keyword === 'contentMediaType') return { code, summary, hint: 'Write a map, or use !json.' };
  return { code, summary, ...form(violation) };
}

function keySentence(violation: SchemaViolation, code: CatalogueCode, key: string, subject: string): Sentence {
  const { keyword, params } = violation;
  if (keyword === 'minLength') return { code, summary: `A key in ${subject} is empty.` };
  if (keyword !== 'not') return { code, summary: `${key} ${demandOf(violation)}.`, ...form(violation) };
  return {
    code: 'reserved-name',
    summary: `${key} is reserved by the platform.`,
    ...(typeof params['prefix'] === 'string' && { hint: `Keys must not begin with "${params['prefix']}".` }),
  };
}

function form({ keyword, params }: SchemaViolation): Pick<Sentence, 'detail'> {
  return keyword === 'pattern' ? { detail: `It must match ${String(params['pattern'])}` } : {};
}
