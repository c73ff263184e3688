import type { Diagnostic, Place as FilePlace } from './diagnostic.js';
import { hasSecret, isList, isObject, isSecret, type Json, type JsonObject, ownMember, type Value } from './value.js';

/** What stands in the place of a secret. */
const redacted = '(secret)';

/** A shorter word is no secret in a text (it would garble messages); the field that holds it is never shown. */
export const shortestInText = 8;
/** A part of a secret that is this long is one, too; of a shorter secret only the whole. */
const shortestPart = 12;
/** Each run of `shortestPart` holds one of the grams that are looked up, whole. */
const gramLength = 8;
const stride = shortestPart - gramLength + 1;
/** Of what is as large as a file, fewer grams are kept, and only longer parts are found. */
const largest = 64 * 1024;
/** A gram that stands in more places is hidden without asking where it goes on. */
const mostPlaces = 64;

type IsOpen = (text: string) => boolean;

/** One way to write a secret. */
interface Form {
  readonly units: Uint16Array;
  /** Units that make a part of it. */
  readonly least: number;
}

/** Where a gram stands in a form; `before`: the place of the same hash that was noted before it. */
interface Place {
  readonly form: Form;
  readonly at: number;
  readonly before: Place | undefined;
}

/**
 * All secret texts that a run has resolved, sent or received, and the one way to take them out of what is told: whoever
 * repeats them, or a part of them, in whatever spelling. The time grows with the text alone.
 */
export class Redactor {
  readonly #secrets = new Set<string>();
  /** Secrets of which folding leaves too little to know them by. */
  readonly #asTheyAre = new Set<string>();
  /** By hash, the last one of each. */
  readonly #places = new Map<number, Place>();
  /** Whether a gram with these last bits is looked up at all: a bit each. */
  readonly #known = new Uint8Array(1 << 13);
  readonly #isWholeOnly: boolean;

  /**
   * `isWholeOnly`: no part of a secret counts. Texts of somebody's proposal are told, too: whoever knows how a secret begins would
   * learn the rest character by character, from what is hidden of guesses.
   */
  constructor({ isWholeOnly = false }: { readonly isWholeOnly?: boolean } = {}) {
    this.#isWholeOnly = isWholeOnly;
  }

  add(text: string): void {
    for (const each of [text, ...lines(text)]) {
      if (each.length < shortestInText || this.#secrets.has(each)) continue;
      this.#secrets.add(each);
      if (foldedUnits(each).length < shortestInText) this.#asTheyAre.add(each);
      for (const { text: form, open = '' } of formsOf(each))
        for (const isPlain of waysToFold(form))
          this.#note(foldedUnits(form, isPlain), foldedUnits(open, isPlain).length);
    }
  }

  /** `open`: so many units tell nothing alone. */
  #note(units: Uint16Array, open: number): void {
    if (units.length < gramLength) return;
    const form = { units, least: this.#isWholeOnly ? units.length : Math.min(units.length, shortestPart) };
    if (form.least === units.length) return this.#noteGram(form, 0);
    const from = Math.max(0, Math.min(open - gramLength / 2, units.length - gramLength));
    const step = Math.max(stride, Math.ceil(units.length / largest));
    for (let at = from; at + gramLength <= units.length; at += step) this.#noteGram(form, at);
  }

  #noteGram(form: Form, at: number): void {
    const hash = hashAt(form.units, at);
    this.#known[(hash & 0xffff) >> 3] = this.#mask(hash) | (1 << (hash & 7));
    this.#places.set(hash, { form, at, before: this.#places.get(hash) });
  }

  #mask(hash: number): number {
    return this.#known[(hash & 0xffff) >> 3] ?? 0;
  }

  /** Every text in the secret parts of a value. */
  addValue(value: Value): void {
    for (const text of secretTexts(value)) this.add(text);
  }

  /** `isOpen`: what everybody may read stays, also where it is part of a secret. */
  text(given: string, isOpen: IsOpen = () => false): string {
    if (this.#secrets.size === 0 || given.length < shortestInText) return given;
    let told = given;
    for (const isPlain of waysToFold(given)) told = this.#without(told, isPlain, isOpen);
    for (const secret of this.#asTheyAre) if (!isOpen(secret)) told = told.replaceAll(secret, redacted);
    return told;
  }

  #without(given: string, isPlain: boolean, isOpen: IsOpen): string {
    const text = folded(given, isPlain);
    let told = '';
    let from = 0;
    for (const [first, end] of this.#runs(text.units)) {
      const start = text.starts[first] ?? 0;
      if (isOpen(given.slice(start, text.ends[end - 1] ?? given.length))) continue;
      // What touches is hidden as one.
      if (start > from || from === 0) told += given.slice(from, start) + redacted;
      from = text.ends[end - 1] ?? given.length;
    }
    return from === 0 ? given : told + given.slice(from);
  }

  /** What is of a secret, in units; in order, and apart. */
  *#runs(units: FoldedText['units']): Generator<readonly [first: number, end: number]> {
    let done = 0;
    let hash = hashAt(units, 0);
    for (let at = 0; at + gramLength <= units.length; at += 1) {
      const place = this.#mask(hash) & (1 << (hash & 7)) ? this.#places.get(hash) : undefined;
      const run = place && longestRun(units, at, done, place);
      if (run === undefined) {
        hash = nextHash(hash, units, at);
        continue;
      }
      yield run;
      done = run[1];
      hash = hashAt(units, done);
      at = done - 1;
    }
  }

  /** Whether any text in a value holds a secret. */
  isIn(value: Json): boolean {
    if (this.#secrets.size === 0) return false;
    if (typeof value === 'string') return this.text(value) !== value;
    if (isList(value)) return value.some((item) => this.isIn(item));
    return isObject(value) && Object.entries(value).some(([key, member]) => this.isIn(key) || this.isIn(member));
  }

  /** A value that is only shown, with all its texts. */
  value(given: Json): Json {
    if (typeof given === 'string') return this.text(given);
    if (isList(given)) return given.map((item) => this.value(item));
    return isObject(given) ? this.object(given) : given;
  }

  object(given: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(given).map(([key, member]) => [this.text(key), this.value(member)]));
  }

  /** The words of a diagnostic; code, address and field are as they were, and so is a place but for its line. */
  diagnostic<T extends Diagnostic>(given: T, isOpen?: IsOpen): T {
    if (this.#secrets.size === 0) return given;
    const { summary, detail, hint, place, related, correction } = given;
    const edit = JSON.stringify(correction ?? null);
    return {
      ...given,
      // An edit without a part of its words would write what is left.
      ...(this.text(edit) === edit ? {} : { correction: undefined }),
      summary: this.text(summary, isOpen),
      ...(detail === undefined ? {} : { detail: this.text(detail, isOpen) }),
      ...(hint === undefined ? {} : { hint: this.text(hint, isOpen) }),
      ...(place === undefined ? {} : { place: this.#place(place) }),
      ...(related === undefined
        ? {}
        : {
            related: related.map((one) => ({ place: this.#place(one.place), message: this.text(one.message, isOpen) })),
          }),
    };
  }

  /** A line of a file that holds a secret is not shown: what marks a part of it would mark another. */
  #place(place: FilePlace): FilePlace {
    if (place.text === undefined || this.text(place.text) === place.text) return place;
    const { text: _, ...rest } = place;
    return rest;
  }

  diagnostics(given: readonly Diagnostic[], isOpen?: IsOpen): readonly Diagnostic[] {
    return given.map((each) => this.diagnostic(each, isOpen));
  }
}

/** What looks like an encoding may be one, or stand for itself. */
function waysToFold(text: string): readonly boolean[] {
  return /[\\%&]/.test(text) ? [false, true] : [false];
}

/** A key of many lines is often quoted by one of them. */
function lines(text: string): readonly string[] {
  return text.includes('\n') ? text.split(/\r?\n/).filter((line) => line.length >= 16) : [];
}

/** Ways to write a secret that folding does not undo; `open`: its beginning, which alone tells nothing. */
function formsOf(text: string): readonly { readonly text: string; readonly open?: string }[] {
  // Who is asked is no secret: what is asked for is.
  const [open = ''] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+(?=[/?#])/i.exec(text) ?? [];
  const encoded = [0, 1, 2].flatMap((offset) => base64At(text, offset)).map((form) => ({ text: form }));
  if (text.length > largest) return [{ text, open }, ...encoded];
  const hex = Buffer.from(text).toString('hex');
  const bytes = hex.match(/../g) ?? [];
  const others = [Array.from(text).reverse().join(''), hex, bytes.join(':'), bytes.join('-')];
  // A form writes blanks so.
  const form = /\s/.test(text) ? [text.replace(/\s/g, '+')] : [];
  return [{ text, open }, ...[...form, ...others].map((each) => ({ text: each })), ...encoded];
}

/** The characters of a base64 text that come from this secret alone, when it begins so many bytes into a group of three. */
function base64At(text: string, offset: number): readonly string[] {
  const bytes = Buffer.from('\0'.repeat(offset) + text);
  const whole = bytes.toString('base64').replace(/=+$/, '');
  const end = bytes.length % 3 === 0 ? whole.length : whole.length - 1;
  const middle = whole.slice(offset === 0 ? 0 : offset + 1, end);
  const other = middle.replaceAll('+', '-').replaceAll('/', '_');
  return middle === other ? [middle] : [middle, other];
}

const base = 0x01000193;
/** `base` to the power of a gram's length. */
const power = Array.from({ length: gramLength }).reduce<number>((product) => Math.imul(product, base), 1);

function hashAt(units: Uint16Array, at: number): number {
  let hash = 0;
  for (let next = at; next < at + gramLength; next += 1) hash = (Math.imul(hash, base) + (units[next] ?? 0)) | 0;
  return hash;
}

/** The hash one unit further. */
function nextHash(hash: number, units: Uint16Array, at: number): number {
  return (Math.imul(hash, base) + (units[at + gramLength] ?? 0) - Math.imul(units[at] ?? 0, power)) | 0;
}

/** How far a text goes on as a secret does, to both sides of a gram that they share; `from`: where it may begin. */
function longestRun(
  units: Uint16Array,
  at: number,
  from: number,
  last: Place,
): readonly [first: number, end: number] | undefined {
  let longest: readonly [number, number] | undefined;
  let count = 0;
  for (let place: Place | undefined = last; place !== undefined; place = place.before) {
    if ((count += 1) > mostPlaces) return longest ?? [at, at + gramLength];
    const { form, at: there } = place;
    let before = 0;
    while (at - before > from && there > before && units[at - before - 1] === form.units[there - before - 1])
      before += 1;
    let after = 0;
    while (there + after < form.units.length && units[at + after] === form.units[there + after]) after += 1;
    if (after < gramLength || before + after < form.least) continue;
    if (longest === undefined || before + after > longest[1] - longest[0]) longest = [at - before, at + after];
  }
  return longest;
}

/**
 * A text without what encodings, cases and line breaks make of it: escapes, entities and percent signs decoded, blanks and
 * backslashes left out, small letters. Two texts that say the same are the same in this form, wherever they were quoted.
 */
interface FoldedText {
  /** UTF-16 units. */
  readonly units: Uint16Array;
  /** Where in the text each of them comes from. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

const space = 0x20;
const backslash = 0x5c;
const percent = 0x25;
const ampersand = 0x26;

// However often one encoding stands in another: `\\\u0041`, `%252541`, `&amp;amp;#65;`.
const escape = /\\+(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|[abefnrtv0](?!\d))?/y;
const percentByte = /%(?:25)*([0-9a-f]{2})/iy;
const entity = /&(?:amp;)*(?:#(\d{1,7});?|#x([0-9a-f]{1,6});?|(lt|gt|quot|apos|amp|nbsp);)/iy;

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', nbsp: ' ' };
const unseen = /[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** `isPlain`: nothing in it is an encoding, whatever it looks like. */
function folded(text: string, isPlain = false): FoldedText {
  // No encoding is shorter than what it stands for.
  const [starts, ends] = [new Uint32Array(text.length), new Uint32Array(text.length)];
  const units = new Fold(new Uint16Array(text.length), isPlain, { starts, ends }).all(text);
  return { units, starts, ends };
}

/** The units alone. */
function foldedUnits(text: string, isPlain = false): FoldedText['units'] {
  return new Fold(new Uint16Array(text.length), isPlain).all(text);
}

/** Printable characters that begin nothing → their small form. */
const plain = Uint16Array.from({ length: 0x7f }, (_, unit) => {
  if (unit <= space || unit === backslash) return 0;
  return unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
});
const simple = plain.map((small, unit) => (unit === percent || unit === ampersand ? 0 : small));

class Fold {
  readonly #units: Uint16Array;
  readonly #isPlain: boolean;
  readonly #places: Pick<FoldedText, 'starts' | 'ends'> | undefined;
  #length = 0;

  constructor(units: Uint16Array, isPlain: boolean, places?: Pick<FoldedText, 'starts' | 'ends'>) {
    this.#units = units;
    this.#isPlain = isPlain;
    this.#places = places;
  }

  all(text: string): Uint16Array {
    const asItIs = this.#isPlain ? plain : simple;
    for (let at = 0; at < text.length;) {
      const unit = text.charCodeAt(at);
      const small = asItIs[unit] ?? 0;
      if (small !== 0) this.#add(small, at, ++at);
      // Neither blanks nor control characters count.
      else if (unit <= space) at += 1;
      else at = this.#isPlain ? this.#takePlain(text, at) : this.#take(text, at);
    }
    return this.#length === this.#units.length ? this.#units : this.#units.subarray(0, this.#length);
  }

  /** Takes what begins here; where the next one does. */
  #take(text: string, at: number): number {
    const unit = text.charCodeAt(at);
    if (unit === backslash) return this.#escape(text, at);
    if (unit === percent) return this.#percents(text, at);
    if (unit === ampersand) return this.#entity(text, at);
    return this.#takePlain(text, at);
  }

  #takePlain(text: string, at: number): number {
    const unit = text.charCodeAt(at);
    if (unit > 0x7e) this.#addText(text.charAt(at), at, at + 1);
    return at + 1;
  }

  #escape(text: string, at: number): number {
    escape.lastIndex = at;
    const [all = '\\', long, short, byte] = escape.exec(text) ?? [];
    const code = long ?? short ?? byte;
    if (code !== undefined) this.#addCode(parseInt(code, 16), at, at + all.length);
    return at + all.length;
  }

  #percents(text: string, at: number): number {
    const { byte, end } = byteAt(text, at) ?? {};
    if (byte === undefined || end === undefined) {
      this.#add(percent, at, at + 1);
      return at + 1;
    }
    const bytes = [byte];
    let last = end;
    for (const length = characterLength(byte); bytes.length < length;) {
      const next = byteAt(text, last);
      if (next === undefined || (next.byte & 0xc0) !== 0x80) break;
      bytes.push(next.byte);
      last = next.end;
    }
    this.#addText(byte < 0x80 ? String.fromCharCode(byte) : Buffer.from(bytes).toString(), at, last);
    return last;
  }

  #entity(text: string, at: number): number {
    entity.lastIndex = at;
    const [all, decimal, hex, name] = entity.exec(text) ?? [];
    if (all === undefined) {
      this.#add(ampersand, at, at + 1);
      return at + 1;
    }
    if (name !== undefined) this.#addText(ownMember(named, name.toLowerCase()) ?? '', at, at + all.length);
    else this.#addCode(parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10), at, at + all.length);
    return at + all.length;
  }

  #addCode(code: number, start: number, end: number): void {
    if (code <= 0x10ffff)
      this.#addText(code <= 0xffff ? String.fromCharCode(code) : String.fromCodePoint(code), start, end);
  }

  #addText(text: string, start: number, end: number): void {
    const printable = text.length === 1 ? (plain[text.charCodeAt(0)] ?? 0) : 0;
    if (printable !== 0) return this.#add(printable, start, end);
    if (text === '\\' || unseen.test(text)) return;
    const small = text.toLowerCase();
    const same = small.length === text.length ? small : text;
    for (let at = 0; at < same.length; at += 1) this.#add(same.charCodeAt(at), start, end);
  }

  #add(unit: number, start: number, end: number): void {
    // Halves of a character may be written apart, or as one: neither counts.
    if ((unit & 0xf800) === 0xd800) return;
    this.#units[this.#length] = unit;
    if (this.#places !== undefined) {
      this.#places.starts[this.#length] = start;
      this.#places.ends[this.#length] = end;
    }
    this.#length += 1;
  }
}

function byteAt(text: string, at: number): { readonly byte: number; readonly end: number } | undefined {
  percentByte.lastIndex = at;
  const [all, hex] = percentByte.exec(text) ?? [];
  return all === undefined || hex === undefined ? undefined : { byte: parseInt(hex, 16), end: at + all.length };
}

/** Bytes of a character in UTF-8, by the first of them. */
function characterLength(first: number): number {
  if (first < 0xc0) return 1;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

const none: readonly string[] = [];

/** The texts in secret parts of a value. */
function secretTexts(value: Value): readonly string[] {
  if (!hasSecret(value)) return none;
  const found = new Set<string>();
  const visit = (part: Value, isInside: boolean): void => {
    if (isSecret(part)) visit(part.value, true);
    else if (typeof part === 'string') {
      if (isInside && part !== '') found.add(part);
    } else if (Array.isArray(part)) part.forEach((item: Value) => visit(item, isInside));
    else if (isObject(part)) Object.values(part).forEach((member) => visit(member, isInside));
  };
  visit(value, false);
  return [...found];
}
