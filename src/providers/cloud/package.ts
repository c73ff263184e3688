import schemaFile from '../../../schemas/cloud.json' with { type: 'json' };
import type { ProviderPackage } from '@platform-sync/core/model/provider';
import type { PackageSchema } from '@platform-sync/rest/schema/package-schema';
import { lookupTypes, providerSettings } from '@platform-sync/rest/schema/package';
import { validation } from '@platform-sync/rest/schema/validate';
import { serviceIamPolicy } from './service-iam-policy-type.js';

export const cloudSchema: PackageSchema = schemaFile;

const types = new Map([[serviceIamPolicy.token, serviceIamPolicy]]);
const lookups = lookupTypes(cloudSchema);
const rules = validation(async () => (await import('./generated/validators.js')).validators);

export const cloudPackage: ProviderPackage = {
  name: cloudSchema.name,
  types,
  lookups,
  settings: providerSettings(cloudSchema),
  validate: (token, properties) => {
    const type = types.get(token);
    if (type === undefined) throw new Error(`bug: no resource type ${token}`);
    return rules.resource(type, properties);
  },
  validateLookup: rules.lookup,
  start: async (context) => (await import('./provider.js')).startCloud(context, { types, lookups }),
};
