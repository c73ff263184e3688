import { isMap, isScalar, isSeq, type Node, type YAMLSeq } from 'yaml';
import { sameJson } from '@platform-sync/core/model/canonical';
import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { replaceItems, addEntry, addItem, removeMembers, replaceValue } from './map.js';
import { type EditedText, isSpeltOut, keyOf, whyFixed, type WrittenMap, type WrittenPair } from './nodes.js';
import type { TextEdit } from './text.js';
import { needsDataFile } from './write.js';
import { readJson } from '@platform-sync/core/model/read-json';

/** What a value was worked out to be, and what it is to be. */
export interface ValueChange {
  readonly from: Json;
  readonly to: Json;
  /** True when two members of the value are the same thing in another spelling. */
  readonly same: (a: Json, b: Json) => boolean;
  /** Order of lists counts. */
  readonly ordered: boolean;
  /** References may go, and others come. */
  readonly mayRefer?: boolean;
}

type Edits = { readonly edits: readonly TextEdit[] } | { readonly why: string };

/** Edits that turn the value of a pair into another one; what stays the same inside it is not touched. */
export function changeValue(source: EditedText, pair: WrittenPair, change: ValueChange, inFlow: boolean): Edits {
  const { value: node } = pair;
  if (needsDataFile(change.to)) return { why: 'cannot be spelt out in a catalogue file' };
  const inside = node === null || !isSpeltOut(node) ? undefined : changeInside(source, node, change, inFlow);
  if (inside !== undefined) return inside;
  const why = whyFixed(node, change.mayRefer);
  if (why !== undefined) return { why };
  return { edits: replaceValue(source, pair, asWritten(node, change), inFlow) };
}

/** The same inside a map or list; undefined where that has to be replaced as a whole. */
export function changeInside(source: EditedText, node: Node, change: ValueChange, inFlow: boolean): Edits | undefined {
  const { from, to } = change;
  if (isMap(node) && isObject(from) && isObject(to))
    return changeMap(source, node as WrittenMap, change, from, to, inFlow);
  if (isSeq(node) && isList(from) && isList(to)) return changeList(source, node, change, from, to);
  return undefined;
}

/** Text that spells JSON stays text. */
function asWritten(node: Node | null, { from, to }: ValueChange): Json {
  const isText = isScalar(node) && typeof node.value === 'string' && typeof from === 'string';
  return isText && spellsObject(from) && typeof to === 'object' && to !== null ? JSON.stringify(to) : to;
}

function spellsObject(text: string): boolean {
  try {
    const value: unknown = readJson(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

function changeMap(
  source: EditedText,
  map: WrittenMap,
  change: ValueChange,
  from: JsonObject,
  to: JsonObject,
  inFlow: boolean,
): Edits | undefined {
  const flow = inFlow || map.flow === true;
  const edits: TextEdit[] = [];
  const gone = new Set<unknown>();
  const written = new Set(map.items.map(keyOf));
  for (const pair of map.items) {
    const key = keyOf(pair);
    if (key === undefined || key === '<<' || !Object.hasOwn(from, key)) continue;
    const [old, next] = [from[key] ?? null, to[key] ?? null];
    if (change.same(old, next)) continue;
    if (next === null) {
      const why = whyFixed(pair.value, change.mayRefer);
      if (why !== undefined) return { why: `${why} at ${key}` };
      gone.add(pair);
      continue;
    }
    const inner = changeValue(source, pair, { ...change, from: old, to: next, same: sameJson }, flow);
    if ('why' in inner) return { why: `${inner.why} at ${key}` };
    edits.push(...inner.edits);
  }
  const added = missing(change, from, to, written);
  const kept = map.items.filter((pair) => !gone.has(pair)).at(-1);
  if (kept === undefined && (added.length > 0 || gone.size > 0)) return undefined;
  const additions = added.map(([key, value]) => addEntry(source, map, key, value, kept));
  return { edits: [...edits, ...removeMembers(source, map, gone), ...together(additions)] };
}

/** Entries that have to be written: new ones, and a null for each that only a default of the file brings in. */
function missing(
  change: ValueChange,
  from: JsonObject,
  to: JsonObject,
  written: ReadonlySet<string | undefined>,
): readonly (readonly [string, Json])[] {
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter((key) => !written.has(key));
  return keys
    .map((key) => [key, from[key] ?? null, to[key] ?? null] as const)
    .filter(([, old, next]) => !change.same(old, next))
    .map(([key, , next]) => [key, next] as const);
}

/** Items that are no more go, new ones come at the end; undefined where that would leave another order that counts. */
function changeList(
  source: EditedText,
  list: YAMLSeq,
  change: ValueChange,
  from: readonly Json[],
  to: readonly Json[],
): Edits | undefined {
  const left = [...to];
  const gone = new Set<unknown>();
  const kept: Json[] = [];
  for (const [at, item] of from.entries()) {
    const found = left.findIndex((other) => sameJson(other, item));
    if (found >= 0) kept.push(...left.splice(found, 1));
    else gone.add(list.items[at]);
  }
  if (list.items.length !== from.length) return undefined;
  const isMoved = change.ordered && !sameJson([...kept, ...left], to);
  for (const item of gone) {
    const why = whyFixed(item as Node, change.mayRefer);
    if (why !== undefined) return { why };
  }
  const last = list.items.filter((item) => !gone.has(item)).at(-1);
  if (isMoved || (last === undefined && left.length + gone.size > 0)) {
    const edit = list.flow === true ? undefined : replaceItems(source, list, from, to);
    return edit === undefined ? undefined : { edits: [edit] };
  }
  const additions = left.map((item) => addItem(source, list, item, last));
  return { edits: [...removeMembers(source, list, gone), ...together(additions)] };
}

/** Insertions at one place become one, so that they keep their order. */
export function together(edits: readonly TextEdit[]): readonly TextEdit[] {
  const byPlace = new Map<number, TextEdit>();
  for (const edit of edits) {
    const before = byPlace.get(edit.start);
    byPlace.set(edit.start, before === undefined ? edit : { ...before, text: before.text + edit.text });
  }
  return [...byPlace.values()];
}
