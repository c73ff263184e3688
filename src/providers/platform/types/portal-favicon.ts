import type { TypeDefinition } from '../../rest/definition.js';

const asset = '/v3/portals/{portalId}/assets/favicon';

export const portalFavicon: TypeDefinition = {
  name: 'PortalFavicon',
  description:
    'The small picture that browsers show for a portal. Every portal has one; deleting it here brings the platform’s own back.',
  operations: { create: `PUT ${asset}`, read: `GET ${asset}`, update: `PUT ${asset}`, reset: { data: null } },
  parent: 'portalId',
  importId: '{portalId}',
  naturalKey: ['portalId'],
  unique: [['portalId']],
  required: ['portalId', 'data'],
  fields: {
    portalId: { kind: 'ofPortal' },
    data: { kind: 'image' },
  },
};
