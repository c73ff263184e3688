import schemaFile from '../../../schemas/cloud.json' with { type: 'json' };
import type { ProviderPackage } from '../../engine/model/provider.js';
import type { PackageSchema } from '../package-schema.js';
import { lookupTypes, providerSettings } from '../package.js';
import { validateArguments } from '../validate.js';

export const cloudSchema: PackageSchema = schemaFile;

const lookups = lookupTypes(cloudSchema);

export const cloudPackage: ProviderPackage = {
  name: cloudSchema.name,
  types: new Map(),
  lookups,
  settings: providerSettings(cloudSchema),
  validate: (token) => {
    throw new Error(`bug: no resource type ${token}`);
  },
  validateLookup: validateArguments,
  start: async (context) => (await import('./provider.js')).startCloud(context, lookups),
};
