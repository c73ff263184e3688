import {
  type AliasEvent,
  CHOMPING_MODE,
  COLLECTION_STYLE,
  type Event,
  EVENT_ID,
  getScalarValue,
  type MappingEvent,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import {
  coreValue,
  nodeOf,
  tagsOf,
  type YamlEvent,
  type YamlEvents,
  type YamlNode,
  type YamlScalar,
} from './yaml-events.js';
import { mayBeDeeper, mostYamlLevels } from '@platform-sync/core/model/read-json';
import { setMember, type Json } from '@platform-sync/core/model/value';

// Trick: most files are read by a faster parser, and by the parser of record at the first doubt. See "Tricks" in docs/performance.md.

/** What reads by events alone; a test that shuts it off sees the parser of record read everything. */
export const shortcut = { isOpen: true };

type Collection = MappingEvent | SequenceEvent;

/** Thrown where it isn't certain that the two parsers agree. */
class Doubt extends Error {}

/** One for all: making a stack trace would cost more than the reading. */
const doubt = new Doubt();

/** Tabs that may be indentation, ends of documents, directives, byte order marks. */
const doubtful = /^(?:\.\.\.|%)|(?:^|[^\w.)])\t|\t(?![\w(])|\r(?!\n)|\ufeff/m;
/** Most texts have none of its signs, and to look for a sign alone takes a tenth of the time. */
const mayBeDoubtful = (text: string): boolean =>
  ['\t', '\r', '\u2028', '\u2029', '\ufeff', '\n...', '\n%'].some((sign) => text.includes(sign)) ||
  /^(?:\.\.\.|%)/.test(text);

/** The documents of a text as nodes, or undefined for the parser of record to read them. */
export function quickNodes(text: string): readonly YamlNode[] | undefined {
  return quickDocuments(text, nodeOf)?.filter((node) => node !== undefined);
}

/**
 * What `read` makes of the documents of a text, or undefined for the parser of record to read them: at every mistake, and at what the
 * two parsers may take differently. What `read` made before a doubt is of no worth.
 */
export function quickDocuments<T>(text: string, read: (events: JsYamlEvents) => T): readonly T[] | undefined {
  if (!shortcut.isOpen || (mayBeDoubtful(text) && doubtful.test(text))) return undefined;
  // The event reader takes an indented `---` in the first line for a start of a document.
  if (text.startsWith(' ') || text.endsWith(' ')) return undefined;
  let events: JsYamlEvents;
  try {
    events = new JsYamlEvents(text);
  } catch {
    return undefined;
  }
  try {
    const found: T[] = [];
    while (events.enters()) {
      found.push(read(events));
      events.leaves();
    }
    return found.length === 0 ? undefined : found;
  } catch (error) {
    if (error instanceof Doubt) return undefined;
    throw error;
  }
}

/**
 * The value of a text that is one document, without places: it takes half of what nodes take. Undefined, too, where it takes more than
 * one look to say what the text means: at aliases, merged maps, and keys that are there twice.
 */
export function quickValue(text: string): Json | undefined {
  const found = quickDocuments(text, (events) => events.value());
  return found?.length === 1 ? found[0] : undefined;
}

const absent = -1;
/** The parser of record refuses longer keys. */
const longestKey = 1000;

/** A map or list that is not at its end yet. */
interface Open {
  readonly isMap: boolean;
  readonly isFlow: boolean;
  /** In a map: a key was read, and its value is next. */
  isAtValue: boolean;
}

/** The events of js-yaml with what the parser of record tells besides: where things stand. Throws at what the two may take differently. */
class JsYamlEvents implements YamlEvents {
  /** Where what was read last stands. */
  #start = 0;
  #end = 0;
  readonly #text: string;
  readonly #events: (Event | undefined)[];
  readonly #outer: Open[] = [];
  /** The innermost. */
  #open: Open | undefined;
  #at = 0;

  /** Throws at a mistake. */
  constructor(text: string) {
    this.#text = text;
    this.#events = parseEvents(text, {});
  }

  /** Goes into the next document, which is a map or a list; false behind the last. */
  enters(): boolean {
    if (this.#at >= this.#events.length) return false;
    const event = this.#take();
    if (event.type !== EVENT_ID.DOCUMENT || event.directives.length > 0) throw doubt;
    const type = this.#events[this.#at]?.type;
    if (type !== EVENT_ID.MAPPING && type !== EVENT_ID.SEQUENCE) throw doubt;
    return true;
  }

  /** Goes out of the document that was read. */
  leaves(): void {
    this.#take();
  }

  /** Lets go of what it gives: for large files, memory is what the events take. */
  #take(): Event {
    const event = this.#events[this.#at];
    if (event === undefined) throw doubt;
    this.#events[this.#at++] = undefined;
    return event;
  }

  next(): YamlEvent {
    const open = this.#open;
    if (open?.isMap !== true) return this.#value(this.#take());
    if (!open.isAtValue) return this.#key(open);
    open.isAtValue = false;
    return this.#hasValue(open) ? this.#value(this.#take()) : this.#null(undefined);
  }

  /** What comes next as a value. */
  value(): Json {
    const event = this.#take();
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return this.#plainScalar(event);
      case EVENT_ID.MAPPING:
        this.#opens(event, 'map');
        return this.#plainMap();
      case EVENT_ID.SEQUENCE:
        this.#opens(event, 'list');
        return this.#plainList();
      default:
        throw doubt;
    }
  }

  #plainScalar(event: ScalarEvent): Json {
    if (event.valueStart === absent) {
      this.#unset(event);
      return null;
    }
    this.#tag(event, 'scalar');
    this.#anchor(event);
    const text = this.#textOf(event);
    return event.style === SCALAR_STYLE.PLAIN ? coreValue(text) : text;
  }

  #plainMap(): Json {
    const map = this.#open;
    const members: Record<string, Json> = {};
    for (let event = this.#take(); event.type !== EVENT_ID.POP; event = this.#take()) {
      const name = this.#textOf(this.#keyOf(event));
      if (map === undefined || name === '<<' || Object.hasOwn(members, name)) throw doubt;
      setMember(members, name, this.#hasValue(map) ? this.value() : null);
    }
    this.#closes();
    return members;
  }

  #plainList(): Json {
    const items: Json[] = [];
    while (this.#events[this.#at]?.type !== EVENT_ID.POP) items.push(this.value());
    this.#take();
    this.#closes();
    return items;
  }

  #value(event: Event): YamlEvent {
    switch (event.type) {
      case EVENT_ID.SCALAR:
        if (event.valueStart === absent) return this.#null(this.#unset(event));
        return this.#scalar(event, this.#tag(event, 'scalar'), this.#anchor(event));
      case EVENT_ID.MAPPING:
        return this.#opens(event, 'map');
      case EVENT_ID.SEQUENCE:
        return this.#opens(event, 'list');
      case EVENT_ID.ALIAS:
        this.#start = event.anchorStart - 1;
        this.#end = event.anchorEnd;
        return { kind: 'alias', start: this.#start, end: this.#end, name: this.#anchor(event) ?? '' };
      case EVENT_ID.POP:
        return this.#closes();
      default:
        throw doubt;
    }
  }

  #key(map: Open): YamlEvent {
    const event = this.#take();
    if (event.type === EVENT_ID.POP) return this.#closes();
    const key = this.#scalar(this.#keyOf(event), undefined, undefined);
    map.isAtValue = true;
    return key;
  }

  #keyOf(event: Event): ScalarEvent {
    if (event.type !== EVENT_ID.SCALAR || event.valueStart === absent) throw doubt;
    if (event.tagStart !== absent || event.anchorStart !== absent) throw doubt;
    if (event.valueEnd - event.valueStart > longestKey) throw doubt;
    return event;
  }

  /** Goes behind the colon of the key that was read last. Is there a value? */
  #hasValue({ isFlow }: Open): boolean {
    const colon = this.#skipSpaces(this.#end);
    if (this.#text[colon] !== ':') throw doubt;
    const event = this.#events[this.#at];
    if (event?.type === EVENT_ID.POP) throw doubt;
    if (isFlow || event?.type !== EVENT_ID.SCALAR || event.valueStart !== absent || event.tagStart !== absent)
      return true;
    if (event.anchorStart !== absent) throw doubt;
    this.#take();
    this.#start = this.#end = this.#skipSpaces(colon + 1);
    return false;
  }

  #opens(event: Collection, kind: 'map' | 'list'): YamlEvent {
    const { start, style } = event;
    const isFlow = style !== COLLECTION_STYLE.BLOCK;
    // A map without brackets inside a bracketed list is neither here nor there.
    if (isFlow && this.#text[start] !== (kind === 'map' ? '{' : '[')) throw doubt;
    this.#end = start + 1;
    if (this.#open !== undefined) this.#outer.push(this.#open);
    this.#open = { isMap: kind === 'map', isFlow, isAtValue: false };
    return { kind, start, tag: this.#tag(event, kind), anchor: this.#anchor(event) };
  }

  #closes(): YamlEvent {
    const open = this.#open;
    if (open === undefined) throw doubt;
    this.#open = this.#outer.pop();
    if (open.isFlow) this.#leaveBracket(open.isMap ? '}' : ']');
    return { kind: 'end', end: this.#end };
  }

  #scalar(event: ScalarEvent, tag: string | undefined, anchor: string | undefined): YamlScalar {
    const text = this.#textOf(event);
    const plain = event.style === SCALAR_STYLE.PLAIN;
    const value = plain ? coreValue(text) : text;
    return { kind: 'scalar', start: this.#start, end: this.#end, tag, anchor, value, text, plain };
  }

  #null(tag: string | undefined): YamlScalar {
    const [start, end] = [this.#start, this.#end];
    return { kind: 'scalar', start, end, tag, anchor: undefined, value: null, text: '', plain: true };
  }

  /** The text of a scalar; finds its place, too, quotes and the header of a block included. */
  #textOf(event: ScalarEvent): string {
    const { style, valueStart, valueEnd } = event;
    if (style === SCALAR_STYLE.PLAIN) {
      this.#start = valueStart;
      this.#end = valueEnd;
    } else if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED) {
      this.#start = valueStart - 1;
      this.#end = valueEnd + 1;
    } else {
      this.#start = this.#header(valueStart);
      this.#end = this.#blockEnd(event);
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

  #tag({ tagStart, tagEnd }: Collection | ScalarEvent, kind: keyof typeof tagsOf): string | undefined {
    if (tagStart === absent) return undefined;
    const tag = this.#text.slice(tagStart, tagEnd);
    if (!tagsOf[kind].includes(tag)) throw doubt;
    return tag;
  }

  #anchor({ anchorStart, anchorEnd }: Collection | ScalarEvent | AliasEvent): string | undefined {
    if (anchorStart === absent) return undefined;
    const name = this.#text.slice(anchorStart, anchorEnd);
    if (!/^[\w-]+$/.test(name)) throw doubt;
    return name;
  }

  /** `!unset`, the one tag that stands alone. */
  #unset(event: ScalarEvent): string {
    const tag = this.#tag(event, 'scalar');
    if (tag !== '!unset' || event.anchorStart !== absent) throw doubt;
    this.#start = this.#end = this.#skipSpaces(event.tagEnd);
    return tag;
  }

  /** Goes behind the closing bracket. */
  #leaveBracket(bracket: '}' | ']'): void {
    const text = this.#text;
    for (let at = this.#end; ; at++) {
      const letter = text[at];
      if (letter === bracket) {
        this.#end = at + 1;
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

/** Is the text nested deeper than the parser of record can follow? */
export function isTooDeepForYaml(text: string): boolean {
  if (!mayBeDeeper(text)) return false;
  try {
    parseEvents(text, { maxDepth: mostYamlLevels });
    return false;
  } catch (error) {
    return error instanceof Error && error.message.startsWith('nesting exceeded');
  }
}
