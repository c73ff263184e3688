import { isMap, isScalar, type Node, type YAMLSeq } from 'yaml';
import { sameJson } from '../../model/canonical.js';
import { isObject, type Json } from '../../model/value.js';
import { columnOf, lineEndAfter, lineStart, memberLineEnd, startOf, type EditedText } from './ranges.js';
import { blockMap, flowText, quotingOf, type Quoting, type TextEdit } from './text.js';

/** An item of a list that stands below its key, in the manner of the others; indent included. */
export function itemLines(source: EditedText, list: YAMLSeq, value: Json): readonly string[] {
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
