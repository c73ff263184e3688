import { isList, isObject, type Json } from '@platform-sync/core/model/value';
import type { Place } from '@platform-sync/core/model/diagnostic';
import { readJson, TooDeepError } from '@platform-sync/core/model/read-json';
import { SourceFiles } from '@platform-sync/catalogue/read/file-texts';
import { isTooDeepForYaml, quickDocuments, quickNodes } from '@platform-sync/catalogue/read/js-yaml-events';
import { documentsOfRecord } from '@platform-sync/catalogue/read/yaml-documents';
import {
  nodeOf,
  type Placed,
  type YamlAlias,
  type YamlEvent,
  type YamlEvents,
  type YamlMap,
  type YamlNode,
  type YamlPair,
} from '@platform-sync/catalogue/read/yaml-events';
import { Problems } from '@platform-sync/catalogue/problem/problems';

/** What keeps a text from being read. */
interface Unreadable {
  readonly what: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly place: Place;
}

/** A specification, or a file that one refers to: its value, and where the parts of it stand. */
export class SpecificationText {
  readonly value: Json | undefined;
  readonly unreadable: Unreadable | undefined;
  readonly #sources = new SourceFiles();
  #root: YamlNode | undefined;
  #isLocated = false;
  #values: NodeValues | undefined;

  constructor(
    readonly file: string,
    readonly text: string,
  ) {
    this.#sources.add(file, text);
    const read = this.#read();
    this.value = read.value;
    this.unreadable = read.unreadable;
  }

  /** Where a part of the value stands: a text or number itself, a map or list at its key. With `member`, that key of it. */
  placeOf(path: readonly string[], member?: string): Place {
    const root = this.#located();
    const found = root === undefined ? undefined : this.#values?.rangeOf(root, path, member);
    return this.#place(found?.start ?? 0, found?.end ?? 0);
  }

  #place(start: number, end: number): Place {
    return this.#sources.place({ file: this.file, start, end });
  }

  #read(): { readonly value?: Json; readonly unreadable?: Unreadable } {
    const { text, file } = this;
    if (text.trim() === '') return this.#broken('is empty', 0);
    const startsAsJson = /^\s*[[{]/.test(text);
    if (startsAsJson || file.endsWith('.json')) {
      try {
        return { value: readJson(text) };
      } catch (error) {
        if (error instanceof TooDeepError) return this.#broken(`can't be read: ${error.message}`, 0);
        const yaml = this.#readYaml();
        // A bracket that is never closed has a better place there; what only YAML allows is no JSON.
        if (yaml.unreadable !== undefined || !file.endsWith('.json')) return yaml;
        return this.#broken("can't be read: it is no JSON", jsonMistake(error, text));
      }
    }
    return this.#readYaml();
  }

  #readYaml(): { readonly value?: Json; readonly unreadable?: Unreadable } {
    const plain = plainDocument(this.text);
    if (plain !== undefined) return { value: plain };
    const roots = this.#roots();
    if (!Array.isArray(roots)) return { unreadable: roots };
    const [root, second] = roots;
    if (second !== undefined) return this.#broken("can't be read: a second document starts in it", second.start);
    this.#isLocated = true;
    if (root === undefined) return this.#broken('is empty', 0);
    this.#root = root;
    this.#values = new NodeValues();
    const value = this.#values.valueOf(root);
    const { mistake } = this.#values;
    return mistake === undefined ? { value } : this.#broken(`can't be read: ${mistake.what}`, mistake.at.start);
  }

  #roots(): YamlNode[] | Unreadable {
    const { text, file } = this;
    const read = quickNodes(text);
    if (read !== undefined) return [...read];
    if (isTooDeepForYaml(text))
      return { what: "can't be read: values are nested too deeply", place: this.#place(0, 0) };
    const problems = new Problems();
    const roots: YamlNode[] = [];
    for (const events of documentsOfRecord(file, text, problems)) {
      if (events === 'broken') break;
      const root = events === 'empty' ? undefined : nodeOf(events);
      if (root !== undefined) roots.push(root);
    }
    const [first] = problems.diagnostics(this.#sources);
    if (first === undefined) return roots;
    const { summary, detail, hint, place = this.#place(0, 0) } = first;
    const what = `can't be read: ${summary.charAt(0).toLowerCase()}${summary.slice(1).replace(/\.$/, '')}`;
    return { what, place, ...(detail !== undefined && { detail }), ...(hint !== undefined && { hint }) };
  }

  #broken(what: string, start: number): { readonly unreadable: Unreadable } {
    return { unreadable: { what, place: this.#place(start, start + 1) } };
  }

  /** Most texts are read without places: only what is wrong asks for one. */
  #located(): YamlNode | undefined {
    if (this.#isLocated) return this.#root;
    this.#isLocated = true;
    const roots = this.#roots();
    if (!Array.isArray(roots) || roots[0] === undefined) return undefined;
    this.#root = roots[0];
    this.#values = new NodeValues();
    this.#values.valueOf(this.#root);
    return this.#root;
  }
}

/** The parser of the language says where, in one of several ways. */
function jsonMistake(error: unknown, text: string): number {
  const said = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  return said === undefined ? Math.max(0, text.trimEnd().length - 1) : Number(said);
}

/** A member of a map or an item of a list. */
export function memberAt(value: Json | undefined, key: string): Json | undefined {
  if (isList(value)) return /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Thrown where it takes more than one look to say what a text means. */
const doubt = new Error('no plain value');

/** The value of a text that is one document without aliases, merged maps, and anything wrong; undefined for all others. */
function plainDocument(text: string): Json | undefined {
  try {
    const found = quickDocuments(text, (events) => plainValue(events.next(), events));
    return found?.length === 1 ? found[0] : undefined;
  } catch (error) {
    if (error === doubt) return undefined;
    throw error;
  }
}

function plainValue(event: YamlEvent, events: YamlEvents): Json {
  switch (event.kind) {
    case 'scalar':
      return event.value;
    case 'map':
      return plainMap(events);
    case 'list': {
      const items: Json[] = [];
      for (let item = events.next(); item.kind !== 'end'; item = events.next()) items.push(plainValue(item, events));
      return items;
    }
    default:
      throw doubt;
  }
}

function plainMap(events: YamlEvents): Json {
  const members: Record<string, Json> = {};
  for (let key = events.next(); key.kind !== 'end'; key = events.next()) {
    if (key.kind !== 'scalar' || key.text === '<<' || Object.hasOwn(members, key.text)) throw doubt;
    setMember(members, key.text, plainValue(events.next(), events));
  }
  return members;
}

/** Aliases may stand for this many values in all: far more than anybody writes, far fewer than fill a memory. */
const mostShared = 2_000_000;

interface Anchored {
  readonly node: YamlNode;
  readonly value: Json;
  readonly size: number;
}

/** The JSON that nodes mean, with aliases and merged maps, and the way back from a part of it to its place. */
class NodeValues {
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

/** A key such as `__proto__` is a name like any other. */
function setMember(members: Record<string, Json>, name: string, value: Json): void {
  if (name === '__proto__') Object.defineProperty(members, name, { value, enumerable: true, configurable: true });
  else members[name] = value;
}
