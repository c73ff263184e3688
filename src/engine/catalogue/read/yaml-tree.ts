import { isAlias, isMap, isScalar, isSeq, type Document, type Pair, type ParsedNode, type Scalar } from 'yaml';
import type { Scalar as ScalarValue } from '../../model/value.js';
import { coreValue, maxDepth, type YamlNode, type YamlPair, type YamlScalar } from './yaml-node.js';

const coreTag = /^(?:!|tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq))$/;

/** The document in a syntax tree of the `yaml` package; undefined for an empty one. */
export function readTree(document: Document.Parsed): YamlNode | undefined {
  return document.contents === null ? undefined : nodeOf(document.contents, 0);
}

function nodeOf(node: ParsedNode, depth: number): YamlNode {
  const [start, end] = node.range ?? [0, 0];
  if (isAlias(node)) return { kind: 'alias', start, end, name: node.source };
  const named = { start, tag: coreTag.test(node.tag ?? '!') ? undefined : node.tag, anchor: node.anchor };
  if (isScalar(node)) return scalarOf(node, { ...named, end });
  if (isMap(node)) {
    const pairs = depth < maxDepth ? node.items.map((pair) => pairOf(pair, depth + 1)) : [];
    const last = pairs.at(-1);
    return { kind: 'map', ...named, end: node.flow === true ? end : ((last?.value ?? last?.key)?.end ?? end), pairs };
  }
  const items = isSeq(node) && depth < maxDepth ? node.items.map((item) => nodeOf(item, depth + 1)) : [];
  return { kind: 'list', ...named, end: isSeq(node) && node.flow === true ? end : (items.at(-1)?.end ?? end), items };
}

function pairOf(pair: Pair<ParsedNode, ParsedNode | null>, depth: number): YamlPair {
  return {
    key: nodeOf(pair.key, depth),
    value: pair.value === null ? undefined : nodeOf(pair.value, depth),
  };
}

function scalarOf(node: Scalar, named: Pick<YamlScalar, 'start' | 'end' | 'tag' | 'anchor'>): YamlScalar {
  const plain = node.type === 'PLAIN';
  const text = typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
  // A tag of ours hides from the parser that plain `12` is a number.
  const value = named.tag !== undefined && plain ? coreValue(node.source ?? '') : (node.value as ScalarValue);
  return { kind: 'scalar', ...named, value, text, plain };
}
