import schemaFile from '../../../schemas/cloud.json' with { type: 'json' };
import type { ProviderPackage } from '../../engine/model/provider.js';
import type { PackageSchema } from '../package-schema.js';
import { lookupTypes, providerSettings } from '../package.js';
import { validateArguments, validateResource } from '../validate.js';
import { serviceIamPolicy } from './service-iam-policy-type.js';

export const cloudSchema: PackageSchema = schemaFile;

const types = new Map([[serviceIamPolicy.token, serviceIamPolicy]]);
const lookups = lookupTypes(cloudSchema);

export const cloudPackage: ProviderPackage = {
  name: cloudSchema.name,
  types,
  lookups,
  settings: providerSettings(cloudSchema),
  validate: (token, properties) => {
    const type = types.get(token);
    if (type === undefined) throw new Error(`bug: no resource type ${token}`);
    return validateResource(type, properties);
  },
  validateLookup: validateArguments,
  start: async (context) => (await import('./provider.js')).startCloud(context, { types, lookups }),
};
