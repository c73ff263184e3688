import type { FieldDefinition, TypeDefinition } from '@platform-sync/rest/definition';

const settings = '/v3/portals/{portalId}/authentication-settings';

const moved = 'Identity providers of a portal are objects of their own: PortalIdentityProvider.';
const flag = (description: string): FieldDefinition => ({
  type: 'boolean',
  description,
  clearing: { by: 'value', value: false },
});

export const portalAuth: TypeDefinition = {
  name: 'PortalAuth',
  description:
    'How developers sign in at a portal. Every portal has these settings; deleting them puts back what was declared.',
  operations: {
    create: `PATCH ${settings}`,
    read: `GET ${settings}`,
    update: `PATCH ${settings}`,
    reset: {
      ...{ basicAuthEnabled: true, platformMappingEnabled: false, idpMappingEnabled: false },
      ...{ oidcAuthEnabled: false, oidcTeamMappingEnabled: false, samlAuthEnabled: false },
      ...{ oidcIssuer: null, oidcClientId: null, oidcClientSecret: null, oidcScopes: null, oidcClaimMappings: null },
    },
  },
  parent: 'portalId',
  importId: '{portalId}',
  naturalKey: ['portalId'],
  unique: [['portalId']],
  required: ['portalId'],
  always: [
    ...['basicAuthEnabled', 'idpMappingEnabled', 'oidcAuthEnabled', 'oidcTeamMappingEnabled'],
    ...['platformMappingEnabled', 'samlAuthEnabled'],
  ],
  fields: {
    portalId: { kind: 'ofPortal' },
    basicAuthEnabled: {
      type: 'boolean',
      description: 'Whether developers sign in with a name and a password that the portal keeps.',
      clearing: { by: 'value', value: true },
    },
    idpMappingEnabled: {
      ...flag('Whether groups of an identity provider decide on the teams of developers.'),
      absent: false,
      nullable: true,
    },
    oidcAuthEnabled: { ...flag('Whether developers sign in by OpenID Connect.'), deprecated: moved },
    oidcClaimMappings: {
      type: {
        record: 'PortalClaimMappings',
        description: 'Claims of an identity provider that say who a developer is.',
        members: {
          name: { description: 'Claim with the name; `name` unless something else is said.', optional: true },
          email: { description: 'Claim with the address; `email` unless something else is said.', optional: true },
          groups: { description: 'Claim with the groups; `groups` unless something else is said.', optional: true },
        },
      },
      description: 'Which claims of the identity provider say who a developer is.',
      limits: { maxProperties: 3 },
      equality: 'record',
      nullable: true,
      deprecated: moved,
    },
    oidcClientId: { description: 'What the identity provider knows the portal as.', nullable: true, deprecated: moved },
    oidcClientSecret: {
      description: 'Secret of the portal at the identity provider.',
      secret: true,
      writeOnly: true,
      deprecated: moved,
    },
    oidcIssuer: { description: 'Address of the identity provider.', nullable: true, deprecated: moved },
    oidcScopes: {
      type: { list: 'string' },
      description: 'What the portal asks the identity provider for.',
      equality: 'set',
      nullable: true,
      deprecated: moved,
    },
    oidcTeamMappingEnabled: {
      ...flag('Whether groups of an identity provider decide on the teams of developers.'),
      deprecated: 'It is called idpMappingEnabled now.',
    },
    platformMappingEnabled: flag('Whether teams of the platform decide on the teams of developers.'),
    samlAuthEnabled: {
      ...flag('Whether developers sign in by SAML.'),
      absent: false,
      nullable: true,
      deprecated: moved,
    },
  },
};
