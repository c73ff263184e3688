import { isList, type Json } from '@platform-sync/core/model/value';
import { visible } from '../words/escape.js';
import { isRecord, secretExpression } from '../words/value.js';

/** One difference between two JSON values. `path` reads like `paths./pets.get.summary`; empty for the whole value. */
export type PathChange =
  | { readonly kind: 'added'; readonly path: string; readonly new: Json }
  | { readonly kind: 'removed'; readonly path: string; readonly old: Json }
  | { readonly kind: 'changed'; readonly path: string; readonly old: Json; readonly new: Json }
  /** A list with the same items in another order. */
  | { readonly kind: 'reordered'; readonly path: string };

// Deeper values are compared whole: a hostile file must not overflow the stack.
const maxDepth = 200;

/** The differences between two JSON values, in the order of the old value's keys, added keys last. */
export function structuralDiff(before: Json, after: Json): readonly PathChange[] {
  const changes: PathChange[] = [];
  compare(before, after, '', 0, changes);
  return changes;
}

/** Equality of JSON values; the order of keys does not count. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isList(a) && isList(b)) {
    return a.length === b.length && a.every((item, at) => sameJson(item, b[at]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => hasBoth(a, b, key));
}

/** What stands for a secret has no members to compare. */
function isSealed(value: Json): boolean {
  return secretExpression(value) !== undefined;
}

function hasBoth(a: { readonly [key: string]: Json }, b: { readonly [key: string]: Json }, key: string): boolean {
  return Object.hasOwn(b, key) && sameJson(a[key], b[key]);
}

function compare(before: Json, after: Json, path: string, depth: number, changes: PathChange[]): void {
  if (depth > maxDepth) {
    if (JSON.stringify(before) !== JSON.stringify(after))
      changes.push({ kind: 'changed', path, old: before, new: after });
  } else if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(before, after, path, depth, changes);
  } else if (isSealed(before) || isSealed(after)) {
    if (!sameJson(before, after)) changes.push({ kind: 'changed', path, old: before, new: after });
  } else if (isRecord(before) && isRecord(after)) {
    compareMembers(
      new Map(Object.entries(before)),
      new Map(Object.entries(after)),
      (key) => member(path, key),
      depth,
      changes,
    );
  } else if (before !== after) {
    changes.push({ kind: 'changed', path, old: before, new: after });
  }
}

function compareMembers(
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
  pathOf: (key: string) => string,
  depth: number,
  changes: PathChange[],
): void {
  for (const [key, old] of before) {
    const now = after.get(key);
    if (now === undefined) changes.push({ kind: 'removed', path: pathOf(key), old });
    else compare(old, now, pathOf(key), depth + 1, changes);
  }
  for (const [key, now] of after) if (!before.has(key)) changes.push({ kind: 'added', path: pathOf(key), new: now });
}

function compareLists(
  before: readonly Json[],
  after: readonly Json[],
  path: string,
  depth: number,
  changes: PathChange[],
): void {
  const found = changes.length;
  const key = identityKey(before, after);
  if (key === undefined) compareByPosition(before, after, path, depth, changes);
  else {
    const pathOf = (id: string): string => `${path}[${key}=${visible(id)}]`;
    compareMembers(byKey(before, key), byKey(after, key), pathOf, depth, changes);
    if (changes.length === found && !sameJson(before, after)) changes.push({ kind: 'reordered', path });
  }
}

/** Equal items at both ends are left out; what is between them is compared pair by pair. */
function compareByPosition(
  before: readonly Json[],
  after: readonly Json[],
  path: string,
  depth: number,
  changes: PathChange[],
): void {
  let start = 0;
  let oldEnd = before.length;
  let newEnd = after.length;
  while (start < oldEnd && start < newEnd && sameJson(before[start], after[start])) start += 1;
  while (oldEnd > start && newEnd > start && sameJson(before[oldEnd - 1], after[newEnd - 1])) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  const [old, now] = [before.slice(start, oldEnd), after.slice(start, newEnd)].map(
    (items) => new Map(items.map((item, at) => [`${path}[${start + at}]`, item])),
  );
  compareMembers(old ?? new Map(), now ?? new Map(), (place) => place, depth, changes);
}

/** The member that names the items of both lists, when there is one: so a new item at the top is one difference. */
function identityKey(before: readonly Json[], after: readonly Json[]): string | undefined {
  if (before.length === 0 || after.length === 0) return undefined;
  return ['id', 'operationId', 'name'].find((key) => namesAll(before, key) && namesAll(after, key));
}

function namesAll(items: readonly Json[], key: string): boolean {
  const ids = items.map((item) => (isRecord(item) && typeof item[key] === 'string' ? item[key] : undefined));
  return !ids.includes(undefined) && new Set(ids).size === items.length;
}

function byKey(items: readonly Json[], key: string): ReadonlyMap<string, Json> {
  return new Map(items.map((item) => [String(isRecord(item) ? item[key] : undefined), item]));
}

function member(path: string, key: string): string {
  if (/[.[\]\s"]/.test(key) || key === '') return `${path}[${visible(JSON.stringify(key))}]`;
  return path === '' ? visible(key) : `${path}.${visible(key)}`;
}
