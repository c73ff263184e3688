import type { Value } from '../model/value.js';
import type { ObjectFacts } from '../value/field-comparison.js';
import type { Seals } from '../value/seal.js';
import type { Proposal } from './proposal.js';

const nothing: ReadonlyMap<string, Value> = new Map();

/**
 * What is known of a proposal's object, as one comparison takes it. `type` is the type that state knows the object
 * under, where the catalogue has changed it: then the file says nothing about it.
 */
export function factsOf(
  proposal: Pick<Proposal, 'type' | 'declared' | 'desired' | 'recorded'>,
  actual: ObjectFacts['actual'],
  seals: Seals,
  type = proposal.type,
): ObjectFacts {
  const isDesired = proposal.desired !== undefined && proposal.type === type;
  return {
    type,
    declared: isDesired ? comparable(proposal, seals) : nothing,
    recorded: proposal.recorded,
    actual,
    ignored: proposal.desired?.options.ignoreChanges ?? [],
    seals,
  };
}

/** Most files say nothing of a secret: then it is what they say. */
function comparable(
  { type, declared, recorded }: Pick<Proposal, 'type' | 'declared' | 'recorded'>,
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
