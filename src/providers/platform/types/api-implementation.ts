import type { TypeDefinition } from '@platform-sync/rest/definition';

export const apiImplementation: TypeDefinition = {
  name: 'ApiImplementation',
  description:
    'What implements an API: one gateway service, or one control plane. An API has at most one implementation.',
  operations: {
    create: 'POST /v3/apis/{apiId}/implementations',
    read: 'GET /v3/apis/{apiId}/implementations/{id}',
    delete: 'DELETE /v3/apis/{apiId}/implementations/{id}',
  },
  // There is no list under an API; the one for all APIs names the API in each item.
  list: { get: '/v3/api-implementations', findBy: { 'filter[api_id][eq]': 'apiId' } },
  // An API has at most one, so the API names it.
  naturalKey: ['apiId'],
  unique: [['apiId'], ['serviceReference']],
  exactlyOne: [['controlPlaneReference', 'serviceReference']],
  absence: 'problem-404',
  required: ['apiId'],
  fields: {
    apiId: { kind: 'ofApi', replaces: true },
    controlPlaneReference: {
      kind: 'idOfControlPlane',
      type: {
        record: 'ApiImplementationControlPlaneReference',
        description: 'A control plane that implements the API.',
        members: {
          controlPlane: {
            type: {
              record: 'ApiImplementationControlPlaneReferenceControlPlane',
              description: 'A control plane, by identifier.',
              members: { id: 'Identifier of the control plane.' },
            },
            description: 'The control plane.',
          },
        },
      },
      description: 'A control plane that implements the API.',
      replaces: true,
      members: { 'controlPlane.id': 'control_plane.control_plane_id' },
    },
    serviceReference: {
      kind: 'idsOfService',
      type: {
        record: 'ApiImplementationServiceReference',
        description: 'A gateway service that implements the API.',
        members: {
          service: {
            type: {
              record: 'ApiImplementationServiceReferenceService',
              description: 'A gateway service, by its own identifier and that of its control plane.',
              members: {
                controlPlaneId: 'Identifier of the control plane the service belongs to.',
                id: 'Identifier of the service.',
              },
            },
            description: 'The gateway service.',
          },
        },
      },
      description: 'A gateway service that implements the API.',
      replaces: true,
      members: { 'service.controlPlaneId': 'service.control_plane_id', 'service.id': 'service.id' },
    },
  },
  outputs: {
    createdAt: { kind: 'created' },
    updatedAt: { kind: 'updated' },
  },
};
