import { anyNumber, isWhole, firstPlaces, literal, matches, placesAfter, type Places, type Step } from './pattern.js';

/**
 * A pattern of paths: `*` is any text in a name, `?` one character, `[a-z]` and `[!a-z]` one of a set, `{a,b}` either, and a name `**`
 * any number of folders. Wildcards take no dot at the beginning of a name; a backslash takes a character as it stands.
 */
interface Glob {
  readonly test: (path: string) => boolean;
  /** Where a walk begins, at the root. */
  readonly root: GlobPlace;
}

/** How far a walk through folders has come in a pattern. */
export interface GlobPlace {
  readonly isMatch: boolean;
  /** Into a folder, or to a file in it; undefined where nothing can match any more. */
  readonly into: (name: string) => GlobPlace | undefined;
}

/** A pattern that is none. */
class BadGlob extends Error {
  /** What to write in its place. */
  readonly hint: string;

  constructor(why: string, hint: string) {
    super(why);
    this.hint = hint;
  }
}

/** `{a,b}{a,b}…` stands for so many patterns at most. */
const mostAlternatives = 256;
const longestPattern = 4_096;

/** Whether a text says more than the path that it is. */
export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text.replace(/\\./gs, '')) || text.startsWith('!');
}

/** The pattern that only this path matches. */
export function globOfPath(path: string): string {
  return path.replace(/[\\*?[\]{}()!]/g, String.raw`\$&`);
}

/** What is wrong with a pattern. */
export function badGlob(text: string): BadGlob | undefined {
  try {
    globOf(text);
    return undefined;
  } catch (error) {
    if (error instanceof BadGlob) return error;
    throw error;
  }
}

/** Throws BadGlob. */
export function globOf(text: string): Glob {
  if (text.length > longestPattern) throw new BadGlob('it is too long', `Write at most ${longestPattern} characters.`);
  const ways = alternativesOf(text).map(pathSteps);
  const root = placeIn(ways.map((steps) => [steps, firstPlaces(steps)]));
  return { root, test: (path) => ways.some((steps) => matches(steps, path.split('/'))) };
}

type Way = readonly [steps: readonly Step<string>[], places: Places];

function placeIn(ways: readonly Way[]): GlobPlace {
  return {
    isMatch: ways.some(([steps, places]) => isWhole(steps, places)),
    into: (name) => {
      const next = ways.flatMap(([steps, places]): Way[] => {
        const after = placesAfter(steps, places, name);
        return after.length === 0 ? [] : [[steps, after]];
      });
      return next.length === 0 ? undefined : placeIn(next);
    },
  };
}

/** Names of a path as steps. */
function pathSteps(pattern: string): readonly Step<string>[] {
  const names = pattern.split('/').filter((name, at) => name !== '.' && (name !== '' || at === 0));
  const steps = names.map((name) => (name === '**' ? anyFolders : { takes: nameTest(name) }));
  // All in a folder is something in it.
  return names.at(-1) === '**' ? [...steps, { takes: anyFolders.takes }] : steps;
}

const isHidden = (name: string): boolean => name.startsWith('.');
const anyFolders: Step<string> = { takes: (name) => !isHidden(name), repeats: true };

function nameTest(pattern: string): (name: string) => boolean {
  if (!/[*?[\\]/.test(pattern)) return (name) => name === pattern;
  const steps = signsOf(pattern);
  const isPlain = !/^[*?[]/.test(pattern);
  return (name) => (isPlain || !isHidden(name)) && matches(steps, name);
}

/** The characters of a name as steps. */
function signsOf(pattern: string): readonly Step<string>[] {
  const steps: Step<string>[] = [];
  // One of a set, whose first character may be its end; an escaped character; a run of stars; any other.
  for (const [part] of pattern.matchAll(/\[[!^]?(?:\\.|[^\\])(?:\\.|[^\]\\])*\]|\\.|\*+|[^]/gu)) {
    if (part.startsWith('*')) steps.push(anyNumber);
    else if (part === '?') steps.push({ takes: () => true });
    else if (part.startsWith('[') && part.length > 1) steps.push({ takes: setTest(part.slice(1, -1)) });
    else steps.push(...literal(part.length > 1 && part.startsWith('\\') ? part.slice(1) : part));
  }
  return steps;
}

function setTest(given: string): (sign: string) => boolean {
  const isNot = /^[!^]/.test(given);
  const signs = Array.from(given.slice(isNot ? 1 : 0).matchAll(/\\([^])|([^])/gu), ([, escaped, plain]) => ({
    sign: escaped ?? plain ?? '',
    isDash: plain === '-',
  }));
  const ranges: (readonly [from: string, to: string])[] = [];
  for (let at = 0; at < signs.length; at += 1) {
    const [from, dash, to] = [signs[at], signs[at + 1], signs[at + 2]];
    if (from === undefined) continue;
    const isRange = dash?.isDash === true && to !== undefined;
    ranges.push([from.sign, isRange ? to.sign : from.sign]);
    if (isRange) at += 2;
  }
  return (sign) => ranges.some(([from, to]) => compare(from, sign) <= 0 && compare(sign, to) <= 0) !== isNot;
}

function compare(one: string, other: string): number {
  return (one.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
}

/** The patterns that one with braces stands for. */
function alternativesOf(text: string): readonly string[] {
  refuseOtherLanguages(text);
  const done: string[] = [];
  const open = [text];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const braces = firstBraces(next);
    if (braces === undefined) done.push(next);
    else for (const choice of braces.choices) open.push(braces.before + choice + braces.after);
    if (done.length + open.length > mostAlternatives)
      throw new BadGlob(
        `its braces stand for more than ${mostAlternatives} patterns`,
        'Write several patterns, or a wildcard.',
      );
  }
  return done;
}

/** What others write in patterns and is not read here. */
function refuseOtherLanguages(text: string): void {
  const plain = text.replace(/\\./gs, '');
  const [group] = /[?*+@!]\(/.exec(plain) ?? [];
  if (group !== undefined)
    throw new BadGlob(`it has a group ${group}…)`, 'Write {a,b} for one of several texts, or several patterns.');
  const [range] = /\{[^{},/]*\.\.[^{},/]*\}/.exec(plain) ?? [];
  if (range !== undefined) throw new BadGlob(`it has a range ${range}`, 'Write its members: {1,2,3}.');
  const [named] = /\[\[?:\w*:\]?\]?/.exec(plain) ?? [];
  if (named !== undefined) throw new BadGlob(`it has a class ${named}`, 'Write its characters: [a-z].');
}

/** The first braces with a comma of their own; others stand for themselves. */
function firstBraces(
  text: string,
): { readonly before: string; readonly choices: readonly string[]; readonly after: string } | undefined {
  const opened: { readonly at: number; readonly commas: number[] }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\') at += 1;
    else if (sign === '{') opened.push({ at, commas: [] });
    else if (sign === ',') opened.at(-1)?.commas.push(at);
    else if (sign === '}') {
      const braces = opened.pop();
      if (braces === undefined || braces.commas.length === 0) continue;
      const edges = [braces.at, ...braces.commas, at];
      const choices = edges.slice(1).map((end, index) => text.slice((edges[index] ?? 0) + 1, end));
      return { before: text.slice(0, braces.at), choices, after: text.slice(at + 1) };
    }
  }
  return undefined;
}
