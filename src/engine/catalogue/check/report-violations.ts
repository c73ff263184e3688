import type { Expression } from '../../model/expression.js';
import type { SchemaViolation } from '../../model/provider.js';
import type { SourceRange } from '../../model/place-in-file.js';
import type { Json, JsonObject } from '../../model/value.js';
import type { BuildContext } from '../read/build-context.js';
import { pathText } from './references.js';
import { pointerKeys, toPointer } from '../read/json-pointer.js';
import type { Hole } from '../build/known-value.js';
import { keyPlace, locate, type Located } from '../read/locate.js';
import { didYouMean } from '../../model/nearest.js';
import { schemaAt, schemaProperties } from './schema-walk.js';
import { describeKind } from '../read/shape.js';
import { violationSentence } from '../problem/violation-sentence.js';

/** The value that was checked, and how to speak about it. */
export interface Checked {
  readonly value: () => Expression;
  /** What has the properties: `petstore`. */
  readonly name: string;
  /** Where what is missing altogether is reported. */
  readonly at: SourceRange;
  readonly address?: string;
  readonly schema: JsonObject;
  readonly holes: readonly Hole[];
  /** What a text in place of an id may have meant. */
  readonly idHint?: (field: string, written: Expression) => string | undefined;
}

/** Where problems go, and the texts of the files where they are at hand. */
type ReportContext = Pick<BuildContext, 'problems'> & Partial<Pick<BuildContext, 'sources'>>;

/** Rules about a map or list as a whole, which unknown parts inside can't have broken. */
const wholeRules = new Set([
  'required',
  'additionalProperties',
  'minProperties',
  'maxProperties',
  'minItems',
  'maxItems',
  'type',
]);

/** Reports broken rules at the values that broke them; what unknown parts may have caused is left out. */
export function reportViolations(
  violations: readonly SchemaViolation[],
  checked: Checked,
  context: ReportContext,
): void {
  if (violations.length === 0) return;
  const unknown = pointersOf(checked.holes.filter(({ secret }) => secret === undefined));
  const secrets = checked.holes.filter(({ secret }) => secret);
  const broken = new Set<Hole>();
  for (const violation of violations) {
    if (unknown.some((hole) => isCausedBy(violation, hole))) continue;
    const secret = secrets.find(({ path }) => isCausedBy(violation, toPointer(path)));
    if (secret !== undefined) broken.add(secret);
    else if (!followsFrom(violation, violations)) report(violation, checked, context);
  }
  for (const { path } of broken) reportSecret(path, checked, context);
}

function pointersOf(holes: readonly Hole[]): readonly string[] {
  return holes.map(({ path }) => toPointer(path));
}

/** That it breaks a rule is all: each word about which one, or where, would be a word about the secret. */
function reportSecret(path: Hole['path'], { value, name, address }: Checked, { problems }: ReportContext): void {
  const field = pathText(path);
  const { at } = locate(value(), path.map(String));
  problems.add('secret-breaks-rule', at, `The secret in "${field}" of ${name} breaks a rule of its type.`, {
    address,
    field,
  });
}

/** An empty text matches no pattern either; that it is empty says it all. */
export function followsFrom({ keyword, pointer, params }: SchemaViolation, all: readonly SchemaViolation[]): boolean {
  // A value of another kind is none of the listed ones either.
  if (keyword === 'enum') return all.some((other) => other.keyword === 'type' && other.pointer === pointer);
  if (keyword !== 'pattern' && keyword !== 'format') return false;
  return all.some(
    (other) =>
      other.keyword === 'minLength' &&
      other.pointer === pointer &&
      other.params['propertyName'] === params['propertyName'],
  );
}

function isCausedBy({ pointer, keyword, params }: SchemaViolation, hole: string): boolean {
  if (pointer === hole || pointer.startsWith(`${hole}/`)) return true;
  const inside = hole.startsWith(`${pointer}/`);
  return inside && !wholeRules.has(keyword) && params['propertyName'] === undefined;
}

function report(violation: SchemaViolation, checked: Checked, context: ReportContext): void {
  const keys = pointerKeys(violation.pointer);
  const found = locate(checked.value(), keys);
  const at = keys.length === 0 ? checked.at : found.at;
  if (violation.keyword === 'required') return reportMissing(violation, keys, at, checked, context);
  if (violation.keyword === 'additionalProperties') return reportExtra(violation, keys, found, checked, context);
  const field = pathText(pathKeys(keys));
  const subject = field === '' ? checked.name : `"${field}" of ${checked.name}`;
  const sentence = violationSentence(violation, subject);
  const key = violation.params['propertyName'];
  context.problems.add(
    sentence.code,
    typeof key === 'string' ? keyPlace(found.expression, key) : at,
    sentence.summary,
    {
      detail: sentence.detail,
      hint: valueHint(violation, found, context) ?? formHint(violation, keys, found, checked) ?? sentence.hint,
      address: checked.address,
      field: typeof key === 'string' ? pathText([...pathKeys(keys), key]) : field,
    },
  );
}

function reportMissing(
  { params }: SchemaViolation,
  keys: readonly string[],
  at: SourceRange,
  { name, address }: Checked,
  { problems }: ReportContext,
): void {
  const missing = String(params['missingProperty']);
  const owner = keys.length === 0 ? name : `"${pathText(pathKeys(keys))}" of ${name}`;
  problems.add('missing-property', at, `${owner} needs the property "${missing}".`, {
    address,
    field: pathText([...pathKeys(keys), missing]),
  });
}

function reportExtra(
  { params }: SchemaViolation,
  keys: readonly string[],
  found: Located,
  { name, address, schema }: Checked,
  { problems }: ReportContext,
): void {
  const extra = String(params['additionalProperty']);
  const owner = keys.length === 0 ? name : `"${pathText(pathKeys(keys))}" of ${name}`;
  const known = schemaProperties(schemaAt(schema, pathKeys(keys)));
  problems.add('unknown-property', keyPlace(found.expression, extra), `${owner} has no property "${extra}".`, {
    hint: didYouMean(extra, known) ?? (known.length > 0 ? `It has ${known.join(', ')}.` : undefined),
    address,
    field: pathText([...pathKeys(keys), extra]),
  });
}

/** Hints that quote the value, which a secret never does. */
function valueHint({ keyword, params }: SchemaViolation, found: Located, context: ReportContext): string | undefined {
  const { expression, secret, left } = found;
  if (secret || left.length > 0 || expression.kind !== 'literal') {
    return keyword === 'type' && !secret && left.length === 0 ? `It is ${describeKind(expression)}.` : undefined;
  }
  const { value } = expression;
  const allowed = params['allowedValues'];
  if (keyword === 'enum' && typeof value === 'string' && Array.isArray(allowed))
    return didYouMean(value, allowed.map(String));
  if (keyword === 'maxLength') return lengthHint(value);
  if (keyword !== 'type') return undefined;
  if (value === null) return 'Give it a value, or leave the line out.';
  const wantsText = params['type'] === 'string' || (Array.isArray(params['type']) && params['type'].includes('string'));
  // Unquoted 1.0 is the number 1: only the file still knows how it was written.
  return wantsText && typeof value !== 'string' && context.sources !== undefined
    ? `Quote it: "${context.sources.slice(expression.at).trim()}"`
    : undefined;
}

function formHint(
  { keyword }: SchemaViolation,
  [field = '']: readonly string[],
  { expression, secret, left }: Located,
  { idHint }: Checked,
): string | undefined {
  return keyword !== 'format' || secret || left.length > 0 ? undefined : idHint?.(field, expression);
}

/** Counted as the rule counts: by characters, however many units each takes. */
function lengthHint(value: Json): string | undefined {
  return typeof value === 'string' ? `It has ${String([...value].length)}.` : undefined;
}

function pathKeys(keys: readonly string[]): (string | number)[] {
  return keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
}
