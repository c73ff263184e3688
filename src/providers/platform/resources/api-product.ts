import type { ResourceDescriptor } from '../../../engine/model/descriptor.js';
import { foreignLabelPrefixes } from '../wire.js';
import { labels, uuid } from './limits.js';
import { apiProductDocumentToken, apiProductToken } from './tokens.js';

export const apiProduct: ResourceDescriptor = {
  token: apiProductToken,
  naturalKey: ['name'],
  // Two products of one name are nowhere forbidden.
  unique: [],
  nameField: 'name',
  collection: { scope: [], paged: true },
  absence: 'problem-404',
  revision: 'updatedAt',
  creation: 'createdAt',
  markedIn: 'labels',
  visibility: [{ field: 'portalIds' }],
  importId: { form: 'plain' },
  cascades: [apiProductDocumentToken],
  losses: [{ field: 'portals', named: ['portalName', 'portalId'] }],
  fields: {
    name: {
      limits: { minLength: 1, maxLength: 100 },
      clearing: { by: 'nothing', why: 'an API product always has a name' },
    },
    description: { equality: 'text' },
    labels: { limits: labels, foreignKeys: foreignLabelPrefixes, clearing: { by: 'value', value: {} } },
    // The map itself can't be null on the wire, only its values can.
    publicLabels: { limits: labels, foreignKeys: foreignLabelPrefixes, clearing: { by: 'value', value: {} } },
    portalIds: { equality: 'set', limits: { items: { type: 'string', ...uuid }, uniqueItems: true } },
    portals: { equality: 'set' },
    createdAt: { stable: true },
  },
};
