import { mayHoldSecret, type FieldRule } from '../model/resource-type.js';
import { isAlike } from './equality.js';
import type { ObjectFacts } from './field-comparison.js';

/**
 * True where the file says the very words that are recorded, and the object shows the very value of the last answer: whatever the
 * rule counts as equal, and whoever answers for the parts, there is nothing to decide. False says nothing.
 */
export function isUnmoved(
  rule: FieldRule,
  { declared, recorded, actual }: Pick<ObjectFacts, 'declared' | 'recorded' | 'actual'>,
): boolean {
  const { name } = rule;
  if (
    recorded === undefined ||
    mayHoldSecret(rule) ||
    rule.writeOnly ||
    rule.isMark === true ||
    rule.movesWith !== undefined
  )
    return false;
  const { inputs, outputs } = recorded;
  return (
    isAlike(declared.get(name), inputs[name]) && isAlike(actual[name], name in outputs ? outputs[name] : inputs[name])
  );
}
