import { isCollection, isNode, type Node, visit, type YAMLSeq } from 'yaml';
import type { Correction, Place } from '@platform-sync/core/model/diagnostic';
import { addEntry, fillEmpty, removeMembers, replaceValue } from './map.js';
import {
  editedText,
  isEmptyNode,
  isWrittenMap,
  mapAt,
  pairOf,
  rangeOf,
  readNodes,
  type WrittenMap,
  type WrittenPair,
} from './nodes.js';
import type { TextEdit } from './text.js';

/** The edits that a correction at a place of a text stands for; none where the text is another one by now. */
export function correctionEdits(text: string, place: Place, correction: Correction): readonly TextEdit[] {
  const start = offsetOf(text, place.line, place.column);
  const end = offsetOf(text, place.endLine ?? place.line, place.endColumn ?? place.column);
  switch (correction.kind) {
    case 'replace':
      return replaced(text, start, end, correction);
    case 'value':
      return [{ start: withTag(text, start), end, text: spelt(text.slice(start, end), correction) }];
    case 'remove':
      return removed(text, start);
    case 'add':
      return added(text, start, correction);
  }
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at++) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}

/** A tag stands before the value that it is of. */
function withTag(text: string, start: number): number {
  return start - (/![^\s,[\]{}]* +$/.exec(text.slice(0, start))?.[0].length ?? 0);
}

function replaced(
  text: string,
  start: number,
  end: number,
  { was, is }: Correction & { readonly kind: 'replace' },
): readonly TextEdit[] {
  const from = was.startsWith('!') ? withTag(text, start) : start;
  const at = text.slice(from, end).indexOf(was);
  return at < 0 ? [] : [{ start: from + at, end: from + at + was.length, text: is }];
}

/** In the quotes that are there; what was not quoted may need some. */
function spelt(written: string, { is: value, tag }: Correction & { readonly kind: 'value' }): string {
  if (tag !== undefined) return `${written === '' ? ' ' : ''}${tag} ${String(value)}`.trimEnd();
  if (typeof value !== 'string') return String(value);
  return written.startsWith("'") ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
}

interface Entry {
  readonly owner: WrittenMap;
  readonly pair: WrittenPair;
}

/** The entry whose key, or whose value that is neither map nor list, begins at an offset. */
function entryAt(roots: readonly Node[], offset: number): Entry | undefined {
  let found: Entry | undefined;
  const begins = (node: Node | null): boolean => node !== null && !isCollection(node) && rangeOf(node)[0] === offset;
  const look = (_key: unknown, owner: unknown): void => {
    if (!isWrittenMap(owner)) return;
    for (const pair of owner.items) if (begins(pair.key) || begins(pair.value)) found ??= { owner, pair };
  };
  for (const root of roots) visit(root, { Map: look });
  return found;
}

function rootsOf(text: string): readonly Node[] {
  return (readNodes(text) ?? []).flatMap(({ contents }) => (contents === null ? [] : [contents]));
}

function removed(text: string, offset: number): readonly TextEdit[] {
  const source = editedText(text);
  const roots = rootsOf(text);
  const entry = entryAt(roots, offset);
  if (entry !== undefined) return removeMembers(source, entry.owner, new Set([entry.pair]));
  const found: TextEdit[] = [];
  const look = (_key: unknown, list: YAMLSeq): void => {
    const item = list.items.find((each) => isNode(each) && rangeOf(each)[0] === offset);
    if (item !== undefined && found.length === 0) found.push(...removeMembers(source, list, new Set([item])));
  };
  for (const root of roots) visit(root, { Seq: look });
  return found;
}

function added(
  text: string,
  offset: number,
  { to, key, value }: Correction & { readonly kind: 'add' },
): readonly TextEdit[] {
  const source = editedText(text);
  const roots = rootsOf(text);
  if (to === 'map') {
    const map = mapStarting(roots, offset);
    return map === undefined || map.items.length === 0 ? [] : [addEntry(source, map, key, value)];
  }
  const pair = entryAt(roots, offset)?.pair;
  const map = pair?.value;
  if (pair !== undefined && to === 'block' && (map === null || (map !== undefined && isEmptyNode(map))))
    return fillEmpty(source, pair, { [key]: value });
  if (!isWrittenMap(map)) return [];
  if (to === 'block') return map.items.length === 0 ? [] : [addEntry(source, map, key, value)];
  const [section, inside] = [pairOf(map, to), mapAt(map, to)];
  if (section === undefined) return [addEntry(source, map, to, { [key]: value })];
  if (inside !== undefined && inside.items.length > 0) return [addEntry(source, inside, key, value)];
  return replaceValue(source, section, { [key]: value }, map.flow === true);
}

function mapStarting(roots: readonly Node[], offset: number): WrittenMap | undefined {
  let found: WrittenMap | undefined;
  const look = (_key: unknown, node: unknown): void => {
    if (found === undefined && isWrittenMap(node) && rangeOf(node)[0] === offset) found = node;
  };
  for (const root of roots) visit(root, { Map: look });
  return found;
}
