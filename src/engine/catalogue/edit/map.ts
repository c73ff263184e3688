import { isMap, isScalar, isSeq, Scalar, type Node, type YAMLSeq } from 'yaml';
import { type Json, isObject } from '@platform-sync/core/model/value';
import {
  type WrittenMap,
  type WrittenPair,
  afterColon,
  columnOf,
  contentEnd,
  isEmptyNode,
  lineEndAfter,
  lineStart,
  memberLineEnd,
  memberRange,
  nextLine,
  rangeOf,
  startOf,
  type EditedText,
} from './nodes.js';
import { blockEntry, blockSpelling, flowText, keyText, type Quoting, type TextEdit, blockMap } from './text.js';
import { sameJson } from '@platform-sync/core/model/canonical';

/** Adds an entry to a map that has some, in its own style, after its last one or another that stays. */
export function addEntry(source: EditedText, map: WrittenMap, key: string, value: Json, after?: unknown): TextEdit {
  if (map.flow === true) return addToFlow(source, map, `${keyText(key, flowQuoting(map))}: `, value, after);
  const at = memberLineEnd(source, map, after);
  const lines = blockEntry(key, value, columnOf(source, startOf(map)), source.lists);
  return { start: at, end: at, text: lines.map((line) => `${source.lineEnd}${line}`).join('') };
}

/** Adds an item to a list that has some, in its own style, after its last one or another that stays. */
export function addItem(source: EditedText, list: YAMLSeq, value: Json, after?: unknown): TextEdit {
  if (list.flow === true) return addToFlow(source, list, '', value, after);
  const at = memberLineEnd(source, list, after);
  const lines = itemLines(source, list, value);
  return { start: at, end: at, text: lines.map((line) => `${source.lineEnd}${line}`).join('') };
}

/** Adds a block of entries below a key that has no value yet. */
export function fillEmpty(source: EditedText, pair: WrittenPair, value: Json): readonly TextEdit[] {
  const keyStart = startOf(pair.key);
  const { head, below } = blockSpelling(value, columnOf(source, keyStart) + 2, 'plain', source.lists);
  return spell(source, afterColon(source, pair), afterColon(source, pair), head === '' ? '' : ` ${head}`, below);
}

/** Puts another value after a key; a comment on the key's line stays there. */
export function replaceValue(source: EditedText, pair: WrittenPair, value: Json, inFlow: boolean): readonly TextEdit[] {
  const { value: node } = pair;
  if (node === null || isEmptyNode(node)) {
    if (!inFlow) return fillEmpty(source, pair, value);
    const at = afterColon(source, pair);
    return [{ start: at, end: at, text: ` ${flowText(value, 'plain')}` }];
  }
  const [start, end] = rangeOf(node);
  const quoting = isScalar(node) ? quotingOf(node.type) : 'plain';
  if ((isMap(node) || isSeq(node)) && node.flow === true)
    return [{ start, end, text: flowText(value, flowQuoting(node)) }];
  if (inFlow) return [{ start, end, text: flowText(value, quoting) }];
  const column = columnOf(source, startOf(pair.key));
  const { head, below } = blockSpelling(value, blockIndent(source, node) ?? column + 2, quoting, source.lists);
  if (isScalar(node) && quotingOf(node.type) === 'block') return [replaceBlockText(source, start, end, head, below)];
  if ((isMap(node) || isSeq(node)) && node.flow !== true) {
    const from = afterColon(source, pair);
    // A comment on its last line is about what goes; in a block text it would become text.
    const to = lineEndAfter(source, contentEnd(source, node));
    const keyEnd = lineEndAfter(source, from);
    const own = source.text.slice(from, keyEnd);
    // The comment on the key's own line is about the key.
    const kept = /^[ \t]+#/.test(own) && keyEnd < start ? own : '';
    return [{ start: from, end: to, text: joined(source, (head === '' ? '' : ` ${head}`) + kept, below) }];
  }
  const isOneLine = !source.text.slice(start, end).includes('\n');
  if (below.length === 0 || !isOneLine) return [{ start, end, text: joined(source, head, below) }];
  return spell(source, head === '' ? afterColon(source, pair) : start, end, head, below);
}

/** Takes out entries of a map or items of a list, with their lines. */
export function removeMembers(
  source: EditedText,
  owner: WrittenMap | YAMLSeq,
  gone: ReadonlySet<unknown>,
): readonly TextEdit[] {
  const members = owner.items.map((item) => memberRange(source, item));
  if (owner.flow === true)
    return removeFromFlow(
      members,
      owner.items.map((item) => gone.has(item)),
    );
  return owner.items.flatMap((item, at): readonly TextEdit[] => {
    const range = members[at];
    if (range === undefined || !gone.has(item)) return [];
    const start = lineStart(source, range[0]);
    return [{ start, end: nextLine(source, range[1]), text: '' }];
  });
}

/** Members that go together take the comma before them along or, at the beginning, the one after them. */
function removeFromFlow(
  members: readonly (readonly [number, number])[],
  gone: readonly boolean[],
): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  for (let first = gone.indexOf(true); first >= 0; first = gone.indexOf(true, first)) {
    const next = gone.indexOf(false, first);
    const after = next < 0 ? members.length : next;
    const before = members[first - 1];
    const [start, end] = [members[first]?.[0] ?? 0, members[after - 1]?.[1] ?? 0];
    if (before !== undefined) edits.push({ start: before[1], end, text: '' });
    else edits.push({ start, end: members[after]?.[0] ?? end, text: '' });
    first = after;
  }
  return edits;
}

function addToFlow(
  source: EditedText,
  owner: WrittenMap | YAMLSeq,
  lead: string,
  value: Json,
  after: unknown = owner.items.at(-1),
): TextEdit {
  const [memberStart, memberEnd] = memberRange(source, after);
  const text = lead + flowText(value, flowQuoting(owner));
  const isLast = after === owner.items.at(-1);
  const rest = source.text.slice(memberEnd, rangeOf(owner)[1] - 1);
  if (!rest.includes('\n')) return { start: memberEnd, end: memberEnd, text: `, ${text}` };
  // One member a line: the new one gets its own, and the comma after the last one is where that file puts it.
  const hasComma = isLast && /^\s*,/.test(rest);
  const at = hasComma ? memberEnd + rest.indexOf(',') + 1 : memberEnd;
  const line = `${source.lineEnd}${' '.repeat(columnOf(source, memberStart))}${text}`;
  return { start: at, end: at, text: hasComma ? `${line},` : `,${line}` };
}

/** JSON stays JSON. */
function flowQuoting(owner: WrittenMap | YAMLSeq): Quoting {
  const [first] = owner.items;
  const sample = typeof first === 'object' && first !== null && 'key' in first ? first.key : first;
  return isScalar(sample) && sample.type === Scalar.QUOTE_DOUBLE ? 'double' : 'plain';
}

/** Head in the place of the old value, the lines below it after the end of the line: a comment stays in between. */
function spell(
  source: EditedText,
  start: number,
  end: number,
  head: string,
  below: readonly string[],
): readonly TextEdit[] {
  if (below.length === 0) return [{ start, end, text: head }];
  const at = lineEndAfter(source, end);
  const lines = below.map((line) => `${source.lineEnd}${line}`).join('');
  if (at === end) return [{ start, end, text: head + lines }];
  return [
    { start, end, text: head },
    { start: at, end: at, text: lines },
  ];
}

function joined(source: EditedText, head: string, below: readonly string[]): string {
  return [head, ...below].join(source.lineEnd);
}

/** Blank lines after a block text are layout, unless its header says that they are text. */
function replaceBlockText(
  source: EditedText,
  start: number,
  end: number,
  head: string,
  below: readonly string[],
): TextEdit {
  const old = source.text.slice(start, end);
  const comment = /^[|>][-+\d]*([ \t]+#[^\r\n]*)/.exec(old)?.[1] ?? '';
  const tail = /^[|>]\d*\+/.test(old) ? source.lineEnd : (/(?:\r?\n[ \t]*)*$/.exec(old)?.[0] ?? '');
  return {
    start,
    end,
    text: joined(source, head.startsWith('|') ? head + comment : head, below) + (tail === '' ? '' : tail),
  };
}

/** The column of the lines of a block text. */
function blockIndent(source: EditedText, node: Node): number | undefined {
  if (!isScalar(node) || quotingOf(node.type) !== 'block') return undefined;
  const [start, end] = rangeOf(node);
  const line = /\n([ ]*)[^\s]/.exec(source.text.slice(start, end));
  return line?.[1]?.length;
}

/** An item of a list that stands below its key, in the manner of the others; indent included. */
function itemLines(source: EditedText, list: YAMLSeq, value: Json): readonly string[] {
  const column = columnOf(source, startOf(list));
  const isSpread = list.items.some((item) => isMap(item) && item.flow !== true);
  const dash = `${' '.repeat(column)}- `;
  if (!isSpread || !isObject(value) || Object.keys(value).length === 0)
    return [`${dash}${flowText(value, itemQuoting(list))}`];
  const [first = '', ...others] = blockMap(value, column + 2);
  return [`${dash}${first.trimStart()}`, ...others];
}

/**
 * Other items for a list that stands below its key: it stays there, and items that it keeps take their own lines along, with
 * what is written above and beside them. `from`: what its items say. Undefined where lines don't tell items apart.
 */
export function replaceItems(
  source: EditedText,
  list: YAMLSeq,
  from: readonly Json[],
  to: readonly Json[],
): TextEdit | undefined {
  const ranges = list.items.map((_item, at) => linesOf(source, list, at));
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (first === undefined || last === undefined || to.length === 0 || from.length !== ranges.length) return undefined;
  const texts = ranges.flatMap((range) => (range === undefined ? [] : [source.text.slice(range[0], range[1])]));
  if (texts.length !== ranges.length) return undefined;
  const left = new Set(from.keys());
  const lines = to.map((item) => {
    const at = [...left].find((index) => sameJson(from[index] ?? null, item));
    if (at === undefined) return itemLines(source, list, item).join(source.lineEnd);
    left.delete(at);
    return texts[at] ?? '';
  });
  return { start: first[0], end: last[1], text: lines.join(source.lineEnd) };
}

/** From the comments above an item to the end of its last line. */
function linesOf(source: EditedText, list: YAMLSeq, at: number): readonly [number, number] | undefined {
  const item = list.items[at] as Node;
  const start = lineStart(source, startOf(item));
  // Tags and anchors stand before an item's own beginning.
  if (!/^ *- /.test(source.text.slice(start, startOf(item) + 2))) return undefined;
  const end = memberLineEnd(source, list, item);
  if (at > 0)
    return [lineEndAfter(source, memberLineEnd(source, list, list.items[at - 1])) + source.lineEnd.length, end];
  return [start, end];
}

function itemQuoting(list: YAMLSeq): Quoting {
  const [first] = list.items;
  const quoting = isScalar(first) ? quotingOf(first.type) : 'plain';
  return quoting === 'block' ? 'double' : quoting;
}

function quotingOf(type: Scalar['type']): Quoting {
  if (type === Scalar.QUOTE_SINGLE) return 'single';
  if (type === Scalar.QUOTE_DOUBLE) return 'double';
  return type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED ? 'block' : 'plain';
}
