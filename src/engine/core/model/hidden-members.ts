import type { FieldRule } from './resource-type.js';
import { isList, isObject, type Json } from './value.js';

/** What of a field's rule says which members of its records no answer shows. */
type HidingRule = Pick<FieldRule, 'hiddenMembers'>;

/** A value as answers show it: without the members that they never have. */
export function shownMembers({ hiddenMembers }: HidingRule, value: Json): Json {
  return hiddenMembers === undefined ? value : withoutMembers(value, hiddenMembers);
}

/** A value without what stands at these paths. */
export function withoutMembers(value: Json, paths: readonly string[]): Json {
  return paths.reduce((at, path) => without(at, path.split('.')), value);
}

/** True where a value says something that no answer will show. */
export function saysHidden({ hiddenMembers = [] }: HidingRule, value: Json | undefined): boolean {
  return hiddenMembers.some((path) => holds(value, path.split('.')));
}

/**
 * A value as it was read, and in it what no answer shows, as it is said, or `as` this. Items of lists of one length belong together.
 */
export function withHidden({ hiddenMembers = [] }: HidingRule, shown: Json, said: Json | undefined, as?: Json): Json {
  return hiddenMembers.reduce((at, path) => put(at, said, path.split('.'), as), shown);
}

function without(value: Json, [name = '', ...inner]: readonly string[]): Json {
  if (isList(value)) return value.map((item) => without(item, [name, ...inner]));
  if (!isObject(value)) return value;
  const left = Object.entries(value).filter(([key]) => inner.length > 0 || !isMeant(name, key));
  return Object.fromEntries(left.map(([key, member]) => [key, isMeant(name, key) ? without(member, inner) : member]));
}

function holds(value: Json | undefined, [name, ...inner]: readonly string[]): boolean {
  if (name === undefined) return value !== undefined && value !== null;
  if (isList(value)) return value.some((item) => holds(item, [name, ...inner]));
  return membersMeant(value, name).some(([, member]) => holds(member, inner));
}

function put(shown: Json, said: Json | undefined, [name = '', ...inner]: readonly string[], as?: Json): Json {
  if (isList(shown) && isList(said) && shown.length === said.length)
    return shown.map((item, at) => put(item, said[at], [name, ...inner], as));
  if (!isObject(shown)) return shown;
  const added = membersMeant(said, name).flatMap(([key, member]): [string, Json][] => {
    const own = shown[key];
    if (inner.length === 0) return [[key, as ?? member]];
    return own === undefined ? [] : [[key, put(own, member, inner, as)]];
  });
  return { ...shown, ...Object.fromEntries(added) };
}

function membersMeant(value: Json | undefined, name: string): readonly (readonly [string, Json])[] {
  return isObject(value) ? Object.entries(value).filter(([key]) => isMeant(name, key)) : [];
}

/** `*` stands for every key of a map. */
function isMeant(name: string, key: string): boolean {
  return name === '*' || name === key;
}
