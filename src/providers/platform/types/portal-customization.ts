import { menuRecord, specRendererRecord, themeRecord } from '../records/portal-look.js';
import type { TypeDefinition } from '@platform-sync/rest/definition';

const customization = '/v3/portals/{portalId}/customization';

export const portalCustomization: TypeDefinition = {
  name: 'PortalCustomization',
  description: 'How a portal looks. Every portal looks somehow; deleting this puts it back.',
  operations: {
    create: `PUT ${customization}`,
    read: `GET ${customization}`,
    update: `PUT ${customization}`,
    reset: {},
  },
  parent: 'portalId',
  importId: '{portalId}',
  naturalKey: ['portalId'],
  unique: [['portalId']],
  required: ['portalId'],
  fields: {
    portalId: { kind: 'ofPortal' },
    css: { description: 'Style sheet of the pages.', equality: 'text', nullable: true },
    layout: { description: 'How pages are laid out.', absent: null },
    menu: {
      type: menuRecord,
      description: 'The menus of the portal.',
      equality: 'record',
      absent: null,
    },
    robots: { description: 'What robots.txt says.', equality: 'text', nullable: true },
    specRenderer: {
      type: specRendererRecord,
      description: 'How specifications are shown.',
      equality: 'record',
      absent: null,
    },
    theme: {
      type: themeRecord,
      description: 'Colours of the portal.',
      equality: 'record',
      absent: null,
    },
  },
};
