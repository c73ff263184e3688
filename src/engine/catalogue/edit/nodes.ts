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
} from 'yaml';
import { splitTemplate } from '../read/reference-syntax.js';

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

/** Why a value can't be replaced where it stands, as a clause about it; undefined when it is plain. */
export function whyFixed(node: Node | null): string | undefined {
  if (node === null) return undefined;
  if (isAlias(node)) return `is shared through the anchor &${node.source}`;
  const called = calledFunction(node);
  if (called !== undefined) return clauses[called] ?? 'is computed';
  if (isScalar(node) && typeof node.value === 'string' && hasReference(node.value)) return 'is a reference';
  if (isMap(node) || isSeq(node))
    return node.items.map((item) => whyFixed(valueOf(item))).find((why) => why !== undefined);
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
