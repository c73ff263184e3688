import type { ResourceDescriptor } from '../../../engine/model/descriptor.js';
import { slugify } from '../slug.js';
import { slug, uuid } from './limits.js';
import { apiDocumentToken, apiToken } from './tokens.js';

export const apiDocument: ResourceDescriptor = {
  token: apiDocumentToken,
  parent: { field: 'apiId', type: apiToken },
  nesting: [
    { under: apiToken, field: 'apiId', inherits: [] },
    { under: apiDocumentToken, field: 'parentDocumentId', inherits: ['apiId'] },
  ],
  naturalKey: ['apiId', 'parentDocumentId', 'slug'],
  // Whether a slug is unique under its parent or within the whole API is not documented; the narrower group is certain.
  unique: [['apiId', 'parentDocumentId', 'slug']],
  // One answer carries the whole tree of an API.
  collection: { scope: ['apiId'], paged: false },
  absence: 'problem-404',
  revision: 'updatedAt',
  creation: 'createdAt',
  label: 'title',
  visibility: [{ field: 'status', values: { shown: 'published', hidden: 'unpublished' } }],
  importId: { form: 'json', keys: { api_id: 'apiId', id: 'id' } },
  derive: ({ title }) => (typeof title === 'string' ? { slug: slugify(title) } : {}),
  fields: {
    apiId: { references: apiToken, limits: uuid },
    content: { equality: 'text', inList: false },
    parentDocumentId: { references: apiDocumentToken, limits: uuid },
    slug: { limits: slug, clearing: { by: 'derived' } },
    status: { clearing: { by: 'value', value: 'unpublished' } },
    title: { clearing: { by: 'nothing', why: 'the platform chooses a title only when the document is created' } },
    createdAt: { stable: true },
  },
};
