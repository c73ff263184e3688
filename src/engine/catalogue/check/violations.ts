import { demandOf, followsFrom, kindList } from '@platform-sync/core/model/broken-rule';
import type { Expression, PathSegment } from '@platform-sync/core/model/expression';
import type { SchemaViolation } from '@platform-sync/core/model/provider';
import type { Correction, SourceRange } from '@platform-sync/core/model/diagnostic';
import { isObject, type Json, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import type { BuildContext } from '../read/build-context.js';
import { pathText, schemaAt, schemaProperties, schemaTypes, typesExclude } from './references.js';
import { pointerKeys, toPointer } from '@platform-sync/core/model/json-pointer';
import { describeKind, keyPlace, locate, type Located } from '../read/shape.js';
import { type Hole, followReference, type ValueScope } from '../build/known-value.js';
import { type Hint, meant, removing, writing } from '../problem/advice.js';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import type { Catalogue } from '../build/catalogue.js';
import type { Vocabulary } from '../build/vocabulary.js';
import type { CatalogueCode } from '@platform-sync/core/generated/codes';

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
  readonly idHint?: (field: string, written: Expression) => Hint | undefined;
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
  { name, address, schema }: Checked,
  { problems }: ReportContext,
): void {
  const missing = String(params['missingProperty']);
  const owner = keys.length === 0 ? name : `"${pathText(pathKeys(keys))}" of ${name}`;
  const addition: Correction = {
    kind: 'add',
    ...{
      to: keys.length === 0 ? 'properties' : 'map',
      key: missing,
      value: sampleOf(schemaAt(schema, [...pathKeys(keys), missing])),
    },
  };
  problems.add('missing-property', at, `${owner} needs the property "${missing}".`, {
    address,
    field: pathText([...pathKeys(keys), missing]),
    // Of a lookup, its place says nothing of where its arguments are.
    ...(keys.length > 0 || address !== undefined ? { correction: addition } : {}),
  });
}

/** A value to begin with, where one has to be written. */
function sampleOf(schema: JsonObject | 'none' | undefined): Json {
  if (!isSchema(schema)) return '';
  const { enum: allowed, default: usual, examples } = schema;
  const [first = usual] = [allowed, examples].flatMap((some) => (Array.isArray(some) ? some : []));
  if (first !== undefined) return first;
  const byKind: Readonly<Record<string, Json>> = { array: [], object: {}, boolean: false, integer: 0, number: 0 };
  return ownMember(byKind, schemaTypes(schema)?.[0] ?? '') ?? '';
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
    hint: meant(extra, known) ?? (known.length > 0 ? `It has ${known.join(', ')}.` : undefined),
    address,
    field: pathText([...pathKeys(keys), extra]),
  });
}

/** `{portal.id}`, which YAML takes for a map. */
function bareReference(expression: Expression): string | undefined {
  if (expression.kind !== 'map' || expression.entries.size !== 1) return undefined;
  const [[key, { value }] = ['', { value: expression }]] = [...expression.entries];
  const isEmpty = value.kind === 'literal' && value.value === null;
  return isEmpty && /^[\w-]+(?:\/[\w-]+)*(?:\.[\w-]+)+$/.test(key) ? key : undefined;
}

/** Hints that quote the value, which a secret never does. */
function valueHint({ keyword, params }: SchemaViolation, found: Located, context: ReportContext): Hint | undefined {
  const { expression, secret, left } = found;
  if (secret || left.length > 0 || expression.kind !== 'literal') {
    if (keyword !== 'type' || secret || left.length > 0) return undefined;
    const reference = bareReference(expression);
    return reference === undefined
      ? `It is ${describeKind(expression)}.`
      : writing(`A reference is "\${${reference}}", in quotes.`, `\${${reference}}`);
  }
  const { value } = expression;
  const allowed = params['allowedValues'];
  if (keyword === 'enum' && typeof value === 'string' && Array.isArray(allowed))
    return meant(value, allowed.map(String));
  if (keyword === 'maxLength') return lengthHint(value);
  if (keyword !== 'type') return undefined;
  if (value === null) return removing('Give it a value, or leave the line out.');
  const wantsText = params['type'] === 'string' || (Array.isArray(params['type']) && params['type'].includes('string'));
  // Unquoted 1.0 is the number 1: only the file still knows how it was written.
  const text = context.sources?.slice(expression.at).trim();
  if (wantsText && typeof value !== 'string' && text !== undefined) return writing(`Quote it: "${text}"`, text);
  const plain = wantsText || typeof value !== 'string' ? undefined : plainValue(value, params['type']);
  return plain === undefined ? undefined : writing(`Write it without quotes: ${String(plain)}`, plain);
}

/** The number or truth value that a text spells, where one is asked for. */
function plainValue(text: string, wanted: Json | undefined): number | boolean | undefined {
  const kinds = Array.isArray(wanted) ? wanted : [wanted];
  if (kinds.includes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true';
  const number = /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (kinds.includes('number') || (kinds.includes('integer') && Number.isInteger(number)))
    return Number.isFinite(number) ? number : undefined;
  return undefined;
}

function formHint(
  { keyword }: SchemaViolation,
  [field = '']: readonly string[],
  { expression, secret, left }: Located,
  { idHint }: Checked,
): Hint | undefined {
  return keyword !== 'format' || secret || left.length > 0 ? undefined : idHint?.(field, expression);
}

/** Counted as the rule counts: by characters, however many units each takes. */
function lengthHint(value: Json): string | undefined {
  return typeof value === 'string' ? `It has ${String([...value].length)}.` : undefined;
}

function pathKeys(keys: readonly string[]): (string | number)[] {
  return keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
}

/** Token of the type whose id a value must be; undefined where it need be none. */
export type WantedId = (path: readonly PathSegment[]) => string | undefined;

/** Checks what schemas tell of values that are not known yet: their types, and whose id a reference is. */
export function checkHoles(
  checked: Checked,
  wantedId: WantedId,
  catalogue: Catalogue,
  vocabulary: Vocabulary,
  scope: ValueScope,
  context: BuildContext,
): void {
  for (const hole of checked.holes) {
    const source = holeSource(hole.expression, catalogue, vocabulary, scope);
    const target = schemaAt(checked.schema, hole.path);
    if (source === undefined || target === undefined || target === 'none') continue;
    const report = (code: 'wrong-type' | 'wrong-reference', is: string): void => {
      const { at } = locate(checked.value(), hole.path.map(String));
      const details = { address: checked.address, field: pathText(hole.path) };
      context.problems.add(code, at, `"${pathText(hole.path)}" of ${checked.name} ${is}.`, details);
    };
    if (typesExclude(source.schema, target)) {
      report(
        'wrong-type',
        `must be ${kindList(schemaTypes(target))}, ${source.text} is ${kindList(schemaTypes(source.schema))}`,
      );
      continue;
    }
    const wanted = wantedId(hole.path);
    if (wanted === undefined || source.idOf === undefined || source.idOf === wanted) continue;
    const short = (token: string): string => vocabulary.types.get(token)?.shortToken ?? token;
    const given = source.idOf === '' ? 'no id' : `that of a ${short(source.idOf)}`;
    report('wrong-reference', `takes the id of a ${short(wanted)}, ${source.text} is ${given}`);
  }
}

interface Source {
  readonly text: string;
  readonly schema: JsonObject;
  /** Token of the type whose id it is; empty when it is a property that holds no id. */
  readonly idOf?: string;
}

function holeSource(
  expression: Expression,
  catalogue: Catalogue,
  vocabulary: Vocabulary,
  scope: ValueScope,
): Source | undefined {
  if (['interpolation', 'toJson', 'join'].includes(expression.kind))
    return { text: 'this text', schema: { type: 'string' } };
  const end = expression.kind === 'reference' ? followReference(expression, scope) : { expression, rest: [] };
  if (end === undefined || end.missing !== undefined) return undefined;
  if (end.expression.kind === 'lookup') {
    const { function: token, return: output } = end.expression;
    const lookup = vocabulary.lookups.get(token);
    const schema = lookup && schemaAt(lookup.outputs, output === undefined ? end.rest : [output, ...end.rest]);
    if (!isSchema(schema)) return undefined;
    const path = output === undefined ? end.rest : [output, ...end.rest];
    const isId = lookup?.of !== undefined && path.length === 1 && path[0] === 'id' && !lookup.name.endsWith('List');
    return { text: 'the lookup', schema, ...(isId ? { idOf: lookup.of } : {}) };
  }
  if (end.expression.kind !== 'reference') return undefined;
  const [field, ...rest] = [...end.expression.path, ...end.rest];
  const resource = catalogue.resources.get(end.expression.target);
  if (resource === undefined || typeof field !== 'string') return undefined;
  const text = `\${${end.expression.text}}`;
  if (field === 'id') return { text, schema: { type: 'string' }, idOf: resource.type.token };
  const rule: FieldRule | undefined = resource.type.fields[field];
  const schema = rule && schemaAt(rule.schema, rest);
  if (rule === undefined || !isSchema(schema)) return undefined;
  // The inputs of one resource may be the ids of another: `${guide.apiId}` is as good as `${petstore.id}`.
  return rest.length > 0 ? { text, schema } : { text, schema, idOf: rule.references ?? '' };
}

function isSchema(schema: JsonObject | 'none' | undefined): schema is JsonObject {
  return isObject(schema);
}

/** What to say about a broken rule, without the value that broke it. */
interface Sentence {
  readonly code: CatalogueCode;
  readonly summary: string;
  readonly detail?: string;
  readonly hint?: Hint;
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
function violationSentence(violation: SchemaViolation, subject: string): Sentence {
  const { keyword, params } = violation;
  const name = params['propertyName'];
  const code = ownMember(codes, keyword) ?? 'broken-rule';
  if (typeof name === 'string') return keySentence(violation, code, `The key "${name}" in ${subject}`, subject);
  const summary = `${subject} ${demandOf(violation)}.`;
  if (keyword === 'minLength' && params['limit'] === 1)
    return { code, summary, hint: removing('Leave the line out when there is none.') };
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
