import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { hasUnknown, unknown, type Value, type ValueObject } from '@platform-sync/core/model/value';
import { withoutCleared } from '../resource-types.js';
import { knownMembers } from '../wire/values.js';
import type { Comparison } from './compare.js';

const later = unknown(['another resource']);

/** The outputs of an object that is not made yet: what is declared, what the platform is known to choose, the rest later. */
export function plannedOutputs(type: ResourceType, declared: ValueObject): ValueObject {
  const inputs = withoutCleared(type, declared);
  const isWholeKnown = !Object.values(inputs).some(hasUnknown);
  const chosen = isWholeKnown ? type.derive(knownMembers(inputs)) : {};
  const outputs: Record<string, Value> = { ...inputs };
  for (const rule of Object.values(type.fields)) {
    if (rule.name in outputs || rule.isMark === true) continue;
    // Where null is a value of its own, leaving the field out is the platform's choice.
    if (rule.computed || rule.alwaysReturned || rule.nullIsValue === true)
      outputs[rule.name] = chosen[rule.name] ?? later;
  }
  return outputs;
}

/**
 * The outputs after a change: what nobody says and nothing makes anew stays, and so does what never moves; what the platform
 * makes anew is not known yet.
 */
export function changedOutputs(type: ResourceType, { olds, oldInputs, news: declared }: Comparison): ValueObject {
  const news = withoutCleared(type, declared);
  const outputs: Record<string, Value> = { ...olds };
  for (const rule of Object.values(type.fields)) {
    if (rule.name in news || rule.isMark === true) continue;
    const isCleared = (oldInputs[rule.name] ?? null) !== null;
    const isMade = rule.computed ? !rule.stable : isCleared || rule.clearing.by === 'derived';
    if (isMade) outputs[rule.name] = later;
  }
  return { ...outputs, ...news };
}
