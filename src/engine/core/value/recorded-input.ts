import type { FieldRule } from '../model/resource-type.js';
import { hasSecret, hasUnknown, reveal, type Json, type JsonObject, type Value } from '../model/value.js';
import { shownMembers } from '../model/hidden-members.js';
import { leavingOut, ownParts } from './parts.js';
import { isSealed, secretExpression, type Seals } from './seal.js';
import { isSealedByParts } from './secret-parts.js';

/**
 * What goes into state for a declared field of an object that is as wanted: the file's own words, and for what is left
 * alone what stood there `before` (recorded inputs, or the object as adopted). Undefined: nothing is recorded.
 */
export function recordedInput(
  rule: FieldRule,
  declared: Value | undefined,
  ignored: readonly string[],
  before: JsonObject | undefined,
  seals: Seals,
): Json | undefined {
  if (declared === undefined || hasUnknown(declared)) return undefined;
  if (before === undefined) return seals.seal(rule, declared);
  const value = leavingOut(rule.name, ignored, declared, before[rule.name]);
  return value === undefined ? undefined : sealedLike(rule, declared, value, seals);
}

/** A value that stands for a secret one is as secret. */
function sealedLike(rule: FieldRule, declared: Value, value: Value, seals: Seals): Json {
  if (isSealedByParts(rule)) return seals.seal(rule, value, [declared]);
  const expression = hasSecret(value) ? undefined : secretExpression(declared);
  if (expression === undefined || value === null || isSealed(value)) return seals.seal(rule, value);
  return seals.sealPlain(rule, reveal(value), expression);
}

/**
 * What is recorded of an object that was taken over and not changed: of what the file declares, what the platform has,
 * in the file's words where the two are equal. What can't be read is taken to be as the file says.
 */
export function adoptedInput(
  rule: FieldRule,
  declared: Value,
  actual: Json | undefined,
  seals: Seals,
): Json | undefined {
  const isKnown = !hasUnknown(declared);
  if (rule.writeOnly && actual === undefined) return isKnown ? seals.seal(rule, declared) : undefined;
  const own = ownParts({ rule, declared, recorded: undefined, ignored: [] });
  // The parts of others are not ours to record.
  const held = own.extent === 'all' ? actual : own.over(actual, undefined);
  const isSame = isKnown && seals.same(rule, shownMembers(rule, reveal(declared)), held);
  if (isSame && !(declared === null && held !== undefined && held !== null)) return seals.seal(rule, declared);
  if (held === undefined || held === null) return undefined;
  return sealedLike(rule, declared, held, seals);
}
