import schemaFile from '../../../schemas/platform.json' with { type: 'json' };
import type { ProviderPackage } from '../../engine/model/provider.js';
import type { PackageSchema } from '../package-schema.js';
import { lookupTypes, providerSettings, resourceTypes } from '../package.js';
import { validateArguments, validateResource } from '../validate.js';
import { apiDocument } from './resources/api-document.js';
import { apiImplementation } from './resources/api-implementation.js';
import { apiProductDocument } from './resources/api-product-document.js';
import { apiProduct } from './resources/api-product.js';
import { api } from './resources/api.js';

export const platformSchema: PackageSchema = schemaFile;

const types = resourceTypes(platformSchema, [api, apiDocument, apiImplementation, apiProduct, apiProductDocument]);
const lookups = lookupTypes(platformSchema);

export const platformPackage: ProviderPackage = {
  name: platformSchema.name,
  types,
  lookups,
  settings: providerSettings(platformSchema),
  validate: (token, properties) => {
    const type = types.get(token);
    if (type === undefined) throw new Error(`bug: no resource type ${token}`);
    return validateResource(type, properties);
  },
  validateLookup: validateArguments,
  start: async (context) => (await import('./provider.js')).startPlatform(context, types, lookups),
};
