import type { DriftSettings, DriftSeverity } from '@platform-sync/core/model/drift';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';

/** The severity of a changed field (or, without one, of a deletion): what sync.yaml says, else by what it means. */
export function severityOf(
  type: ResourceType,
  rule: FieldRule | undefined,
  configured: DriftSettings['severity'],
): DriftSeverity {
  const name = rule?.name ?? 'deleted';
  return configured[`${type.name}.${name}`] ?? configured[name] ?? defaultSeverity(type, rule);
}

/** The severity of an object that nobody manages. */
export function unmanagedSeverity(
  type: ResourceType,
  visible: boolean,
  configured: DriftSettings['severity'],
): DriftSeverity {
  return configured[`${type.name}.unmanaged`] ?? configured['unmanaged'] ?? (visible ? 'high' : 'low');
}

/** Who sees an object weighs most; texts for people weigh least. */
function defaultSeverity(type: ResourceType, rule: FieldRule | undefined): DriftSeverity {
  if (rule === undefined || type.visibility.some(({ field }) => field === rule.name)) return 'high';
  return rule.equality === 'text' || rule.name === type.label ? 'low' : 'medium';
}
