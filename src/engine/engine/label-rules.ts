import type { PackageSource } from '@platform-sync/core/model/package-source';
import { valueIn as typeIn } from '@platform-sync/core/model/derived-map';
import { LazyMap } from '@platform-sync/core/model/lazy-map';
import type { LabelSettings } from '@platform-sync/core/model/project';
import type { ProviderPackage } from '@platform-sync/core/model/provider';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';

/** The packages with the project's word on whose label keys are whose in the rules of their fields. */
export function withLabelRules(source: PackageSource, labels: LabelSettings | undefined): PackageSource {
  if (labels === undefined) return source;
  const changed = new Map<string, Promise<ProviderPackage>>();
  const change = async (name: string): Promise<ProviderPackage> => {
    const loaded = await source.load(name);
    const types = new LazyMap(loaded.types.keys(), (token) => typeWith(typeIn(loaded.types, token), labels));
    return { ...loaded, types };
  };
  const load = (name: string): Promise<ProviderPackage> => {
    const known = changed.get(name) ?? change(name);
    changed.set(name, known);
    return known;
  };
  return { ...source, names: source.names, load };
}

function typeWith(type: ResourceType, labels: LabelSettings): ResourceType {
  const fields = Object.entries(type.fields).map(([name, rule]) => [name, ruleWith(rule, labels)] as const);
  return { ...type, fields: Object.fromEntries(fields) };
}

/** Maps that others may write into are the ones whose rule says so. */
function ruleWith(rule: FieldRule, { own, foreign }: LabelSettings): FieldRule {
  if (rule.foreignKeys === undefined) return rule;
  return { ...rule, ownsAllKeys: own === 'all', foreignKeys: foreign ?? rule.foreignKeys };
}
