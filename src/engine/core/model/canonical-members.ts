import { canonicalJson } from './canonical.js';
import type { JsonLike, JsonObject } from './value.js';

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
