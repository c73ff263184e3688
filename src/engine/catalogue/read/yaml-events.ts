import type { Scalar } from '@platform-sync/core/model/value';

/**
 * What a YAML document says and where, without layout, in the order it is written: a value is a scalar, an alias, nothing, or what opens a
 * map or a list, then what is in it (in a map, keys and values by turns), then what closes it.
 */
export type YamlEvent = YamlScalar | YamlAlias | YamlNothing | YamlOpening | YamlClosing;

/** Offsets in the file. What stands before a value, its tag and its anchor, is no part of it. */
export interface Placed {
  readonly start: number;
  readonly end: number;
}

interface Named {
  /** Undefined, too, for YAML's own tags: they are in the value already. */
  readonly tag: string | undefined;
  readonly anchor: string | undefined;
}

export interface YamlScalar extends Placed, Named {
  readonly kind: 'scalar';
  readonly value: Scalar;
  /** As written, without quotes and escapes: what counts of a key. */
  readonly text: string;
  /** True without quotes, `|` and `>`. */
  readonly plain: boolean;
}

export interface YamlAlias extends Placed {
  readonly kind: 'alias';
  /** The anchor it stands for. */
  readonly name: string;
}

/** No colon stands behind a key. */
interface YamlNothing extends Placed {
  readonly kind: 'nothing';
}

interface YamlOpening extends Named {
  readonly kind: 'map' | 'list';
  readonly start: number;
}

interface YamlClosing {
  readonly kind: 'end';
  /** Where the last thing in it ends; in brackets, behind the bracket. */
  readonly end: number;
}

/** Events one by one. Whoever asks knows when to stop: at the end of the value. */
export interface YamlEvents {
  next(): YamlEvent;
}

/** Events that were kept. */
export function eventsFrom(kept: readonly YamlEvent[]): YamlEvents {
  let at = 0;
  return {
    next() {
      const event = kept[at++];
      if (event === undefined) throw new Error('bug: no event of this value is left');
      return event;
    },
  };
}

/** All events of the value that one begins. */
export function valueEvents(first: YamlEvent, events: YamlEvents): readonly YamlEvent[] {
  const found = [first];
  let open = 0;
  for (let event = first; ; found.push((event = events.next()))) {
    if (event.kind === 'map' || event.kind === 'list') open++;
    if (event.kind === 'end') open--;
    if (open === 0) return found;
  }
}

/** Deeper nesting than this is no catalogue but an attack on the stack. */
export const maxDepth = 100;

/** The tags that may stand before a value of each kind. */
export const tagsOf: Readonly<Record<'scalar' | 'map' | 'list', readonly string[]>> = {
  scalar: ['!file', '!env', '!secret', '!json', '!unset'],
  map: ['!secret', '!json', '!lookup'],
  list: ['!secret', '!json'],
};

/** `false`. */
const longestWord = 5;

/** The value of an unquoted word by the rules of YAML 1.2's core schema. */
export function coreValue(text: string): Scalar {
  // Longer than any word that means something and begins like no number: most are plain words.
  if (text.length > longestWord && (text[0] ?? '') >= 'A') return text;
  switch (text) {
    case '':
    case '~':
    case 'null':
    case 'Null':
    case 'NULL':
      return null;
    case 'true':
    case 'True':
    case 'TRUE':
      return true;
    case 'false':
    case 'False':
    case 'FALSE':
      return false;
  }
  if (!/^[-+.\d]/.test(text)) return text;
  if (/^(?:[-+]?\d+|0o[0-7]+|0x[\dA-Fa-f]+)$/.test(text)) return Number(text);
  if (/^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(text)) return Number(text);
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return /^\.(?:nan|NaN|NAN)$/.test(text) ? NaN : text;
}

/** A value of a YAML document as a whole, for those that read it in another order than it is written in. */
export type YamlNode = YamlScalar | YamlMap | YamlList | YamlAlias;

/** Offsets in the file. */
interface Collection extends Named {
  readonly start: number;
  /** Where the last thing in it ends; in brackets, behind the bracket. */
  readonly end: number;
}

export interface YamlMap extends Collection {
  readonly kind: 'map';
  readonly pairs: readonly YamlPair[];
}

export interface YamlPair {
  /** Undefined where nothing is written. */
  readonly key: YamlNode | undefined;
  readonly value: YamlNode | undefined;
}

interface YamlList extends Collection {
  readonly kind: 'list';
  readonly items: readonly YamlNode[];
}

/** The next value; undefined for nothing. */
export function nodeOf(events: YamlEvents): YamlNode | undefined {
  return nodeFrom(events.next(), events);
}

function nodeFrom(event: YamlEvent, events: YamlEvents): YamlNode | undefined {
  switch (event.kind) {
    case 'scalar':
    case 'alias':
      return event;
    case 'map': {
      const pairs: YamlPair[] = [];
      let key = events.next();
      for (; key.kind !== 'end'; key = events.next()) pairs.push({ key: nodeFrom(key, events), value: nodeOf(events) });
      return { kind: 'map', start: event.start, end: key.end, tag: event.tag, anchor: event.anchor, pairs };
    }
    case 'list': {
      const items: YamlNode[] = [];
      let item = events.next();
      for (; item.kind !== 'end'; item = events.next()) {
        const node = nodeFrom(item, events);
        if (node !== undefined) items.push(node);
      }
      return { kind: 'list', start: event.start, end: item.end, tag: event.tag, anchor: event.anchor, items };
    }
    default:
      return undefined;
  }
}
