import type { TypeDefinition } from '@platform-sync/rest/definition';

const collection = '/v3/portals/{portalId}/teams/{teamId}/assigned-roles';

export const portalTeamRole: TypeDefinition = {
  name: 'PortalTeamRole',
  description: 'What a team of developers may do with an API. It has no update: each change is another role.',
  operations: { create: `POST ${collection}`, delete: `DELETE ${collection}/{id}` },
  list: { get: collection },
  naturalKey: ['portalId', 'teamId', 'roleName', 'entityId', 'entityTypeName', 'entityRegion'],
  unique: [['portalId', 'teamId', 'roleName', 'entityId', 'entityTypeName', 'entityRegion']],
  // No call reads one role alone.
  absence: 'two-lists',
  required: ['portalId', 'teamId', 'roleName', 'entityId', 'entityTypeName', 'entityRegion'],
  always: ['roleName', 'entityId', 'entityTypeName', 'entityRegion'],
  fields: {
    portalId: { kind: 'ofPortal', description: 'Identifier of the portal that the team belongs to.' },
    teamId: {
      kind: 'id',
      description: 'Identifier of the team.',
      references: 'PortalTeam',
      nests: true,
      diesWith: true,
    },
    entityId: { description: 'Identifier of what the role is on, mostly an API; `*` for everything.', replaces: true },
    entityRegion: {
      type: {
        choice: 'PortalRoleRegion',
        description: 'Where something is.',
        values: {
          us: 'North America.',
          eu: 'Europe.',
          au: 'Australia.',
          me: 'Middle East.',
          in: 'India.',
          sg: 'Singapore.',
          '*': 'Anywhere.',
        },
        open: true,
      },
      description: 'Region of what the role is on.',
      replaces: true,
    },
    entityTypeName: { description: 'Kind of what the role is on, `Services` for an API.', replaces: true },
    roleName: { description: 'Name of the role, `API Consumer` or `API Viewer`.', replaces: true },
  },
};
