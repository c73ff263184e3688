import { ownMember } from './own-member.js';

/**
 * A text without what encodings, cases and line breaks make of it: escapes, entities and percent signs decoded, blanks and
 * backslashes left out, small letters. Two texts that say the same are the same in this form, wherever they were quoted.
 */
export interface FoldedText {
  /** UTF-16 units. */
  readonly units: Uint16Array;
  /** Where in the text each of them comes from. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

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
export function folded(text: string, isPlain = false): FoldedText {
  // No encoding is shorter than what it stands for.
  const [starts, ends] = [new Uint32Array(text.length), new Uint32Array(text.length)];
  const units = new Fold(new Uint16Array(text.length), isPlain, { starts, ends }).all(text);
  return { units, starts, ends };
}

/** The units alone. */
export function foldedUnits(text: string, isPlain = false): FoldedText['units'] {
  return new Fold(new Uint16Array(text.length), isPlain).all(text);
}

/** Printable characters that begin nothing → their small form. */
const plain = Uint16Array.from({ length: 0x7f }, (_, unit) => {
  if (unit <= 0x20 || unit === backslash) return 0;
  return unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
});
const simple = plain.map((small, unit) => (unit === percent || unit === ampersand ? 0 : small));

/** False for a text that folds alike, plain or not. */
export function mayBeEncoded(text: string): boolean {
  return /[\\%&]/.test(text);
}

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
      const small = asItIs[text.charCodeAt(at)] ?? 0;
      if (small === 0) at = this.#isPlain ? this.#takePlain(text, at) : this.#take(text, at);
      else this.#add(small, at, ++at);
    }
    return this.#units.subarray(0, this.#length);
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
