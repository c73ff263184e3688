import type { DesiredResource } from '../model/desired.js';
import type { ResourceType } from '../model/resource-type.js';
import { hasUnknown, reveal } from '../model/value.js';
import type { Value } from '../model/value.js';
import { sameValue } from './equality.js';
import type { FieldDecision } from './diff.js';
import type { ExistingObject } from './proposal.js';

/**
 * Delete-first unless the user asked for create-first and the platform would accept both objects side by side:
 * every unique group of the type must differ between the old and the new one.
 */
export function replacementOrder(
  resource: {
    readonly type: ResourceType;
    readonly desired: DesiredResource;
    readonly declared: ReadonlyMap<string, Value>;
    readonly actual: ExistingObject;
  },
  decisions: readonly FieldDecision[],
): 'delete-first' | 'create-first' {
  if (resource.desired.options.deleteBeforeReplace !== false) return 'delete-first';
  const groups = [...resource.type.unique, resource.type.naturalKey];
  const moved = new Set(decisions.map((d) => d.rule.name));
  const clash = groups.some((group) => group.length > 0 && group.every((field) => sameField(resource, field, moved)));
  return clash ? 'delete-first' : 'create-first';
}

/** A parent that is replaced gives the child a new home, so an unknown id there can't clash. */
function sameField(
  resource: Parameters<typeof replacementOrder>[0],
  field: string,
  moved: ReadonlySet<string>,
): boolean {
  const rule = resource.type.fields[field];
  const value = resource.declared.get(field);
  if (rule === undefined) return true;
  if (value === undefined || value === null) return !moved.has(field);
  if (hasUnknown(value)) return field !== resource.type.parent?.field;
  return sameValue(rule, reveal(value), resource.actual.values[field]);
}
