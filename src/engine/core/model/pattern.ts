/**
 * A pattern in steps, each of which takes one unit (a character, a name in a path), or any number of them. All ways through it are
 * walked side by side: the time grows with pattern × text, however many wildcards there are. A regular expression tries them one
 * after the other, and `*a*a*a*a*b` has more than it will ever finish.
 */
export interface Step<Unit> {
  readonly takes: (unit: Unit) => boolean;
  readonly repeats?: true;
}

/** The steps that a text read so far may be at. */
export type Places = readonly number[];

export function firstPlaces<Unit>(steps: readonly Step<Unit>[]): Places {
  const first: number[] = [];
  reach(steps, 0, first);
  return first;
}

/** Where one more unit leads; nowhere: nothing that begins so is meant. */
export function placesAfter<Unit>(steps: readonly Step<Unit>[], places: Places, unit: Unit): Places {
  const next: number[] = [];
  for (const place of places) {
    const step = steps[place];
    if (step?.takes(unit) === true) reach(steps, step.repeats === true ? place : place + 1, next);
  }
  return next;
}

export function isWhole<Unit>(steps: readonly Step<Unit>[], places: Places): boolean {
  return places.at(-1) === steps.length;
}

/** Places stay in order, so that the last one tells whether they hold a place already. */
function reach<Unit>(steps: readonly Step<Unit>[], from: number, places: number[]): void {
  for (let place = from; place > (places.at(-1) ?? -1); place += 1) {
    places.push(place);
    if (steps[place]?.repeats !== true) return;
  }
}

export function matches<Unit>(steps: readonly Step<Unit>[], units: Iterable<Unit>): boolean {
  let places = firstPlaces(steps);
  for (const unit of units) {
    places = placesAfter(steps, places, unit);
    if (places.length === 0) return false;
  }
  return isWhole(steps, places);
}

export const anyOne = { takes: (): boolean => true } as const;
export const anyNumber = { takes: (): boolean => true, repeats: true } as const;

export function literal(text: string): readonly Step<string>[] {
  return Array.from(text, (sign) => ({ takes: (given: string) => given === sign }));
}

/** A test of whole texts. */
export interface Pattern {
  readonly test: (text: string) => boolean;
}

/** `*` stands for any text. */
export function patternOf(pattern: string): Pattern {
  return starPattern(pattern, () => anyNumber);
}

/** `*` stands for any text without a slash, `**` for any text. */
export function pathPattern(pattern: string): Pattern {
  return starPattern(pattern, (run) => (run === '*' ? anyInName : anyNumber));
}

const anyInName: Step<string> = { takes: (sign) => sign !== '/', repeats: true };

function starPattern(pattern: string, wildcard: (run: string) => Step<string>): Pattern {
  const parts = pattern.split(/(\*+)/);
  // Most texts differ in what stands before the first star.
  const [head = ''] = parts;
  const steps = parts.slice(1).flatMap((part, at) => (at % 2 === 0 ? [wildcard(part)] : literal(part)));
  return { test: (text) => text.startsWith(head) && matches(steps, text.slice(head.length)) };
}

const character = String.raw`(?:\[(?:\\.|[^\]\\])*\]|\\[dwDW.\-/_]|[^()[\]|\\*+?{}^$])`;
const plain = new RegExp(`^\\^?(?:${character}(?:\\?|\\{\\d+(?:,\\d*)?\\})?|${character}[*+])*\\$?$`, 'u');

/**
 * A pattern of somebody else that the language's own engine can't be kept busy by: a sequence of characters and classes with few
 * repeats, no group and no choice. Any other is undefined here, and runs on the engine of `linear-pattern`, which costs its loading.
 */
export function plainPattern(pattern: string): RegExp | undefined {
  const isPlain = plain.test(pattern) && (pattern.match(/[*+{]/g) ?? []).length <= 4;
  return isPlain ? new RegExp(pattern, 'u') : undefined;
}
