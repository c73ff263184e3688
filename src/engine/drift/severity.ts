import type { DriftSettings, DriftSeverity } from '../model/drift.js';
import type { FieldRule, ResourceType } from '../model/resource-type.js';

/** Fields that decide who sees an object, beside those that only say published or unpublished. */
const visibilityFields = new Set(['portalIds', 'visibility']);
/** Short texts for people. */
const textFields = new Set(['title', 'description']);

/** The severity of a changed field (or, without one, of a deletion): what sync.yaml says, else by what it means. */
export function severityOf(
  type: ResourceType,
  rule: FieldRule | undefined,
  configured: DriftSettings['severity'],
): DriftSeverity {
  const name = rule?.name ?? 'deleted';
  return configured[`${type.name}.${name}`] ?? configured[name] ?? defaultSeverity(rule);
}

function defaultSeverity(rule: FieldRule | undefined): DriftSeverity {
  if (rule === undefined || decidesVisibility(rule)) return 'high';
  return rule.equality === 'text' || textFields.has(rule.name) ? 'low' : 'medium';
}

function decidesVisibility(rule: FieldRule): boolean {
  return visibilityFields.has(rule.name) || rule.enum?.includes('published') === true;
}
