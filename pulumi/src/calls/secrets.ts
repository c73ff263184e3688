import { mayHoldSecret, type ResourceType } from '../../../src/engine/model/resource-type.js';
import type { ValueObject } from '../../../src/engine/model/value.js';
import { derivedSecret } from '../../../src/engine/value/seal.js';
import { secretNames } from '../wire/values.js';

/** Outputs to mark: secret by nature, secret in what the engine sent, or made by the platform out of such. */
export function secretOutputs(type: ResourceType, ...given: readonly ValueObject[]): ReadonlySet<string> {
  const names = new Set(secretNames(...given));
  for (const rule of Object.values(type.fields)) {
    if (mayHoldSecret(rule) || given.some((values) => derivedSecret(type, rule.name, values) !== undefined))
      names.add(rule.name);
  }
  return names;
}
