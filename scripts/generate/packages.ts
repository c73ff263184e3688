import type { ProviderPackage } from '../../src/engine/model/provider.js';
import { cloudPackage, cloudSchema } from '../../src/providers/cloud/package.js';
import type { PackageSchema } from '../../src/providers/package-schema.js';
import { definitions } from '../../src/providers/platform/definitions.js';
import { platformBase, platformPackage } from '../../src/providers/platform/package.js';
import { style } from '../../src/providers/platform/style.js';
import { providerSchema } from '../../src/providers/rest/provider-schema.js';

/** A provider package together with the schema it was made from. */
export interface Package extends ProviderPackage {
  readonly schema: PackageSchema;
}

/** The package schema of the platform, with what its definitions say. */
export const platformSchema: PackageSchema = providerSchema(platformBase, definitions, style);

export const packages: readonly Package[] = [
  { ...platformPackage, schema: platformSchema },
  { ...cloudPackage, schema: cloudSchema },
];
