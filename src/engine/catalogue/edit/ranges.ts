import { isMap, isScalar, isSeq, type Node, type YAMLSeq } from 'yaml';
import type { WrittenMap, WrittenPair } from './nodes.js';
import type { Lists } from './text.js';

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
