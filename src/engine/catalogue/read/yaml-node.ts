import type { Named, YamlAlias, YamlEvent, YamlEvents, YamlScalar } from './yaml-events.js';

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
