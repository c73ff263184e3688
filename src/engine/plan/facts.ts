import type { Value } from '../model/value.js';
import type { ObjectFacts } from '../value/field-comparison.js';
import type { Seals } from '../value/seal.js';
import type { Step } from './step.js';

const nothing: ReadonlyMap<string, Value> = new Map();

/**
 * What is known of a step's object, as one comparison takes it. `type` is the type that state knows the object
 * under, where the catalogue has changed it: then the file says nothing about it.
 */
export function factsOf(
  step: Pick<Step, 'type' | 'declared' | 'desired' | 'recorded'>,
  actual: ObjectFacts['actual'],
  seals: Seals,
  type = step.type,
): ObjectFacts {
  const isDesired = step.desired !== undefined && step.type === type;
  return {
    type,
    declared: isDesired ? comparable(step, seals) : nothing,
    recorded: step.recorded,
    actual,
    ignored: step.desired?.options.ignoreChanges ?? [],
    seals,
  };
}

/** Most files say nothing of a secret: then it is what they say. */
function comparable(
  { type, declared, recorded }: Pick<Step, 'type' | 'declared' | 'recorded'>,
  seals: Seals,
): ReadonlyMap<string, Value> {
  let changed: Map<string, Value> | undefined;
  for (const [name, value] of declared) {
    const rule = type.fields[name];
    const now = rule === undefined ? value : seals.comparable(rule, value, recorded?.inputs[name]);
    if (now !== value) (changed ??= new Map(declared)).set(name, now);
  }
  return changed ?? declared;
}
