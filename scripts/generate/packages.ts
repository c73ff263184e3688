import type { ProviderPackage } from '../../src/engine/model/provider.js';
import { cloudPackage, cloudSchema } from '../../src/providers/cloud/package.js';
import type { PackageSchema } from '../../src/providers/package-schema.js';
import { platformPackage, platformSchema } from '../../src/providers/platform/package.js';

/** A provider package together with the schema it was made from. */
export interface Package extends ProviderPackage {
  readonly schema: PackageSchema;
}

export const packages: readonly Package[] = [
  { ...platformPackage, schema: platformSchema },
  { ...cloudPackage, schema: cloudSchema },
];
