import { RE2JS, RE2JSException } from 're2js';

/**
 * A pattern that somebody else wrote (ECMA-262, with `u`), on an engine whose time grows with the text alone: the language's own
 * tries one way after the other, and nested repeats have more ways than it ever finishes.
 */
interface LinearPattern {
  readonly test: (text: string) => boolean;
  /** The first part of a text that it matches. */
  readonly find: (text: string) => string | undefined;
  /** The pattern as it is written: who compiles rules tells patterns apart by this. */
  readonly toString: () => string;
}

/** A pattern that is none, or that the engine can't run. */
export class UnfitPattern extends Error {
  /** What to write in its place. */
  readonly hint: string;

  constructor(why: string, hint: string) {
    super(why);
    this.hint = hint;
  }
}

/** Each character of a text is held against so many states at most. `^[a-z]{1,1000}$` has 2,000. */
const mostStates = 2_500;
const longestPattern = 10_000;

const known = new Map<string, LinearPattern>();

/** Throws UnfitPattern. */
export function linearPattern(source: string): LinearPattern {
  const found = known.get(source) ?? compiled(source);
  known.set(source, found);
  return found;
}

/** What keeps a pattern from being run. */
export function unfitPattern(source: string): UnfitPattern | undefined {
  try {
    linearPattern(source);
    return undefined;
  } catch (error) {
    if (error instanceof UnfitPattern) return error;
    throw error;
  }
}

function compiled(source: string): LinearPattern {
  if (source.length > longestPattern)
    throw new UnfitPattern('it is too long', `Write at most ${longestPattern} characters.`);
  mustBePattern(source);
  const spelt = spelling(source);
  if (repeatsOf(source) > mostStates) throw tooLarge();
  let engine: RE2JS;
  try {
    engine = RE2JS.compile(RE2JS.translateRegExp(spelt));
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw unfit(source);
  }
  if (engine.programSize() > mostStates) throw tooLarge();
  return {
    test: (text) => engine.test(text),
    find: (text) => {
      const matcher = engine.matcher(text);
      return matcher.find() ? (matcher.group() ?? undefined) : undefined;
    },
    toString: () => source,
  };
}

/** Editors and services read it, too: what the language does not take is no pattern. Nothing is matched here. */
function mustBePattern(source: string): void {
  try {
    new RegExp(source, 'u');
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*\/u?: /s, '') : '';
    throw new UnfitPattern(
      `it is not a regular expression (${why})`,
      'Write one of ECMA-262, as JSON Schema has them.',
    );
  }
}

const orNone = 'or leave the rule out: the service checks it all the same.';

function tooLarge(): UnfitPattern {
  return new UnfitPattern('its repeats are too many', `Repeat less, limit the length by "size", ${orNone}`);
}

/** Compiling what is far too large takes long, too. */
function repeatsOf(source: string): number {
  const counts = source.matchAll(/\{(\d+)(?:,(\d*))?\}/g);
  return [...counts].reduce((sum, [, least, most]) => sum + Number(most || least), 0);
}

/** Why the engine refuses what is a pattern all the same. */
function unfit(source: string): UnfitPattern {
  const [property] = /\\[pP]\{[^}]*\}/.exec(source) ?? [];
  if (property !== undefined && !isKnownProperty(property))
    return new UnfitPattern(
      `it asks for ${property}`,
      String.raw`Write a category (\p{L}), or ranges (\u0370-\u03ff).`,
    );
  return tooLarge();
}

function isKnownProperty(property: string): boolean {
  try {
    RE2JS.compile(spelling(property));
    return true;
  } catch {
    return false;
  }
}

const parts = /\\[pP]\{[^}]*\}|\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|\\[^]|\[\^?|\(\?<?[=!]|[^]/gu;
const white = String.raw`\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const notWhite = String.raw`\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;
const lineEnds = String.raw`\n\r\x{2028}\x{2029}`;

/** What the language and the engine read differently, spelt so that both mean the same. */
function spelling(source: string): string {
  let isInSet = false;
  return source.replace(parts, (part) => {
    if (isInSet) {
      if (part === ']') isInSet = false;
      return inSet(part);
    }
    if (part === '[' || part === '[^') isInSet = true;
    if (/^\(\?<?[=!]/.test(part))
      throw new UnfitPattern(`it looks ahead or behind by ${part}…)`, `Say what may stand there, ${orNone}`);
    if (/^\\[k1-9]/.test(part))
      throw new UnfitPattern(`it refers back to a group by ${part}`, `Write out what may repeat, ${orNone}`);
    if (part === '.') return `[^${lineEnds}]`;
    if (part === String.raw`\s`) return `[${white}]`;
    return part === String.raw`\S` ? `[^${white}]` : character(part);
  });
}

function inSet(part: string): string {
  if (part === String.raw`\s`) return white;
  if (part === String.raw`\S`) return notWhite;
  if (part === String.raw`\b`) return String.raw`\x{8}`;
  // `[[:alpha:]]` is a set of signs, and no class that has a name.
  return part.startsWith('[') ? part.replace(/[[^]/g, String.raw`\$&`) : character(part);
}

/** One of two halves is one character; scripts and categories are called by name alone. */
function character(part: string): string {
  if (/^\\u.{4}\\u/.test(part)) {
    const [high, low] = [part.slice(2, 6), part.slice(8)].map((half) => parseInt(half, 16));
    return `\\x{${
      String.fromCharCode(high ?? 0, low ?? 0)
        .codePointAt(0)
        ?.toString(16) ?? ''
    }}`;
  }
  return part.replace(/^(\\[pP]\{)(?:Script|sc|General_Category|gc)=/, '$1');
}
