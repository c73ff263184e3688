import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { expectedOf, factOf, isArgued } from '../facts/facts.js';
import { restOf } from './edit.js';

/** What the description itself says that a change does, unless a definition has good reason to know better. */
export function describedAction(type: ResourceType, field: FieldRule): 'update' | 'replace' {
  const rest = restOf(type);
  const fact = factOf(rest.definition);
  const action =
    fact === undefined || isArgued(type.name, field.name, 'action')
      ? undefined
      : expectedOf(rest, fact, field.name)?.action;
  return action ?? (type.updatable && field.onChange === 'update' ? 'update' : 'replace');
}
