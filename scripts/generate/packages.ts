import type { ProviderPackage } from '../../src/engine/model/provider.js';
import type { ResourceType } from '../../src/engine/model/resource-type.js';
import { cloudPackage, cloudSchema } from '../../src/providers/cloud/package.js';
import type { PackageSchema } from '../../src/providers/package-schema.js';
import { definitions } from './definitions.js';
import { planHooks } from '../../src/providers/platform/hooks/plan-hooks.js';
import { platformBase, platformPackage } from '../../src/providers/platform/package.js';
import { style } from '../../src/providers/platform/style.js';
import { definitionsAtHand } from '../../src/providers/rest/definition-source.js';
import { providerSchema } from './provider-schema.js';
import { definedTypes } from '../../src/providers/rest/types.js';
import type { Compilation } from '../../src/types-compile/compile.js';

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
