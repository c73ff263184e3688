import type { ResourceType } from '../../../src/engine/model/resource-type.js';
import type { ValueObject } from '../../../src/engine/model/value.js';
import { emptyOnDelete, hasGuardedEnd } from '../resource-types.js';

/** The input that is known to this world only is an output, too. */
export function withConsent(type: ResourceType, outputs: ValueObject, inputs: ValueObject): ValueObject {
  const consent = inputs[emptyOnDelete.name];
  return hasGuardedEnd(type) && consent !== undefined ? { ...outputs, [emptyOnDelete.name]: consent } : outputs;
}
