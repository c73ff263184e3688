import {
  COLLECTION_STYLE,
  CHOMPING_MODE,
  EVENT_ID,
  SCALAR_STYLE,
  getScalarValue,
  parseEvents,
  type AliasEvent,
  type Event,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import type { Scalar } from '../../model/value.js';
import { coreValue, tagsOf } from './yaml-node.js';

export type Collection = MappingEvent | SequenceEvent;
type Named = Collection | ScalarEvent | AliasEvent;

/** Thrown where it isn't certain that the two parsers agree. */
export class Doubt extends Error {}

/** One for all: making a stack trace would cost more than the reading. */
export const doubt = new Doubt();

const absent = -1;
/** The parser of record refuses longer keys. */
const longestKey = 1000;

/** Goes through the events of a text, and tells where what they speak of stands. Throws at what the parsers may take differently. */
export abstract class EventCursor {
  /** Where what was read last stands. Kept here, since an object for each would be made and dropped. */
  start = 0;
  end = 0;
  /** Without quotes, `|` and `>`. */
  isPlain = false;
  readonly #text: string;
  readonly #events: (Event | undefined)[];
  #at = 0;

  /** Throws at a mistake. */
  constructor(text: string) {
    this.#text = text;
    this.#events = parseEvents(text, {});
  }

  /** Goes into the next document, which is a map or a list; false behind the last. */
  enters(): boolean {
    if (this.#at >= this.#events.length) return false;
    const event = this.next();
    if (event.type !== EVENT_ID.DOCUMENT || event.directives.length > 0) throw doubt;
    const type = this.#events[this.#at]?.type;
    if (type !== EVENT_ID.MAPPING && type !== EVENT_ID.SEQUENCE) throw doubt;
    return true;
  }

  /** Lets go of what it gives: for large files, memory is what the events take. */
  next(): Event {
    const event = this.#events[this.#at];
    if (event === undefined) throw doubt;
    this.#events[this.#at++] = undefined;
    return event;
  }

  /** What comes next, where it has neither tag nor anchor, is no alias, and calls no function. */
  bareKind(): 'scalar' | 'map' | 'list' | undefined {
    const event = this.#events[this.#at];
    switch (event?.type) {
      case EVENT_ID.SCALAR:
        return isBare(event) && event.valueStart !== absent ? 'scalar' : undefined;
      case EVENT_ID.SEQUENCE:
        return isBare(event) ? 'list' : undefined;
      case EVENT_ID.MAPPING:
        return isBare(event) && !this.#mayCall(this.#events[this.#at + 1]) ? 'map' : undefined;
      default:
        return undefined;
    }
  }

  /** Does a map begin with a key that may be the name of a function? */
  #mayCall(key: Event | undefined): boolean {
    if (key?.type !== EVENT_ID.SCALAR) return key?.type !== EVENT_ID.POP;
    const { style, valueStart } = key;
    if (style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK) return true;
    return this.#text.startsWith('fn::', valueStart) || this.#text[valueStart] === '\\';
  }

  /** Goes into a map or a list; true for one in brackets. */
  opens(bracket: '{' | '['): boolean {
    const event = this.next();
    if (event.type !== EVENT_ID.MAPPING && event.type !== EVENT_ID.SEQUENCE) throw doubt;
    return this.isFlow(event, bracket);
  }

  /** A map without brackets inside a bracketed list is neither here nor there. */
  isFlow({ style, start }: Collection, bracket: string): boolean {
    this.start = start;
    this.end = start + 1;
    if (style === COLLECTION_STYLE.BLOCK) return false;
    if (this.#text[start] !== bracket) throw doubt;
    return true;
  }

  closes(): boolean {
    if (this.#events[this.#at]?.type !== EVENT_ID.POP) return false;
    this.#at++;
    return true;
  }

  /** The value of what is a bare scalar. */
  scalar(): Scalar {
    const event = this.next();
    if (event.type !== EVENT_ID.SCALAR) throw doubt;
    const text = this.textOf(event);
    return this.isPlain ? coreValue(text) : text;
  }

  /** The text of a key. */
  key(): string {
    const event = this.next();
    if (event.type !== EVENT_ID.SCALAR || event.valueStart === absent || !isBare(event)) throw doubt;
    const text = this.textOf(event);
    if (this.end - this.start > longestKey) throw doubt;
    return text;
  }

  /** Goes behind the colon of the key that was read last. Is there a value? */
  hasValue(isFlow: boolean): boolean {
    const colon = this.#skipSpaces(this.end);
    if (this.#text[colon] !== ':') throw doubt;
    const event = this.#events[this.#at];
    if (isFlow || event?.type !== EVENT_ID.SCALAR || event.valueStart !== absent || event.tagStart !== absent)
      return true;
    if (event.anchorStart !== absent) throw doubt;
    this.next();
    this.start = this.end = this.#skipSpaces(colon + 1);
    return false;
  }

  /** The text of a scalar; finds its place, too, quotes and the header of a block included. */
  textOf(event: ScalarEvent): string {
    const { style, valueStart, valueEnd } = event;
    this.isPlain = style === SCALAR_STYLE.PLAIN;
    if (this.isPlain) {
      this.start = valueStart;
      this.end = valueEnd;
    } else if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED) {
      this.start = valueStart - 1;
      this.end = valueEnd + 1;
    } else {
      this.start = this.#header(valueStart);
      this.end = this.#blockEnd(event);
    }
    return getScalarValue(this.#text, event);
  }

  /** Where the `|` or `>` stands in the line above a block. */
  #header(block: number): number {
    const from = this.#lineStart(block);
    const line = this.#text.slice(from, block);
    if (line.endsWith('|\n') && !line.includes('#')) return block - 2;
    const comment = line.indexOf(' #');
    const header = comment < 0 ? line : line.slice(0, comment);
    const at = header.search(/[|>][-+1-9]{0,2}\s*$/);
    // In quotes, ` #` is no comment.
    if (at < 0 || (comment >= 0 && /["']/.test(header))) throw doubt;
    return from + at;
  }

  /** Blank lines at the end belong to a block only if it keeps them. */
  #blockEnd({ valueStart, valueEnd, chomping }: ScalarEvent): number {
    if (this.#isBlank(valueStart, this.#lineEnd(valueStart))) throw doubt;
    let end = valueEnd;
    for (let last = this.#lineStart(end); this.#isBlank(last, end); last = this.#lineStart(end)) {
      if (this.#text[last] === ' ') throw doubt;
      if (chomping === CHOMPING_MODE.KEEP) break;
      end = last;
    }
    return end;
  }

  /** The start of the line that ends at an offset, with its line break. */
  #lineStart(end: number): number {
    return this.#text.lastIndexOf('\n', end - 2) + 1;
  }

  /** Where the line of an offset ends, at its line break. */
  #lineEnd(offset: number): number {
    const end = this.#text.indexOf('\n', offset);
    return end < 0 ? this.#text.length : end;
  }

  #isBlank(start: number, end: number): boolean {
    // A plain letter behind the spaces is all there is to see of most lines.
    const at = this.#skipSpaces(start);
    const sign = this.#text.charCodeAt(at);
    if (at < end && sign > 32 && sign < 127) return false;
    return /^\s*$/.test(this.#text.slice(start, end));
  }

  protected tag({ tagStart, tagEnd }: Exclude<Named, AliasEvent>, kind: keyof typeof tagsOf): string | undefined {
    if (tagStart === absent) return undefined;
    const tag = this.#text.slice(tagStart, tagEnd);
    if (!tagsOf[kind].includes(tag)) throw doubt;
    return tag;
  }

  protected anchor({ anchorStart, anchorEnd }: Named): string | undefined {
    if (anchorStart === absent) return undefined;
    const name = this.#text.slice(anchorStart, anchorEnd);
    if (!/^[\w-]+$/.test(name)) throw doubt;
    return name;
  }

  /** `!unset`, the one tag that stands alone. */
  protected unset(event: ScalarEvent): string {
    const tag = this.tag(event, 'scalar');
    if (tag !== '!unset' || event.anchorStart !== absent) throw doubt;
    this.start = this.end = this.#skipSpaces(event.tagEnd);
    return tag;
  }

  /** Goes behind the closing bracket. */
  leave(bracket: '}' | ']'): void {
    const text = this.#text;
    for (let at = this.end; ; at++) {
      const letter = text[at];
      if (letter === bracket) {
        this.end = at + 1;
        return;
      }
      if (letter === '#') at = this.#lineEnd(at);
      else if (letter === undefined || !' ,\r\n'.includes(letter)) throw doubt;
    }
  }

  #skipSpaces(offset: number): number {
    let at = offset;
    while (this.#text[at] === ' ') at++;
    return at;
  }
}

function isBare({ tagStart, anchorStart }: Exclude<Named, AliasEvent>): boolean {
  return tagStart === absent && anchorStart === absent;
}
