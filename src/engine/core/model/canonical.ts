import { createHash, hash } from 'node:crypto';
import { holdsNothing, isList, type Json, type JsonLike, type JsonObject } from './value.js';

/**
 * JSON text that is the same for equal values: keys sorted by code unit, no white space, numbers and strings as
 * `JSON.stringify` writes them (`-0` is `0`; what JSON has no number for is `null`). Keys without a value are left out.
 */
export function canonicalJson(value: Json): string;
export function canonicalJson<T>(value: T & JsonLike<T>): string;
export function canonicalJson(value: Json): string {
  const sorted = inOrder(value);
  return sorted === undefined ? written(value) : JSON.stringify(sorted);
}

/** An equal value with its keys in the order of its canonical text, as far as objects can have it; the same one where they are. */
export function sortedJson(value: Json): Json {
  return inOrder(value) ?? value;
}

/** The same text in pieces, lists item by item: that of a large plan is better never in memory as a whole. */
export function canonicalPieces<T extends object>(object: T & JsonLike<T>): Iterable<string>;
export function* canonicalPieces(object: JsonObject): Iterable<string> {
  let before = '{';
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    if (!Array.isArray(value)) yield canonicalJson(value);
    else {
      const items = value as readonly (Json | undefined)[];
      for (const [at, item] of items.entries()) yield `${at === 0 ? '[' : ','}${canonicalJson(item ?? null)}`;
      yield items.length === 0 ? '[]' : ']';
    }
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** True for equal values, whatever the order of their keys; what is missing is `null`. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b || (typeof a === 'string' && typeof b === 'string')) return a === b;
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}

/** Like `sameJson`; records of nothing but nulls are nothing, too. */
export function sameOrNothing(a: Json, b: Json): boolean {
  return holdsNothing(a) ? holdsNothing(b) : sameJson(a, b);
}

/**
 * The same value with sorted keys, for the engine's own writer, which is several times as fast as ours; what is sorted
 * already is not copied. Undefined when no object can have its keys in that order.
 */
function inOrder(value: Json): Json | undefined {
  if (typeof value !== 'object' || value === null) return value;
  return isList(value) ? listInOrder(value) : objectInOrder(value);
}

function listInOrder(items: readonly Json[]): Json | undefined {
  let copy: Json[] | undefined;
  for (let at = 0; at < items.length; at++) {
    const item = items[at] ?? null;
    const sorted = inOrder(item);
    if (sorted === undefined) return undefined;
    if (copy === undefined && sorted !== item) copy = items.slice(0, at);
    copy?.push(sorted);
  }
  return copy ?? items;
}

function objectInOrder(object: JsonObject): Json | undefined {
  const keys = Object.keys(object);
  if (!canBeOrdered(keys)) return undefined;
  const isSorted = areSorted(keys);
  // The default sort compares code units, which no locale can change.
  if (!isSorted) keys.sort();
  let copy: Record<string, Json> | undefined = isSorted ? undefined : {};
  for (const key of keys) {
    const value = object[key];
    if (value === undefined) continue;
    const sorted = inOrder(value);
    if (sorted === undefined) return undefined;
    if (copy === undefined && sorted !== value) copy = membersBefore(object, keys, key);
    if (copy !== undefined) copy[key] = sorted;
  }
  return copy ?? object;
}

function areSorted(keys: readonly string[]): boolean {
  let last: string | undefined;
  for (const key of keys) {
    if (last !== undefined && last >= key) return false;
    last = key;
  }
  return true;
}

/** Objects keep keys that are whole numbers first, by value; and a key `__proto__` can't be set like others. */
function canBeOrdered(keys: readonly string[]): boolean {
  const [first = ''] = keys;
  return (keys.length < 2 || !(first >= '0' && first < ':')) && !keys.includes('__proto__');
}

function membersBefore(object: JsonObject, keys: readonly string[], end: string): Record<string, Json> {
  const copy = new Map<string, Json>();
  for (const key of keys) {
    if (key === end) break;
    const value = object[key];
    if (value !== undefined) copy.set(key, value);
  }
  return Object.fromEntries(copy);
}

/** The same text piece by piece. */
function written(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map((item: Json | undefined) => written(item ?? null)).join(',')}]`;
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${written(member)}`);
  }
  return `{${members.join(',')}}`;
}

/** Lower-case hex of the SHA-256 over the UTF-8 bytes of a text, which may come in pieces of whole characters. */
export function sha256(text: string | Iterable<string>): string {
  if (typeof text === 'string') return hash('sha256', text, 'hex');
  const whole = createHash('sha256');
  for (const piece of text) whole.update(piece);
  return whole.digest('hex');
}

/** The members of an object as canonical text, by key: for texts that are the same but for some members. */
export function canonicalMembers<T extends object>(object: T & JsonLike<T>): Map<string, string>;
export function canonicalMembers(object: JsonObject): Map<string, string> {
  const members = new Map<string, string>();
  for (const [key, value] of Object.entries(object)) if (value !== undefined) members.set(key, canonicalJson(value));
  return members;
}

/** The canonical text of an object that has these members. */
export function joinMembers(members: ReadonlyMap<string, string>): string {
  return [...memberPieces(members)].join('');
}

/** The same text in pieces. */
export function* memberPieces(members: ReadonlyMap<string, string>): Iterable<string> {
  let before = '{';
  for (const key of [...members.keys()].sort()) {
    yield `${before}${JSON.stringify(key)}:`;
    yield members.get(key) ?? 'null';
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
