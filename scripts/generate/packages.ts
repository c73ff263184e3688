import type { ProviderPackage } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { cloudPackage, cloudSchema } from '@platform-sync/cloud/package';
import type { PackageSchema } from '@platform-sync/rest/schema/package-schema';
import { definitions } from './definitions.js';
import { planHooks } from '@platform-sync/platform/hooks/plan-hooks';
import { platformBase, platformPackage } from '@platform-sync/platform/package';
import { style } from '@platform-sync/platform/style';
import { definitionsAtHand } from '@platform-sync/rest/definition-source';
import { providerSchema } from './provider-schema.js';
import { definedTypes } from '@platform-sync/rest/resource-type';
import type { Compilation } from '@platform-sync/describe/compile';

/** A provider package together with the schema it was made from. */
export interface Package extends ProviderPackage {
  readonly schema: PackageSchema;
}

/** The package schema of the platform, with what its definitions say. */
export const platformSchema: PackageSchema = providerSchema(platformBase, definitions, style);

/** Made of the definitions themselves, not of the files that are written from them. */
const { types } = definedTypes({
  provider: platformBase.name,
  source: definitionsAtHand(definitions, style),
  style,
  hooks: planHooks,
});

export const packages: readonly Package[] = [
  { ...platformPackage, types, schema: platformSchema },
  { ...cloudPackage, schema: cloudSchema },
];

/** All types of all packages, those that rules made out of descriptions among them. By name. */
export function allTypes(derived: Compilation): readonly ResourceType[] {
  const all = definedTypes({
    provider: platformBase.name,
    source: definitionsAtHand([...definitions, ...derived.types.definitions], style),
    style,
    hooks: planHooks,
  });
  const others = packages.filter(({ name }) => name !== platformBase.name).flatMap((each) => [...each.types.values()]);
  return [...all.types.values(), ...others].sort((a, b) => (a.shortToken < b.shortToken ? -1 : 1));
}
