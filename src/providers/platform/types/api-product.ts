import { crud } from '@platform-sync/rest/crud';
import type { TypeDefinition } from '@platform-sync/rest/definition';

export const apiProduct: TypeDefinition = {
  name: 'ApiProduct',
  description:
    'Classic: an API product, as they were before `Api`, and on their way out. The guide "From API products to APIs" shows the way.',
  operations: crud('/v2/api-products'),
  list: { get: '/v2/api-products', findBy: { 'filter[name][eq]': 'name' } },
  // Two products of one name are nowhere forbidden, so nothing is unique.
  naturalKey: ['name'],
  absence: 'problem-404',
  required: ['portalIds'],
  always: ['labels', 'name', 'publicLabels'],
  fields: {
    description: { kind: 'prose', description: 'What the API product does.' },
    labels: { kind: 'labels', description: 'Metadata labels.' },
    name: {
      description: 'Name of the API product.',
      role: 'name',
      size: [1, 100],
      clearing: { by: 'nothing', why: 'an API product always has a name' },
    },
    portalIds: {
      type: { list: 'string' },
      description: 'Identifiers of the classic portals the product is published to.',
      deprecated: 'Publishing through this list is being retired by the platform, together with classic portals.',
      equality: 'set',
      exposure: true,
      limits: { items: { type: 'string', format: 'uuid' }, uniqueItems: true },
    },
    // The map itself can't be null on the wire, only its values can.
    publicLabels: { kind: 'publicLabels', description: 'Labels for public metadata, used for filtering lists.' },
  },
  outputs: {
    portals: {
      type: {
        list: {
          record: 'ApiProductPortal',
          description: 'A classic portal an API product is published to.',
          members: {
            portalId: 'Identifier of the portal.',
            portalName: 'Name of the portal.',
          },
        },
      },
      description: 'Portals the product is published to.',
      equality: 'set',
      losses: ['portalName', 'portalId'],
    },
    versionCount: { type: 'number', description: 'How many versions the product has.' },
    createdAt: { kind: 'created' },
    updatedAt: { kind: 'updated' },
  },
};
