import type { FieldRule } from '../model/resource-type.js';
import { isObject } from '../model/value.js';
import type { Json, JsonObject } from '../model/value.js';
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
 * nobody declared the ones that moved. What is left alone stays as the file has it.
 */
export function acceptedValue(rule: FieldRule, input: AcceptInput): Json | undefined {
  const { declared, actual, ignored } = input;
  const taken = declared === undefined ? withoutForeign(rule, actual) : acceptedKeys(rule, input, actual);
  return leavingOut(rule.name, ignored, taken, declared) as Json | undefined;
}

function acceptedKeys(rule: FieldRule, { declared, recorded, seen }: AcceptInput, actual: Json): Json {
  const own = ownParts({ rule, declared, recorded, ignored: [] });
  if (own.extent === 'all' || !isObject(actual)) return withoutForeign(rule, actual);
  const before: JsonObject = isObject(seen) ? seen : {};
  const moved = Object.entries(withoutForeign(rule, actual) as JsonObject).filter(
    ([key, member]) => !sameValue({ equality: 'exact' }, member, before[key]),
  );
  return { ...(own.over(actual, undefined) as JsonObject), ...Object.fromEntries(moved) };
}
