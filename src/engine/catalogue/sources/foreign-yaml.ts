import type { Expression, MapEntry, PathSegment } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { BuildContext } from '../read/build-context.js';
import { documentsOfRecord } from '../read/yaml-documents.js';
import { quickNodes } from '../read/js-yaml-events.js';
import { nodeOf, type YamlNode } from '../read/yaml-events.js';

/** The first document of a YAML file that is no catalogue: nothing in it is a call or a reference. Undefined: reported. */
export function readForeign(
  file: string,
  text: string,
  { problems }: Pick<BuildContext, 'problems'>,
): YamlNode | 'empty' | undefined {
  const documents = quickNodes(text);
  if (documents !== undefined) return documents[0] ?? 'empty';
  for (const events of documentsOfRecord(file, text, problems))
    return events === 'broken' ? undefined : events === 'empty' ? 'empty' : (nodeOf(events) ?? 'empty');
  return 'empty';
}

/** All documents of such a file. Undefined: reported. */
export function foreignDocuments(
  file: string,
  text: string,
  { problems }: Pick<BuildContext, 'problems'>,
): readonly YamlNode[] | undefined {
  const quick = quickNodes(text);
  if (quick !== undefined) return quick;
  const read: YamlNode[] = [];
  let isBroken = false;
  for (const events of documentsOfRecord(file, text, problems)) {
    isBroken ||= events === 'broken';
    const node = typeof events === 'string' ? undefined : nodeOf(events);
    if (node !== undefined) read.push(node);
  }
  return isBroken ? undefined : read;
}

/** The member of a map, and where its key stands; the last one of several. */
export function memberOf(
  node: YamlNode | undefined,
  name: string,
): { readonly key: YamlNode; readonly value: YamlNode | undefined } | undefined {
  if (node?.kind !== 'map') return undefined;
  for (const { key, value } of node.pairs.toReversed())
    if (key?.kind === 'scalar' && key.text === name) return { key, value };
  return undefined;
}

/** A value as it stands. A plain number is the text that was written: version 1.10 is not 1.1. */
export function foreignValue(file: string, node: YamlNode | undefined, fallback: SourceRange): Expression {
  if (node === undefined) return { kind: 'literal', value: null, at: fallback };
  const at = { file, start: node.start, end: node.end };
  switch (node.kind) {
    case 'scalar':
      return { kind: 'literal', value: typeof node.value === 'number' ? node.text : node.value, at };
    case 'list':
      return { kind: 'list', items: node.items.map((item) => foreignValue(file, item, at)), at };
    case 'map': {
      const entries = new Map<string, MapEntry>();
      for (const { key, value } of node.pairs)
        if (key?.kind === 'scalar') entries.set(key.text, { key: at, value: foreignValue(file, value, at) });
      return { kind: 'map', entries, at };
    }
    case 'alias':
      return { kind: 'literal', value: null, at };
  }
}

/** Where the key of the deepest part of a path stands that is there; the start of the document for none. */
export function placeAt(top: YamlNode, path: readonly PathSegment[]): Pick<SourceRange, 'start' | 'end'> {
  let found: YamlNode | undefined = top;
  let place = { start: top.start, end: top.start };
  for (const step of path) {
    const member: ReturnType<typeof memberOf> = memberOf(found, String(step));
    const item: YamlNode | undefined = found?.kind === 'list' ? found.items[Number(step)] : undefined;
    if (member === undefined && item === undefined) break;
    const { start, end } = member?.key ?? item ?? place;
    place = { start, end };
    found = member === undefined ? item : member.value;
  }
  return place;
}
