import validate from '../generated/project-validator.js';
import { keyPlace, locate } from '../read/locate.js';
import type { BuildContext } from '../read/build-context.js';
import { pointerKeys, toPointer } from '@platform-sync/core/model/json-pointer';
import type { Entries } from '../read/shape.js';
import { isUnset } from '../read/overlay.js';
import type { Expression } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/place-in-file';
import { followsFrom, violationOf } from '@platform-sync/core/model/broken-rule';
import { sentenceOf, type BrokenSetting } from './setting-sentence.js';
import type { Settings } from '../generated/settings.js';

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
  const errors = validate(jsonOf(root, '', context)) ? [] : (validate.errors ?? []);
  const violations = errors.map((error) => ({ ...violationOf(error), schema: error.parentSchema ?? {} }));
  for (const violation of violations) if (!followsFrom(violation, violations)) report(violation, root, context);
  const broken = violations.flatMap(({ keyword, pointer }) =>
    // An item of which one part is wrong goes as a whole.
    keyword === 'additionalProperties' ? [] : [pointer.replace(/(\/\d+)\/.*/, '$1')],
  );
  return {
    // What broke a rule is left out, so that the rest is what the schema says.
    value: jsonOf(root, '', context, broken) as Settings,
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
