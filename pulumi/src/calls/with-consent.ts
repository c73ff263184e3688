import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { ValueObject } from '@platform-sync/core/model/value';
import { emptyOnDelete, hasGuardedEnd } from '../resource-types.js';

/** The input that is known to this world only is an output, too. */
export function withConsent(type: ResourceType, outputs: ValueObject, inputs: ValueObject): ValueObject {
  const consent = inputs[emptyOnDelete.name];
  return hasGuardedEnd(type) && consent !== undefined ? { ...outputs, [emptyOnDelete.name]: consent } : outputs;
}
