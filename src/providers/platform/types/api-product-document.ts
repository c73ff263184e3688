import { crud } from '@platform-sync/rest/crud';
import type { TypeDefinition } from '@platform-sync/rest/definition';

/** The platform refuses one without slug, status or title: unlike for documents of APIs, it has no defaults for them. */
export const apiProductDocument: TypeDefinition = {
  name: 'ApiProductDocument',
  description: 'Classic: a Markdown page about an API product. Documents of one product form a tree.',
  operations: crud('/v2/api-products/{apiProductId}/documents'),
  list: { get: '/v2/api-products/{apiProductId}/documents' },
  naturalKey: ['apiProductId', 'slug'],
  unique: [['apiProductId', 'slug']],
  absence: 'problem-404',
  file: { format: 'markdown', body: 'content', fields: { title: 'title', slug: 'slug', status: 'status' } },
  required: ['apiProductId', 'slug', 'status', 'title'],
  always: ['apiProductId', 'content', 'metadata', 'slug', 'status', 'title', 'createdAt', 'updatedAt'],
  fields: {
    apiProductId: {
      kind: 'id',
      description: 'Identifier of the API product the document belongs to.',
      references: 'ApiProduct',
      nests: true,
      diesWith: true,
    },
    content: {
      description: 'Raw Markdown shown on the portal. Write it plain: Base64 would be answered decoded.',
      equality: 'text',
      inList: false,
      // The platform takes no null here; an empty page is what a document without content is.
      clearing: { by: 'value', value: '' },
    },
    metadata: {
      type: { map: 'any' },
      description: 'Free-form metadata of the document.',
      equality: 'map',
      inList: false,
      clearing: { by: 'value', value: {} },
    },
    parentDocumentId: {
      kind: 'id',
      description: 'Identifier of the document above this one in the tree. Left out at the top level.',
      nullable: true,
      references: 'ApiProductDocument',
      nests: true,
    },
    slug: {
      kind: 'slug',
      description: 'Part of generated URLs. Unique among the documents of the product.',
      limits: { maxLength: 80 },
    },
    status: {
      type: {
        choice: 'ApiProductDocumentStatus',
        description: 'Whether a document is visible.',
        values: { published: 'Visible on the live portal.', unpublished: 'Hidden from the live portal.' },
      },
      description: 'Whether the document is visible on the live portal.',
      exposure: { shown: 'published', hidden: 'unpublished', published: true },
    },
    title: {
      description: 'Title of the page.',
      role: 'label',
      limits: { minLength: 1 },
    },
  },
  outputs: {
    createdAt: { kind: 'created' },
    updatedAt: { kind: 'updated' },
  },
};
