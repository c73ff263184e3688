import { isAlias } from 'yaml';
import type { Address } from '@platform-sync/core/model/address';
import { defined, type Json } from '@platform-sync/core/model/value';
import { removeMembers } from './map.js';
import {
  mapAt,
  pairOf,
  type WrittenMap,
  type WrittenPair,
  columnOf,
  lineEndAfter,
  lineStart,
  memberLineEnd,
  memberRange,
  startOf,
  type EditedText,
} from './nodes.js';
import { blockEntry, type TextEdit } from './text.js';

/** A property that becomes that of a new child, in its own words. */
export interface MoveBelow {
  readonly address: Address;
  readonly field: string;
  /** The child's key, free below the resource. */
  readonly key: string;
  /** `platform:ApiVersion` */
  readonly type: string;
  /** `options.import` of the child. */
  readonly importId?: Json;
  /** `options.allowBrokenSpecification` of the child. */
  readonly allowBroken?: true;
}

/** What has to change in the text; else why it can't be done, as a clause about the block. */
export function moveBelow(source: EditedText, resource: WrittenMap, move: MoveBelow): readonly TextEdit[] | string {
  const properties = mapAt(resource, 'properties');
  const pair = properties === undefined ? undefined : pairOf(properties, move.field);
  if (properties === undefined || pair === undefined) return `has no ${move.field} of its own`;
  if (resource.flow === true || properties.flow === true) return 'is written in braces';
  if (isAlias(pair.value) || pair.value?.anchor !== undefined) return `shares its ${move.field} with others`;
  const place = placeBelow(source, resource);
  if (place === undefined) return 'has children that are shared, computed or written in braces';
  const isOnly = properties.items.length === 1;
  const [owner, gone] = isOnly ? [resource, pairOf(resource, 'properties')] : [properties, pair];
  const removals = removeMembers(source, owner, new Set([gone]));
  const lines = [...place.head, ...childLines(source, pair, move, place.column)];
  const [removal] = removals;
  // What is added right behind what goes takes its place.
  if (removal !== undefined && place.at >= removal.start && place.at <= removal.end)
    return [{ ...removal, text: lines.map((line) => `${line}${source.lineEnd}`).join('') }];
  return [
    ...removals,
    { start: place.at, end: place.at, text: lines.map((line) => `${source.lineEnd}${line}`).join('') },
  ];
}

interface Place {
  readonly at: number;
  readonly column: number;
  /** Lines that go before the child. */
  readonly head: readonly string[];
}

function placeBelow(source: EditedText, resource: WrittenMap): Place | undefined {
  const children = mapAt(resource, 'children');
  if (children !== undefined && children.flow !== true && children.items.length > 0)
    return { at: memberLineEnd(source, children), column: columnOf(source, startOf(children)), head: [] };
  if (pairOf(resource, 'children') !== undefined) return undefined;
  const column = columnOf(source, startOf(resource));
  return { at: memberLineEnd(source, resource), column: column + 2, head: [`${' '.repeat(column)}children:`] };
}

function childLines(source: EditedText, pair: WrittenPair, move: MoveBelow, column: number): readonly string[] {
  const { key, type, importId, allowBroken } = move;
  const head = blockEntry(key, { type }, column);
  const properties = `${' '.repeat(column + 2)}properties:`;
  const said = defined({ import: importId, allowBrokenSpecification: allowBroken });
  const options = Object.keys(said).length === 0 ? [] : blockEntry('options', said, column + 2);
  return [...head, properties, ...movedLines(source, pair, column + 4), ...options];
}

/** The property's own lines, at another column: what they mean does not depend on it. */
function movedLines(source: EditedText, pair: WrittenPair, column: number): readonly string[] {
  const [start, end] = memberRange(source, pair);
  const shift = column - columnOf(source, start);
  const text = source.text.slice(lineStart(source, start), lineEndAfter(source, end));
  return text
    .split(source.lineEnd)
    .map((line) => (line.trim() === '' ? line : shift >= 0 ? ' '.repeat(shift) + line : line.slice(-shift)));
}
