import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type Scalar } from 'yaml';
import type { Scalar as ScalarValue } from '../../model/value.js';
import { coreValue, eventsFrom, maxDepth, type YamlEvent, type YamlEvents, type YamlScalar } from './yaml-events.js';

const coreTag = /^(?:!|tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq))$/;

/** The events of a syntax tree of the `yaml` package. */
export function treeEvents(root: ParsedNode): YamlEvents {
  const found: YamlEvent[] = [];
  emit(root, 0, found);
  return eventsFrom(found);
}

/** Gives where the node ends. Deeper than anybody reads, maps and lists are empty. */
function emit(node: ParsedNode, depth: number, into: YamlEvent[]): number {
  const [start, end] = node.range ?? [0, 0];
  if (isAlias(node)) {
    into.push({ kind: 'alias', start, end, name: node.source });
    return end;
  }
  const tag = coreTag.test(node.tag ?? '!') ? undefined : node.tag;
  const { anchor } = node;
  if (isScalar(node)) {
    into.push(scalarOf(node, { start, end, tag, anchor }));
    return end;
  }
  into.push({ kind: isMap(node) ? 'map' : 'list', start, tag, anchor });
  let last = end;
  if (depth < maxDepth && isMap(node)) for (const pair of node.items) last = emitPair(pair, depth + 1, into);
  if (depth < maxDepth && isSeq(node)) for (const item of node.items) last = emit(item, depth + 1, into);
  if (node.flow === true) last = end;
  into.push({ kind: 'end', end: last });
  return last;
}

function emitPair(
  { key, value }: { readonly key: ParsedNode; readonly value: ParsedNode | null },
  depth: number,
  into: YamlEvent[],
): number {
  const end = emit(key, depth, into);
  if (value !== null) return emit(value, depth, into);
  into.push({ kind: 'nothing', start: end, end });
  return end;
}

function scalarOf(node: Scalar, named: Pick<YamlScalar, 'start' | 'end' | 'tag' | 'anchor'>): YamlScalar {
  const plain = node.type === 'PLAIN';
  const text = typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
  // A tag of ours hides from the parser that plain `12` is a number.
  const value = named.tag !== undefined && plain ? coreValue(node.source ?? '') : (node.value as ScalarValue);
  return { kind: 'scalar', ...named, value, text, plain };
}
