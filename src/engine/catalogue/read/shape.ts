import { valueIn } from '@platform-sync/core/model/lazy-map';
import type { Expression, MapEntry } from '@platform-sync/core/model/expression';
import type { BuildContext } from './build-context.js';
import { type Hint, meant, replacing } from '../problem/advice.js';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';

export type Entries = ReadonlyMap<string, MapEntry>;

const nothing: Entries = new Map();

/** The entries of a map; none for a key without value. Anything else is reported as `what`. */
export function mapEntries(value: Expression, what: string, context: BuildContext): Entries {
  if (value.kind === 'map') return value.entries;
  if (!isNull(value)) wrongShape(value, `${what} must be a map`, context);
  return nothing;
}

/** The items of a list; a key without value has none. */
export function listItems(value: Expression, what: string, context: BuildContext): readonly Expression[] {
  if (value.kind === 'list') return value.items;
  if (!isNull(value)) wrongShape(value, `${what} must be a list`, context);
  return [];
}

/** Plain text that is neither empty nor holds references. */
export function plainText(value: Expression, what: string, context: BuildContext): string | undefined {
  if (value.kind === 'literal' && typeof value.value === 'string' && value.value !== '') return value.value;
  wrongShape(value, `${what} must be text without references`, context);
  return undefined;
}

export function plainBoolean(value: Expression, what: string, context: BuildContext): boolean | undefined {
  if (value.kind === 'literal' && typeof value.value === 'boolean') return value.value;
  wrongShape(value, `${what} must be true or false`, context);
  return undefined;
}

/** Reports every key that is not among the known ones. `what` has them: `A resource`. */
export function refuseUnknownKeys(
  entries: Entries,
  known: readonly string[],
  what: string,
  { problems }: BuildContext,
  /** Where it belongs instead, for keys that are known elsewhere. */
  place: (name: string) => string | undefined = () => undefined,
): void {
  for (const name of entries.keys())
    if (!known.includes(name))
      problems.add('unknown-key', valueIn(entries, name).key, `${what} has no key "${name}".`, {
        hint: place(name) ?? keyHint(name, known),
      });
}

/** Which of the known keys was meant, or all of them. */
export function keyHint(name: string, known: readonly string[]): Hint {
  const [blank] = /[^\P{White_Space}\t\n\r ]|[\u200b\ufeff]/u.exec(name) ?? [];
  if (blank !== undefined)
    return `It holds a blank that YAML takes for a letter (U+${blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}): type it anew.`;
  return meant(name, known) ?? `Known keys are ${known.join(', ')}.`;
}

export function wrongShape(value: Expression, sentence: string, context: BuildContext): void {
  if (context.broken.has(value)) return;
  context.problems.add('wrong-type', value.at, `${sentence}, not ${describeKind(value)}.`, {
    hint: sentence.endsWith('must be a map') ? blankHint(value, context) : undefined,
  });
}

// More than anybody indents.
const maxIndent = 200;

/** What to say of `name:Pets` at the start of a line, which YAML takes for a text; undefined for anything else. */
export function blankHint(value: Expression, { sources }: BuildContext): Hint | undefined {
  if (value.kind !== 'literal' || typeof value.value !== 'string' || !/^[\w-]+:[^\s/]/.test(value.value))
    return undefined;
  const { file, start } = value.at;
  const before = sources.slice({ file, start: Math.max(0, start - maxIndent), end: start });
  if (!/(?:^|\n) *$/.test(before)) return undefined;
  const hint = 'A space is missing after ":". A key ends with a colon and a space: write "key: value".';
  const key = value.value.slice(0, value.value.indexOf(':') + 1);
  return replacing(hint, key, `${key} `);
}

export function isNull(value: Expression): boolean {
  return value.kind === 'literal' && value.value === null;
}

/** What a value is, in words that don't repeat it. */
export function describeKind(value: Expression): string {
  switch (value.kind) {
    case 'literal':
      if (value.value === null) return 'empty';
      if (value.value === '') return 'an empty text';
      return typeof value.value === 'string' ? 'text' : `a ${typeof value.value}`;
    case 'map':
      return 'a map';
    case 'list':
      return 'a list';
    case 'reference':
    case 'interpolation':
      return 'a reference';
    case 'lookup':
      return 'a lookup';
    case 'secret':
      return 'a secret';
    default:
      return 'a computed text';
  }
}

/** Where a part of a value stands in the files. */
export interface Located {
  /** The nearest expression on the way: references and functions end it. */
  readonly expression: Expression;
  readonly at: SourceRange;
  /** True inside a secret: nothing of the value may be shown. */
  readonly secret: boolean;
  /** The keys that were left when the way ended. */
  readonly left: readonly string[];
}

/** Follows pointer keys into an expression as far as it is spelt out. */
export function locate(expression: Expression, keys: readonly string[]): Located {
  let current = expression;
  let secret = false;
  for (const [index, key] of keys.entries()) {
    while (current.kind === 'secret') {
      secret = true;
      current = current.value;
    }
    const next =
      current.kind === 'map'
        ? current.entries.get(key)?.value
        : current.kind === 'list'
          ? current.items[Number(key)]
          : undefined;
    if (next === undefined) return { expression: current, at: current.at, secret, left: keys.slice(index) };
    current = next;
  }
  return { expression: current, at: current.at, secret: secret || current.kind === 'secret', left: [] };
}

/** The key of an entry, or the map itself when the entry is not spelt out there. */
export function keyPlace(expression: Expression, name: string): SourceRange {
  let current = expression;
  while (current.kind === 'secret') current = current.value;
  return (current.kind === 'map' ? current.entries.get(name)?.key : undefined) ?? current.at;
}
