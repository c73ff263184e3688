import { withHidden } from '../model/hidden-members.js';
import type { FieldRule } from '../model/resource-type.js';
import { isList, isObject, type Json, type JsonObject } from '../model/value.js';
import { sameValue } from './equality.js';
import { leavingOut, ownParts, withoutForeign } from './parts.js';

export interface AcceptInput {
  /** What the file says; undefined: nothing. */
  readonly declared: Json | undefined;
  readonly recorded: Json | undefined;
  /** The platform's last answer. */
  readonly seen: Json | undefined;
  readonly actual: Json;
  readonly ignored: readonly string[];
}

/**
 * What the file has to say so that it says what the platform has: own keys as they are there, and of the keys that
 * nobody declared the ones that moved, at any depth of a record. What is left alone stays as the file has it.
 */
export function acceptedValue(rule: FieldRule, input: AcceptInput): Json | undefined {
  const { declared, actual, ignored } = input;
  // What no answer shows is as the file has it.
  const taken =
    declared === undefined
      ? withoutForeign(rule, actual)
      : withHidden(rule, acceptedKeys(rule, input, actual), declared);
  return leavingOut(rule.name, ignored, taken, declared) as Json | undefined;
}

function acceptedKeys(rule: FieldRule, { declared, recorded, seen }: AcceptInput, actual: Json): Json {
  const own = ownParts({ rule, declared, recorded, ignored: [] });
  if (own.extent === 'all' || !isObject(actual)) return withoutForeign(rule, actual);
  const ours = own.over(actual, undefined) as JsonObject;
  const theirs = withoutForeign(rule, actual);
  if (rule.equality === 'record') return withMoved(ours, theirs, seen, declared);
  const before: JsonObject = isObject(seen) ? seen : {};
  const moved = Object.entries(theirs as JsonObject).filter(([key, member]) => !isSame(member, before[key]));
  return { ...ours, ...Object.fromEntries(moved) };
}

/** Own members, and at any depth of the others those that moved. A list that has grown or shrunk is taken as it is. */
function withMoved(ours: Json | undefined, actual: Json, before: Json | undefined, declared: Json | undefined): Json {
  if (isList(actual) && isList(ours)) {
    const [was, said] = [isList(before) ? before : [], isList(declared) ? declared : []];
    if (was.length !== actual.length || said.length !== actual.length) return actual;
    return actual.map((item, at) => withMoved(ours[at], item, was[at], said[at]));
  }
  if (!isObject(actual) || (ours !== undefined && !isObject(ours))) return actual;
  const [was, said] = [isObject(before) ? before : {}, isObject(declared) ? declared : {}];
  const members = Object.entries(actual).flatMap(([name, member]): [string, Json][] => {
    const own = ours?.[name];
    if (own === undefined && isSame(member, was[name])) return [];
    const isInner = own !== undefined || isObject(was[name]);
    return [[name, isInner ? withMoved(own, member, was[name], said[name]) : member]];
  });
  return Object.fromEntries(members);
}

function isSame(a: Json, b: Json | undefined): boolean {
  return sameValue({ equality: 'exact' }, a, b);
}
