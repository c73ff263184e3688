import type { ResourceOptions } from '../model/desired.js';
import type { ResourceType } from '../model/resource-type.js';
import type { FieldComparison } from '../value/field-comparison.js';
import { isTakenByUpdate } from './update-limits.js';

/** How a field that changes does: in place, or by a new object. `declared`: the file gives it a value. */
export function updateOrReplace(
  { type, replaceOnChanges }: { readonly type: ResourceType } & Pick<ResourceOptions, 'replaceOnChanges'>,
  { rule, configured, actual, wanted }: Pick<FieldComparison, 'rule' | 'configured' | 'actual' | 'wanted'>,
  declared: boolean,
): 'update' | 'replace' {
  if (rule.isMark) return 'update';
  const asked = replaceOnChanges.some((path) => path === '*' || path.split('.')[0] === rule.name);
  if (asked || !type.updatable || rule.onChange === 'replace') return 'replace';
  if (!isTakenByUpdate(rule, actual, wanted)) return 'replace';
  // What others did to it is put right where it is kept: only an edit of the file is worth the object.
  if (rule.movesWith !== undefined && !configured) return 'update';
  return rule.onChange === 'replace-if-declared' && declared ? 'replace' : 'update';
}
