import { crud } from '@platform-sync/rest/crud';
import type { TypeDefinition } from '@platform-sync/rest/definition';

export const portalTeam: TypeDefinition = {
  name: 'PortalTeam',
  description: 'A team of developers of a portal.',
  operations: crud('/v3/portals/{portalId}/teams'),
  list: { get: '/v3/portals/{portalId}/teams', findBy: { 'filter[name][eq]': 'name' } },
  naturalKey: ['portalId', 'name'],
  unique: [['portalId', 'name']],
  absence: 'problem-404',
  required: ['portalId'],
  always: ['canOwnApplications', 'name'],
  fields: {
    portalId: { kind: 'ofPortal', description: 'Identifier of the portal the team belongs to.' },
    canOwnApplications: {
      kind: 'switchedOff',
      description: 'Whether applications may belong to the team.',
      absent: false,
    },
    description: { kind: 'prose', description: 'What the team is for.', limits: { maxLength: 250 }, absent: null },
    name: {
      description: 'Name of the team.',
      role: 'name',
      size: [1, 250],
      clearing: { by: 'nothing', why: 'a team always has a name' },
    },
  },
  outputs: { createdAt: { kind: 'created' }, updatedAt: { kind: 'updated' } },
};
