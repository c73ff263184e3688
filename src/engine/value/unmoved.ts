import type { FieldRule } from '../model/resource-type.js';
import { isList, isObject } from '../model/value.js';
import type { Json, Value } from '../model/value.js';
import type { ObjectFacts } from './field-comparison.js';

/**
 * True where the file says the very words that are recorded, and the object shows the very value of the last answer: whatever the
 * rule counts as equal, and whoever answers for the parts, there is nothing to decide. False says nothing.
 */
export function isUnmoved(rule: FieldRule, { declared, recorded, actual }: ObjectFacts): boolean {
  const { name } = rule;
  if (recorded === undefined || rule.secret || rule.writeOnly || rule.isMark === true || rule.movesWith !== undefined)
    return false;
  const { inputs, outputs } = recorded;
  return (
    isAlike(declared.get(name), inputs[name]) && isAlike(actual[name], name in outputs ? outputs[name] : inputs[name])
  );
}

/** Equal to the letter; what is secret or not known yet equals nothing. */
function isAlike(a: Value | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, at) => isAlike(item, b[at]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isAlike(a[key], b[key]));
}
