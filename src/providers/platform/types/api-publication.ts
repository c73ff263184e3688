import type { TypeDefinition } from '@platform-sync/rest/definition';

const item = '/v3/apis/{apiId}/publications/{portalId}';

export const apiPublication: TypeDefinition = {
  name: 'ApiPublication',
  description: 'An API shown on a portal. The pair of both is what it is known by; it has no id of its own.',
  operations: { create: `PUT ${item}`, read: `GET ${item}`, update: `PUT ${item}`, delete: `DELETE ${item}` },
  // One list holds the publications of all APIs.
  list: { get: '/v3/api-publications', findBy: { 'filter[api_id][eq]': 'apiId' } },
  naturalKey: ['apiId', 'portalId'],
  unique: [['apiId', 'portalId']],
  absence: 'problem-404',
  remarks: 'warnings',
  presence: {
    shown: 'developers who have signed in to the portal see the API',
    hidden: 'the API disappears from the portal',
  },
  follows: ['ApiVersion', 'ApiImplementation'],
  required: ['apiId', 'portalId'],
  always: ['autoApproveRegistrations', 'visibility', 'createdAt', 'updatedAt'],
  fields: {
    apiId: { kind: 'ofApi', replaces: true },
    portalId: {
      kind: 'id',
      description: 'Identifier of the portal.',
      replaces: true,
      references: 'Portal',
    },
    authStrategyIds: {
      type: { list: 'string' },
      description:
        'How applications sign in: the identifier of one strategy, or null for no authentication. Left out, the strategy that the portal has as its default.',
      equality: 'set',
      size: [1, 1],
      nullable: true,
      nullIsValue: true,
      limits: { items: { type: 'string', format: 'uuid' } },
    },
    autoApproveRegistrations: {
      type: 'boolean',
      description: 'Whether applications are registered without approval. Where it is false, the portal decides.',
      clearing: { by: 'value', value: false },
    },
    visibility: {
      type: {
        choice: 'ApiPublicationVisibility',
        description: 'Who sees a published API.',
        values: { public: 'Every visitor of the portal.', private: 'Developers who have signed in and may see it.' },
      },
      description: 'Who sees the API on the portal. Defaults to `private`.',
      exposure: {
        shown: 'public',
        hidden: 'private',
        says: {
          shown: 'the API becomes public: every visitor of the portal sees it',
          hidden: 'the API becomes private: only developers who have signed in see it',
        },
      },
      clearing: { by: 'value', value: 'private' },
    },
  },
  outputs: {
    warnings: { type: { list: 'string' }, description: 'What the platform remarks about the publication.' },
    createdAt: { kind: 'created' },
    updatedAt: { kind: 'updated' },
  },
};
