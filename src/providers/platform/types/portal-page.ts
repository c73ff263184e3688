import { crud } from '@platform-sync/rest/crud';
import type { TypeDefinition } from '@platform-sync/rest/definition';

export const portalPage: TypeDefinition = {
  name: 'PortalPage',
  description: 'A page of a portal. Pages of one portal form a tree.',
  operations: crud('/v3/portals/{portalId}/pages'),
  // One answer carries the whole tree of a portal.
  list: {
    get: '/v3/portals/{portalId}/pages',
    paging: { by: 'tree', items: 'data', children: 'children', parent: 'parent_page_id' },
  },
  naturalKey: ['portalId', 'parentPageId', 'slug'],
  unique: [['portalId', 'parentPageId', 'slug']],
  absence: 'problem-404',
  hooks: { derive: 'frontMatter' },
  file: {
    ...{ format: 'markdown', body: 'content', named: 'slug' },
    fields: { title: 'title', description: 'description', slug: 'slug', status: 'status', visibility: 'visibility' },
  },
  required: ['portalId', 'slug', 'content'],
  always: ['slug', 'status', 'title', 'visibility'],
  fields: {
    portalId: { kind: 'ofPortal', description: 'Identifier of the portal the page belongs to.' },
    content: {
      description: 'Markdown of the page. What its front matter says of title and description is what counts.',
      equality: 'text',
      inList: false,
      limits: { maxLength: 1_000_000 },
    },
    description: {
      kind: 'frontMatter',
      description: 'One line about the page.',
      limits: { maxLength: 160 },
      absent: null,
    },
    parentPageId: {
      kind: 'id',
      description: 'Identifier of the page above this one in the tree. Left out at the top level.',
      nullable: true,
      references: 'PortalPage',
      nests: true,
    },
    slug: { description: 'Part of the address of the page; `/` for the first one.', limits: { maxLength: 512 } },
    status: { kind: 'shownOnPortal', description: 'Whether the page is shown. Defaults to `unpublished`.' },
    title: { kind: 'frontMatter', description: 'Title of the page.', role: 'label', limits: { maxLength: 512 } },
    visibility: { kind: 'seenBy', description: 'Who sees the page. Left out, what the portal says.' },
  },
  outputs: { createdAt: { kind: 'created' }, updatedAt: { kind: 'updated' } },
};
