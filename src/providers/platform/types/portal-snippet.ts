import { crud } from '@platform-sync/rest/crud';
import type { TypeDefinition } from '@platform-sync/rest/definition';

export const portalSnippet: TypeDefinition = {
  name: 'PortalSnippet',
  description: 'A piece of Markdown that pages of a portal use by its name.',
  operations: crud('/v3/portals/{portalId}/snippets'),
  list: { get: '/v3/portals/{portalId}/snippets', findBy: { 'filter[name][eq]': 'name' } },
  naturalKey: ['portalId', 'name'],
  unique: [['portalId', 'name']],
  absence: 'problem-404',
  hooks: { derive: 'frontMatter' },
  required: ['portalId', 'content'],
  always: ['name', 'status', 'visibility'],
  fields: {
    portalId: { kind: 'ofPortal', description: 'Identifier of the portal the snippet belongs to.' },
    content: {
      description: 'Markdown of the snippet. What its front matter says of title and description is what counts.',
      equality: 'text',
      inList: false,
      limits: { maxLength: 1_000_000 },
    },
    description: {
      kind: 'frontMatter',
      description: 'One line about the snippet.',
      limits: { maxLength: 160 },
      absent: null,
    },
    name: {
      description: 'What pages call the snippet.',
      role: 'name',
      size: [1, 512],
      clearing: { by: 'nothing', why: 'a snippet always has a name' },
    },
    status: { kind: 'shownOnPortal', description: 'Whether the snippet is shown. Defaults to `unpublished`.' },
    title: { kind: 'frontMatter', description: 'Title of the snippet.', limits: { maxLength: 512 }, absent: null },
    visibility: { kind: 'seenBy', description: 'Who sees the snippet. Left out, what the portal says.' },
  },
  outputs: { createdAt: { kind: 'created' }, updatedAt: { kind: 'updated' } },
};
