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
import { mayBeDeeper, mostYamlLevels } from '../../model/yaml-depth.js';
import { coreValue, tagsOf } from './yaml-node.js';
import type { YamlAlias, YamlList, YamlMap, YamlNode, YamlPair, YamlScalar } from './yaml-node.js';

/** Thrown where it isn't certain that the two parsers agree. Nobody outside sees it. */
class Doubt extends Error {}

/** One for all: making a stack trace would cost more than the reading. */
const doubt = new Doubt();

/** Tabs that may be indentation, ends of documents, directives, byte order marks. */
const doubtful = /^(?:\.\.\.|%)|(?:^|[^\w.)])\t|\t(?![\w(])|\r(?!\n)|\ufeff/m;
/** Most texts have none of its signs, and to look for a sign alone takes a tenth of the time. */
const mayBeDoubtful = (text: string): boolean =>
  ['\t', '\r', '\u2028', '\u2029', '\ufeff', '\n...', '\n%'].some((sign) => text.includes(sign)) ||
  /^(?:\.\.\.|%)/.test(text);
const absent = -1;
/** The parser of record refuses longer keys. */
const longestKey = 1000;

/**
 * The documents of a text, or undefined for the parser of record to read them: at every mistake, and at what the two
 * parsers may take differently.
 */
export function readEvents(text: string): readonly YamlNode[] | undefined {
  // The event reader takes an indented `---` in the first line for a start of a document.
  if (mayBeDoubtful(text) && doubtful.test(text)) return undefined;
  if (text.startsWith(' ') || text.endsWith(' ')) return undefined;
  let events: Event[];
  try {
    events = parseEvents(text, {});
  } catch {
    return undefined;
  }
  try {
    return new EventReader(text, events).documents();
  } catch (error) {
    if (error instanceof Doubt) return undefined;
    throw error;
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

type Collection = MappingEvent | SequenceEvent;
type Named = Collection | ScalarEvent | AliasEvent;

class EventReader {
  readonly #text: string;
  readonly #events: (Event | undefined)[];
  #at = 0;

  constructor(text: string, events: Event[]) {
    this.#text = text;
    this.#events = events;
  }

  documents(): readonly YamlNode[] {
    const found: YamlNode[] = [];
    while (this.#at < this.#events.length) {
      const event = this.#next();
      if (event.type !== EVENT_ID.DOCUMENT || event.directives.length > 0) throw doubt;
      const root = this.#node();
      if (root.kind !== 'map' && root.kind !== 'list') throw doubt;
      found.push(root);
      this.#next();
    }
    if (found.length === 0) throw doubt;
    return found;
  }

  /** Lets go of what it gives: for large files, memory is what the events take. */
  #next(): Event {
    const event = this.#events[this.#at];
    if (event === undefined) throw doubt;
    this.#events[this.#at++] = undefined;
    return event;
  }

  #node(): YamlNode {
    const event = this.#next();
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return this.#scalar(event);
      case EVENT_ID.MAPPING:
        return this.#map(event);
      case EVENT_ID.SEQUENCE:
        return this.#list(event);
      case EVENT_ID.ALIAS:
        return this.#alias(event);
      default:
        throw doubt;
    }
  }

  #map(event: Collection): YamlMap {
    const { start } = event;
    const flow = this.#isFlow(event, '{');
    const pairs: YamlPair[] = [];
    let last = start + 1;
    while (!this.#closes()) {
      const key = this.#key();
      const value = this.#valueBehind(key, flow);
      pairs.push({ key, value });
      last = value.end;
    }
    const end = flow ? this.#closing(last, '}') : last;
    return { kind: 'map', start, end, tag: this.#tag(event, 'map'), anchor: this.#anchor(event), pairs };
  }

  #key(): YamlScalar {
    const key = this.#node();
    if (key.kind !== 'scalar' || key.tag !== undefined || key.anchor !== undefined) throw doubt;
    if (key.end - key.start > longestKey) throw doubt;
    return key;
  }

  #valueBehind(key: YamlScalar, flow: boolean): YamlNode {
    const colon = this.#skipSpaces(key.end);
    if (this.#text[colon] !== ':') throw doubt;
    return !flow && this.#isEmpty() && !this.#isTagged() ? this.#empty(this.#skipSpaces(colon + 1)) : this.#node();
  }

  #list(event: Collection): YamlList {
    const { start } = event;
    const flow = this.#isFlow(event, '[');
    const items: YamlNode[] = [];
    while (!this.#closes()) items.push(this.#node());
    const last = items.at(-1)?.end ?? start + 1;
    const end = flow ? this.#closing(last, ']') : last;
    return { kind: 'list', start, end, tag: this.#tag(event, 'list'), anchor: this.#anchor(event), items };
  }

  /** A map without brackets inside a bracketed list is neither here nor there. */
  #isFlow({ style, start }: Collection, bracket: string): boolean {
    if (style === COLLECTION_STYLE.BLOCK) return false;
    if (this.#text[start] !== bracket) throw doubt;
    return true;
  }

  #closes(): boolean {
    if (this.#events[this.#at]?.type !== EVENT_ID.POP) return false;
    this.#at++;
    return true;
  }

  #isEmpty(): boolean {
    const event = this.#events[this.#at];
    return event?.type === EVENT_ID.SCALAR && event.valueStart === absent;
  }

  #isTagged(): boolean {
    const event = this.#events[this.#at];
    return event?.type === EVENT_ID.SCALAR && event.tagStart !== absent;
  }

  /** `!unset`, the one tag that stands alone. */
  #unset(event: ScalarEvent): YamlScalar {
    const tag = this.#tag(event, 'scalar');
    if (tag !== '!unset' || event.anchorStart !== absent) throw doubt;
    const offset = this.#skipSpaces(event.tagEnd);
    return { kind: 'scalar', start: offset, end: offset, tag, anchor: undefined, value: null, text: '', plain: true };
  }

  #empty(offset: number): YamlScalar {
    const event = this.#next() as ScalarEvent;
    if (event.tagStart !== absent || event.anchorStart !== absent) throw doubt;
    const nothing = { tag: undefined, anchor: undefined, value: null, text: '', plain: true };
    return { kind: 'scalar', start: offset, end: offset, ...nothing };
  }

  #scalar(event: ScalarEvent): YamlScalar {
    const { style, valueStart, valueEnd } = event;
    if (valueStart === absent) return this.#unset(event);
    const text = getScalarValue(this.#text, event);
    const tag = event.tagStart === absent ? undefined : this.#tag(event, 'scalar');
    const anchor = event.anchorStart === absent ? undefined : this.#anchor(event);
    let start = valueStart;
    let end = valueEnd;
    let plain = false;
    let value: Scalar = text;
    if (style === SCALAR_STYLE.PLAIN) {
      plain = true;
      value = coreValue(text);
    } else if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED) {
      start--;
      end++;
    } else {
      start = this.#header(valueStart);
      end = this.#blockEnd(event);
    }
    return { kind: 'scalar', start, end, tag, anchor, value, text, plain };
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

  #alias({ anchorStart, anchorEnd }: AliasEvent): YamlAlias {
    return { kind: 'alias', start: anchorStart - 1, end: anchorEnd, name: this.#name(anchorStart, anchorEnd) };
  }

  #tag({ tagStart, tagEnd }: Exclude<Named, AliasEvent>, kind: keyof typeof tagsOf): string | undefined {
    if (tagStart === absent) return undefined;
    const tag = this.#text.slice(tagStart, tagEnd);
    if (!tagsOf[kind].includes(tag)) throw doubt;
    return tag;
  }

  #anchor({ anchorStart, anchorEnd }: Named): string | undefined {
    return anchorStart === absent ? undefined : this.#name(anchorStart, anchorEnd);
  }

  #name(start: number, end: number): string {
    const name = this.#text.slice(start, end);
    if (!/^[\w-]+$/.test(name)) throw doubt;
    return name;
  }

  /** The offset behind a closing bracket. */
  #closing(from: number, bracket: string): number {
    const text = this.#text;
    for (let at = from; ; at++) {
      const letter = text[at];
      if (letter === bracket) return at + 1;
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
