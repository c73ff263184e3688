import type { ResourceDescriptor } from '../../../engine/model/descriptor.js';
import { uuid } from './limits.js';
import { apiImplementationToken, apiToken } from './tokens.js';

export const apiImplementation: ResourceDescriptor = {
  token: apiImplementationToken,
  parent: { field: 'apiId', type: apiToken },
  nesting: [{ under: apiToken, field: 'apiId', inherits: [] }],
  // An API has at most one, so the API names it.
  naturalKey: ['apiId'],
  unique: [['apiId'], ['serviceReference']],
  exactlyOne: [['controlPlaneReference', 'serviceReference']],
  // One list holds the implementations of all APIs.
  collection: { scope: [], paged: true },
  absence: 'problem-404',
  revision: 'updatedAt',
  creation: 'createdAt',
  importId: { form: 'json', keys: { api_id: 'apiId', id: 'id' } },
  updatable: false,
  fields: {
    apiId: { references: apiToken, limits: uuid },
    createdAt: { stable: true },
  },
};
