import validate from '../generated/project-validator.js';
import { blankHint, describeKind, type Entries, keyHint, keyPlace, locate } from '../read/shape.js';
import type { BuildContext } from '../read/build-context.js';
import { pointerKeys, toPointer } from '@platform-sync/core/model/json-pointer';
import { isUnset } from '../read/overlay.js';
import type { Expression } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import { followsFrom, kindWords, type KindWords, violationOf } from '@platform-sync/core/model/broken-rule';
import type { Settings } from '../generated/settings.js';
import type { CatalogueCode } from '@platform-sync/core/generated/codes';
import type { ProblemDetails } from '../problem/problems.js';
import { meant } from '../problem/advice.js';
import type { SchemaViolation } from '@platform-sync/core/model/provider';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';

/** Settings that obey the schema of sync.yaml, and where they stand. What broke a rule was reported and is not there. */
export interface CheckedSettings {
  readonly value: Settings;
  readonly at: (...keys: readonly (string | number)[]) => SourceRange;
  /** As written; undefined where nothing is. */
  readonly written: (...keys: readonly (string | number)[]) => Expression | undefined;
}

/** Settings that may be `!env NAME`. What stands there in plain text is quoted nowhere: who has it may use it. */
const fromEnvironment: readonly string[] = ['/drift/webhook', '/drift/secret', '/state/url'];

/** Stands for what is no plain value: of no kind that a schema knows. */
const notPlain = Symbol('not plain');

/** Holds a file, or the settings of one of its stacks, against the schema of sync.yaml. */
export function checkSettings(entries: Entries, context: BuildContext): CheckedSettings {
  const root: Expression = { kind: 'map', entries, at: { file: 'sync.yaml', start: 0, end: 0 } };
  for (const pointer of fromEnvironment) {
    const { left, at } = locate(root, pointerKeys(pointer));
    if (left.length === 0) context.sources.hide(at);
  }
  const written = jsonOf(root, '', context);
  const errors = validate(written) ? [] : (validate.errors ?? []);
  const violations = errors.map((error) => ({ ...violationOf(error), schema: error.parentSchema ?? {} }));
  for (const violation of violations) if (!followsFrom(violation, violations)) report(violation, root, context);
  const broken = violations.flatMap(({ keyword, pointer }) =>
    // An item of which one part is wrong goes as a whole.
    keyword === 'additionalProperties' ? [] : [pointer.replace(/(\/\d+)\/.*/, '$1')],
  );
  return {
    // What broke a rule is left out, so that the rest is what the schema says.
    value: (broken.length === 0 ? written : jsonOf(root, '', context, broken)) as Settings,
    at: (...keys) => locate(root, keys.map(String)).at,
    written: (...keys) => {
      const { left, expression } = locate(root, keys.map(String));
      return left.length === 0 ? expression : undefined;
    },
  };
}

/** A value for the schema, without those at `broken`. What is unset is a key without a value. */
function jsonOf(value: Expression, pointer: string, context: BuildContext, broken: readonly string[] = []): unknown {
  if (isUnset(value) || (pointer !== '' && broken.includes(pointer))) return undefined;
  const isRead = fromEnvironment.includes(pointer);
  const inner = (part: Expression, key: string | number): unknown =>
    jsonOf(part, `${pointer}${toPointer([key])}`, context, broken);
  switch (value.kind) {
    case 'literal':
      return isRead ? (value.value ?? (context.broken.has(value) ? '' : undefined)) : value.value;
    case 'list':
      return value.items.map(inner);
    case 'map':
      return Object.fromEntries([...value.entries].map(([name, entry]) => [name, inner(entry.value, name)]));
    case 'secret':
      return isRead ? (jsonOf(value.value, pointer, context, broken) ?? '') : notPlain;
    default:
      return notPlain;
  }
}

function report(violation: BrokenSetting, root: Expression, context: BuildContext): void {
  const keys = pointerKeys(violation.pointer);
  const { expression, at } = locate(root, keys);
  if (context.broken.has(expression) || isUnset(expression)) return;
  const key = violation.params['propertyName'] ?? violation.params['additionalProperty'];
  const { code, summary, ...details } = sentenceOf(violation, keys, expression, context);
  context.problems.add(code, typeof key === 'string' ? keyPlace(expression, key) : at, summary, details);
}

interface Sentence extends ProblemDetails {
  readonly code: CatalogueCode;
  readonly summary: string;
}

/** A broken rule, and the schema that it stands in. */
interface BrokenSetting extends SchemaViolation {
  readonly schema: JsonObject;
}

/** What to say of a setting that breaks a rule of the schema: `keys` lead to it, `value` is what is written there. */
function sentenceOf(
  violation: BrokenSetting,
  keys: readonly string[],
  value: Expression,
  context: BuildContext,
): Sentence {
  const { keyword, params, schema } = violation;
  const name = typeof schema['title'] === 'string' ? schema['title'] : nameOf(keys);
  switch (keyword) {
    case 'required':
      return missing(String(params['missingProperty']), name, schema);
    case 'additionalProperties':
      return unknownKey(String(params['additionalProperty']), name, schema);
    case 'enum':
      if (isText(value)) return notAllowed(value.value, name, schema);
      return wrongKind('string', name, keys, value, context);
    case 'pattern':
      return badName(violation, keys, value);
    case 'minimum':
    case 'maximum':
      return outOfBounds(name, schema);
    case 'minLength':
      return wrongKind('string', name, keys, value, context);
    default:
      if (kindOf(schema) === 'integer' && value.kind === 'literal' && typeof value.value === 'number')
        return outOfBounds(name, schema);
      return wrongKind(kindOf(schema), name, keys, value, context);
  }
}

/** `"guards.maxDeletes"`, `An item of "guards.allow"`, `"reason" of "guards.allow"`, `The stack prod`. */
function nameOf(keys: readonly string[]): string {
  const [block = '', one = '', part] = keys;
  if (keys.length === 0) return 'sync.yaml';
  if (keys.length > 1 && block === 'stacks') return `The stack ${one}`;
  if (keys.length > 1 && block === 'parameters')
    return part === undefined ? `The parameter ${one}` : `"${part}" of ${one}`;
  const item = keys.findIndex((key) => /^\d+$/.test(key));
  if (item < 0) return `"${keys.join('.')}"`;
  const list = `"${keys.slice(0, item).join('.')}"`;
  return item === keys.length - 1 ? `An item of ${list}` : `"${keys.at(-1) ?? ''}" of ${list}`;
}

function missing(key: string, name: string, schema: JsonObject): Sentence {
  const [example] = examplesOf(member(schema['properties'], key));
  return {
    code: 'missing-setting',
    summary: `${name} needs ${/^[aeiou]/.test(key) && key !== 'url' ? 'an' : 'a'} "${key}".`,
    hint: example === undefined ? undefined : `${key}: ${example}`,
  };
}

function unknownKey(key: string, name: string, schema: JsonObject): Sentence {
  const known = Object.keys(isObject(schema['properties']) ? schema['properties'] : {});
  return {
    code: 'unknown-key',
    summary: `${name} has no key "${key}".`,
    hint: keyHint(key, known),
  };
}

function notAllowed(given: string, name: string, { enum: words, description }: JsonObject): Sentence {
  const allowed = (Array.isArray(words) ? words : []).map(String);
  const [last = '', ...others] = [...allowed].reverse();
  const all = others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
  // Of one word it must be told what it does.
  const about = others.length === 0 && typeof description === 'string' ? description : undefined;
  return { code: 'not-allowed', summary: `${name} must be ${all}.`, hint: about ?? meant(given, allowed) };
}

function badName({ params, schema }: BrokenSetting, keys: readonly string[], value: Expression): Sentence {
  const key = params['propertyName'];
  const noun = (keys[0] ?? '').replace(/s$/, '');
  return {
    code: key === undefined ? 'bad-setting' : 'bad-name',
    summary: `"${typeof key === 'string' ? key : isText(value) ? value.value : ''}" can't be the name of a ${noun}.`,
    detail: typeof schema['$comment'] === 'string' ? schema['$comment'] : undefined,
  };
}

function outOfBounds(name: string, { minimum, maximum }: JsonObject): Sentence {
  const bounds =
    maximum === undefined ? `of at least ${String(minimum)}` : `from ${String(minimum)} to ${String(maximum)}`;
  return { code: 'bad-setting', summary: `${name} must be a whole number ${bounds}.` };
}

const ownText = 'text without references';
const kinds: KindWords = { ...kindWords, string: ownText };

function wrongKind(
  kind: string,
  name: string,
  keys: readonly string[],
  value: Expression,
  context: BuildContext,
): Sentence {
  const isParameter = keys.length === 2 && keys[0] === 'parameters';
  const ownDefault = `Write the value that holds for all stacks as its default: ${keys[1] ?? ''}: { default: … }`;
  return {
    code: 'wrong-type',
    summary: `${name} must be ${kinds[kind] ?? ownText}, not ${describeKind(value)}.`,
    hint: isParameter ? ownDefault : kind === 'object' ? blankHint(value, context) : undefined,
  };
}

/** The first of the kinds that a schema takes. */
function kindOf({ type }: JsonObject): string {
  return String(Array.isArray(type) ? type[0] : type);
}

function isText(value: Expression): value is Expression & { readonly kind: 'literal'; readonly value: string } {
  return value.kind === 'literal' && typeof value.value === 'string' && value.value !== '';
}

function member(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) ? value[key] : undefined;
}

function examplesOf(schema: Json | undefined): readonly string[] {
  const examples = member(schema, 'examples');
  return Array.isArray(examples) ? examples.map(String) : [];
}
