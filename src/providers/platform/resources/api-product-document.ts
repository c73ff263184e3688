import type { ResourceDescriptor } from '../../../engine/model/descriptor.js';
import { slug, uuid } from './limits.js';
import { apiProductDocumentToken, apiProductToken } from './tokens.js';

/** The platform refuses one without slug, status or title: unlike for documents of APIs, it has no defaults for them. */
export const apiProductDocument: ResourceDescriptor = {
  token: apiProductDocumentToken,
  parent: { field: 'apiProductId', type: apiProductToken },
  nesting: [
    { under: apiProductToken, field: 'apiProductId', inherits: [] },
    { under: apiProductDocumentToken, field: 'parentDocumentId', inherits: ['apiProductId'] },
  ],
  naturalKey: ['apiProductId', 'slug'],
  unique: [['apiProductId', 'slug']],
  collection: { scope: ['apiProductId'], paged: true },
  absence: 'problem-404',
  revision: 'updatedAt',
  creation: 'createdAt',
  label: 'title',
  visibility: [{ field: 'status', values: { shown: 'published', hidden: 'unpublished' } }],
  importId: { form: 'json', keys: { api_product_id: 'apiProductId', id: 'id' } },
  fields: {
    apiProductId: { references: apiProductToken, limits: uuid },
    // The platform takes no null here; an empty page is what a document without content is.
    content: { equality: 'text', inList: false, clearing: { by: 'value', value: '' } },
    metadata: { equality: 'json', inList: false, clearing: { by: 'value', value: {} } },
    parentDocumentId: { references: apiProductDocumentToken, limits: uuid },
    slug: { limits: { ...slug, maxLength: 80 } },
    title: { limits: { minLength: 1 } },
    createdAt: { stable: true },
  },
};
