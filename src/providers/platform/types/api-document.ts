import { crud } from '@platform-sync/rest/crud';
import type { TypeDefinition } from '@platform-sync/rest/definition';

export const apiDocument: TypeDefinition = {
  name: 'ApiDocument',
  description: 'A Markdown page about an API, shown on the portal. Documents of one API form a tree.',
  operations: crud('/v3/apis/{apiId}/documents'),
  // One answer carries the whole tree of an API.
  list: {
    get: '/v3/apis/{apiId}/documents',
    paging: { by: 'tree', items: 'data', children: 'children', parent: 'parent_document_id' },
  },
  naturalKey: ['apiId', 'parentDocumentId', 'slug'],
  // Whether a slug is unique under its parent or within the whole API is not documented; the narrower group is certain.
  unique: [['apiId', 'parentDocumentId', 'slug']],
  absence: 'problem-404',
  hooks: { derive: 'titleSlug' },
  file: { format: 'markdown', body: 'content', fields: { title: 'title', slug: 'slug', status: 'status' } },
  required: ['apiId', 'content'],
  always: ['slug', 'status', 'title'],
  fields: {
    apiId: { kind: 'ofApi', description: 'Identifier of the API the document belongs to.' },
    content: {
      description: 'Raw Markdown shown on the portal.',
      equality: 'text',
      inList: false,
    },
    parentDocumentId: {
      kind: 'id',
      description: 'Identifier of the document above this one in the tree. Left out at the top level.',
      nullable: true,
      references: 'ApiDocument',
      nests: true,
    },
    slug: {
      kind: 'chosenSlug',
      description: 'Part of generated URLs. Defaults to the slugified form of title.',
    },
    status: {
      type: {
        choice: 'ApiDocumentStatus',
        description: 'Whether a document is visible.',
        values: { published: 'Visible on the live portal.', unpublished: 'Hidden from the live portal.' },
      },
      description: 'Whether the document is visible on the live portal. Defaults to `unpublished`.',
      exposure: { shown: 'published', hidden: 'unpublished', published: true },
      clearing: { by: 'value', value: 'unpublished' },
    },
    title: {
      description: 'Title of the page.',
      role: 'label',
      clearing: { by: 'nothing', why: 'the platform chooses a title only when the document is created' },
    },
  },
  outputs: {
    createdAt: { kind: 'created' },
    updatedAt: { kind: 'updated' },
  },
};
