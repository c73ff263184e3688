import { EVENT_ID, type AliasEvent, type ScalarEvent } from 'js-yaml';
import { Doubt, doubt, EventCursor, type Collection } from './event-cursor.js';
import {
  coreValue,
  type YamlAlias,
  type YamlList,
  type YamlMap,
  type YamlNode,
  type YamlPair,
  type YamlScalar,
} from './yaml-node.js';

/** Tabs that may be indentation, ends of documents, directives, byte order marks. */
const doubtful = /^(?:\.\.\.|%)|(?:^|[^\w.)])\t|\t(?![\w(])|\r(?!\n)|\ufeff/m;
/** Most texts have none of its signs, and to look for a sign alone takes a tenth of the time. */
const mayBeDoubtful = (text: string): boolean =>
  ['\t', '\r', '\u2028', '\u2029', '\ufeff', '\n...', '\n%'].some((sign) => text.includes(sign)) ||
  /^(?:\.\.\.|%)/.test(text);

/**
 * The documents of a text, or undefined for the parser of record to read them: at every mistake, and at what the two
 * parsers may take differently.
 */
export function readEvents(text: string): readonly YamlNode[] | undefined {
  return readEventsBy(text, (events) => events.node());
}

/** The same as what `read` makes of the root of each document. What it made before a doubt is of no worth. */
export function readEventsBy<T>(text: string, read: (events: EventReader) => T): readonly T[] | undefined {
  // The event reader takes an indented `---` in the first line for a start of a document.
  if (mayBeDoubtful(text) && doubtful.test(text)) return undefined;
  if (text.startsWith(' ') || text.endsWith(' ')) return undefined;
  let events: EventReader;
  try {
    events = new EventReader(text);
  } catch {
    return undefined;
  }
  try {
    const found: T[] = [];
    while (events.enters()) {
      found.push(read(events));
      events.next();
    }
    return found.length === 0 ? undefined : found;
  } catch (error) {
    if (error instanceof Doubt) return undefined;
    throw error;
  }
}

/** Makes nodes of events. */
export class EventReader extends EventCursor {
  node(): YamlNode {
    const event = this.next();
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
    const isFlow = this.isFlow(event, '{');
    const pairs: YamlPair[] = [];
    while (!this.closes()) {
      const key = this.#key();
      pairs.push({ key, value: this.hasValue(isFlow) ? this.node() : this.#nothing(undefined) });
    }
    if (isFlow) this.leave('}');
    return { kind: 'map', start, end: this.end, tag: this.tag(event, 'map'), anchor: this.anchor(event), pairs };
  }

  #key(): YamlScalar {
    const text = this.key();
    const { start, end, isPlain: plain } = this;
    return {
      ...{ kind: 'scalar', start, end, tag: undefined, anchor: undefined },
      ...{ value: plain ? coreValue(text) : text, text, plain },
    };
  }

  #list(event: Collection): YamlList {
    const { start } = event;
    const isFlow = this.isFlow(event, '[');
    const items: YamlNode[] = [];
    while (!this.closes()) items.push(this.node());
    if (isFlow) this.leave(']');
    return { kind: 'list', start, end: this.end, tag: this.tag(event, 'list'), anchor: this.anchor(event), items };
  }

  #scalar(event: ScalarEvent): YamlScalar {
    if (event.valueStart < 0) return this.#nothing(this.unset(event));
    const text = this.textOf(event);
    const { start, end, isPlain: plain } = this;
    const value = plain ? coreValue(text) : text;
    return {
      kind: 'scalar',
      start,
      end,
      tag: this.tag(event, 'scalar'),
      anchor: this.anchor(event),
      value,
      text,
      plain,
    };
  }

  #nothing(tag: string | undefined): YamlScalar {
    const { start, end } = this;
    return { kind: 'scalar', start, end, tag, anchor: undefined, value: null, text: '', plain: true };
  }

  #alias(event: AliasEvent): YamlAlias {
    this.start = event.anchorStart - 1;
    this.end = event.anchorEnd;
    return { kind: 'alias', start: this.start, end: this.end, name: this.anchor(event) ?? '' };
  }
}
