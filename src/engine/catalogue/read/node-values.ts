import { setMember, type Json } from '@platform-sync/core/model/value';
import type { Placed, YamlAlias, YamlMap, YamlNode, YamlPair } from './yaml-events.js';

/** Aliases may stand for this many values in all: far more than anybody writes, far fewer than fill a memory. */
const mostShared = 2_000_000;

interface Anchored {
  readonly node: YamlNode;
  readonly value: Json;
  readonly size: number;
}

/** The JSON that nodes mean, with aliases and merged maps, and the way back from a part of it to its place. */
export class NodeValues {
  /** The first thing that keeps the nodes from being JSON. */
  mistake: { readonly what: string; readonly at: Placed } | undefined;
  readonly #anchors = new Map<string, Anchored>();
  readonly #meant = new Map<YamlAlias, YamlNode>();
  #shared = 0;
  #size = 0;

  valueOf(node: YamlNode): Json {
    const before = this.#size;
    this.#size += 1;
    const value = this.#plain(node);
    if (node.kind !== 'alias' && node.anchor !== undefined)
      this.#anchors.set(node.anchor, { node, value, size: this.#size - before });
    return value;
  }

  /** The range of a part: of a text or number itself, of a map or list its key. With `member`, that key of it. */
  rangeOf(root: YamlNode, path: readonly string[], member?: string): Placed {
    let node: YamlNode = root;
    let range: Placed = root;
    for (const name of path) {
      const [key, value] = this.#stepInto(node, name);
      if (value === undefined) return range;
      node = value;
      range = key === undefined || value.kind === 'scalar' ? value : key;
    }
    const [key, value] = member === undefined ? [] : this.#stepInto(node, member);
    return key ?? value ?? range;
  }

  #stepInto(from: YamlNode, name: string): readonly [YamlNode | undefined, YamlNode | undefined] {
    const node = this.#target(from);
    if (node?.kind === 'list') return [undefined, node.items[Number(name)]];
    if (node?.kind !== 'map') return [undefined, undefined];
    const pair = node.pairs.findLast(({ key }) => key?.kind === 'scalar' && key.text === name);
    if (pair !== undefined) return [pair.key, pair.value];
    for (const merged of this.#mergedIn(node)) {
      const found = this.#stepInto(merged, name);
      if (found[1] !== undefined) return found;
    }
    return [undefined, undefined];
  }

  #target(node: YamlNode): YamlNode | undefined {
    return node.kind === 'alias' ? this.#meant.get(node) : node;
  }

  #mergedIn(map: YamlMap): readonly YamlNode[] {
    return map.pairs.filter(isMerge).flatMap(({ value }) => {
      const target = value === undefined ? undefined : this.#target(value);
      return target?.kind === 'list' ? target.items : (target ?? []);
    });
  }

  #plain(node: YamlNode): Json {
    switch (node.kind) {
      case 'scalar':
        return node.value;
      case 'list':
        return node.items.map((item) => this.valueOf(item));
      case 'alias':
        return this.#aliased(node);
      case 'map':
        return this.#map(node);
    }
  }

  #aliased(alias: YamlAlias): Json {
    const anchored = this.#anchors.get(alias.name);
    if (anchored === undefined) {
      this.#fail(`the alias *${alias.name} stands for nothing before it`, alias);
      return null;
    }
    this.#meant.set(alias, anchored.node);
    this.#size += anchored.size;
    this.#shared += anchored.size;
    if (this.#shared > mostShared) {
      this.#fail('its aliases stand for too many values', alias);
      return null;
    }
    return anchored.value;
  }

  #map(map: YamlMap): Json {
    const members: Record<string, Json> = {};
    const merged: Json[] = [];
    for (const pair of map.pairs) {
      const { key, value } = pair;
      const read = value === undefined ? null : this.valueOf(value);
      if (isMerge(pair)) merged.push(...[read].flat());
      else if (key?.kind !== 'scalar') this.#fail('a key is no text', key ?? map);
      else if (Object.hasOwn(members, key.text)) this.#fail(`the key "${key.text}" is there twice`, key);
      else setMember(members, key.text, read);
    }
    for (const one of merged)
      if (typeof one === 'object' && one !== null)
        for (const [name, value] of Object.entries(one))
          if (!Object.hasOwn(members, name)) setMember(members, name, value);
    return members;
  }

  #fail(what: string, at: Placed): void {
    this.mistake ??= { what, at };
  }
}

function isMerge({ key }: YamlPair): boolean {
  return key?.kind === 'scalar' && key.plain && key.text === '<<';
}
