import {
  Composer,
  Parser,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { splitTemplate } from '../read/template-text.js';
import type { Lists } from './text.js';
import { ownMember } from '@platform-sync/core/model/value';

/** A map that is written out, and the pair that holds it. */
export type WrittenMap = YAMLMap<Node, Node | null>;
export type WrittenPair = Pair<Node, Node | null>;

const tags = ['!file', '!env', '!secret', '!json'].map((tag) => ({ tag, resolve: (text: string) => text }));
const collections = ['!secret', '!json', '!lookup'].flatMap((tag) => [
  { tag, collection: 'map' as const },
  { tag, collection: 'seq' as const },
]);

/** The documents of a YAML text, with the place of every node; undefined when its syntax is broken. */
export function readNodes(text: string): readonly Document.Parsed[] | undefined {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    logLevel: 'silent',
    customTags: [...tags, ...collections],
  });
  const documents = [...composer.compose(new Parser().parse(text), true, text.length)];
  return documents.some(({ errors }) => errors.length > 0) ? undefined : documents;
}

/** The pair of a key in a map that is written out there. */
export function pairOf(map: WrittenMap, key: string): WrittenPair | undefined {
  const found = map.items.find((pair) => isPair(pair) && keyOf(pair) === key);
  return found;
}

export function keyOf(pair: Pair): string | undefined {
  const { key } = pair;
  if (!isScalar(key)) return undefined;
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

/** The value of a key, if it is a map that is written out there and calls no function. */
export function mapAt(map: WrittenMap, key: string): WrittenMap | undefined {
  const value = pairOf(map, key)?.value;
  return isWrittenMap(value) ? value : undefined;
}

export function isWrittenMap(node: unknown): node is WrittenMap {
  return isMap(node) && node.tag === undefined && !isCall(node);
}

function isCall(node: YAMLMap): boolean {
  const [first] = node.items;
  return first !== undefined && keyOf(first)?.startsWith('fn::') === true;
}

/**
 * Why a value can't be replaced where it stands, as a clause about it; undefined when it is plain. `mayRefer`: it may also hold references.
 */
export function whyFixed(node: Node | null, mayRefer = false): string | undefined {
  if (node === null) return undefined;
  if (isAlias(node)) return `is shared through the anchor &${node.source}`;
  const called = calledFunction(node);
  if (called !== undefined) return ownMember(clauses, called) ?? 'is computed';
  if (isScalar(node) && typeof node.value === 'string' && !mayRefer && hasReference(node.value))
    return 'is a reference';
  if (isMap(node) || isSeq(node))
    return node.items.map((item) => whyFixed(valueOf(item), mayRefer)).find((why) => why !== undefined);
  return undefined;
}

function valueOf(item: unknown): Node | null {
  return (isPair(item) ? item.value : item) as Node | null;
}

/** Neither computed nor shared at its top; what is inside may be. */
export function isSpeltOut(node: Node | null): boolean {
  if (isMap(node) || isSeq(node)) return node.tag === undefined && !(isMap(node) && isCall(node));
  return whyFixed(node) === undefined;
}

const clauses: Readonly<Record<string, string>> = {
  '!env': 'is a secret',
  'fn::env': 'is a secret',
  '!secret': 'is a secret',
  'fn::secret': 'is a secret',
  '!file': 'comes from a file',
  'fn::readFile': 'comes from a file',
  '!lookup': 'is a lookup',
  'fn::invoke': 'is a lookup',
};

function calledFunction(node: Node): string | undefined {
  if (node.tag !== undefined && node.tag.startsWith('!')) return node.tag;
  if (!isMap(node) || !isCall(node)) return undefined;
  const [first] = node.items;
  return first === undefined ? undefined : keyOf(first);
}

/** The path that `!file` or `fn::readFile` takes here. */
export function filePath(node: Node | null): string | undefined {
  if (node === null) return undefined;
  const called = calledFunction(node);
  if (called !== '!file' && called !== 'fn::readFile') return undefined;
  const argument: unknown = isMap(node) ? node.items[0]?.value : node;
  return isScalar(argument) && typeof argument.value === 'string' ? argument.value : undefined;
}

function hasReference(text: string): boolean {
  return splitTemplate(text)?.some((part) => typeof part !== 'string') ?? false;
}

/** A text that is edited, and how its lines end. */
export interface EditedText {
  readonly text: string;
  readonly lineEnd: '\n' | '\r\n';
  /** How most of its lists are written. */
  readonly lists: Lists;
}

export function editedText(text: string): EditedText {
  const count = (form: RegExp): number => text.match(form)?.length ?? 0;
  const isBelow = count(/:[ \t]*(?:#.*)?\r?\n *- /g) > count(/: +\[ *[^\s\]]/g);
  return { text, lineEnd: text.includes('\r\n') ? '\r\n' : '\n', lists: isBelow ? 'below' : 'short' };
}

export function memberRange(source: EditedText, item: unknown): readonly [number, number] {
  const pair = item as WrittenPair;
  const isEntry = typeof item === 'object' && item !== null && 'key' in item;
  if (!isEntry) return [startOf(item as Node), contentEnd(source, item as Node)];
  const { value } = pair;
  return [
    startOf(pair.key),
    value === null || isEmptyNode(value) ? afterColon(source, pair) : contentEnd(source, value),
  ];
}

export function isEmptyNode(node: Node): boolean {
  const [start, end] = rangeOf(node);
  return isScalar(node) && start === end;
}

export function rangeOf(node: Node): readonly [number, number] {
  const [start, end] = node.range ?? [0, 0];
  return [start, end];
}

export function startOf(node: Node): number {
  return rangeOf(node)[0];
}

/** Where what is written of a node ends: block collections and texts claim the lines after them, too. */
export function contentEnd(source: EditedText, node: Node): number {
  if ((isMap(node) || isSeq(node)) && node.flow !== true) {
    const last = node.items.at(-1);
    return last === undefined ? rangeOf(node)[1] : memberRange(source, last)[1];
  }
  const [start, end] = rangeOf(node);
  return start + source.text.slice(start, end).trimEnd().length;
}

export function afterColon({ text }: EditedText, pair: WrittenPair): number {
  return text.indexOf(':', rangeOf(pair.key)[1]) + 1;
}

export function columnOf(source: EditedText, at: number): number {
  return at - lineStart(source, at);
}

export function lineStart({ text }: EditedText, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** The end of the line, its break not included. */
export function lineEndAfter({ text, lineEnd }: EditedText, at: number): number {
  const found = text.indexOf(lineEnd, at);
  return found < 0 ? text.length : found;
}

export function memberLineEnd(
  source: EditedText,
  owner: WrittenMap | YAMLSeq,
  member: unknown = owner.items.at(-1),
): number {
  const column = columnOf(source, startOf(owner));
  let end = lineEndAfter(source, memberRange(source, member)[1]);
  // Comments below that stand deeper belong to the member.
  for (;;) {
    const next = lineEndAfter(source, end + source.lineEnd.length);
    const comment = /^( *)#/.exec(source.text.slice(end + source.lineEnd.length, next));
    if (comment === null || (comment[1]?.length ?? 0) <= column) return end;
    end = next;
  }
}

export function nextLine(source: EditedText, at: number): number {
  const end = lineEndAfter(source, at);
  return Math.min(source.text.length, end + source.lineEnd.length);
}
