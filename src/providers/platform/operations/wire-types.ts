import { readSpecification } from './read-specification.js';
import type { WireType } from './wire-type.js';

const api: WireType = {
  token: 'platform:index/api:Api',
  collection: '/v3/apis',
  item: '/v3/apis/{id}',
  list: { shape: 'pages' },
  absent: { attributes: {}, implementationMode: null },
  nullable: ['description', 'version', 'slug'],
  findBy: { 'filter[name][eq]': 'name' },
  readWriteOnly: readSpecification,
};

const apiDocument: WireType = {
  token: 'platform:index/apiDocument:ApiDocument',
  collection: '/v3/apis/{apiId}/documents',
  item: '/v3/apis/{apiId}/documents/{id}',
  list: { shape: 'tree' },
  nullable: ['parentDocumentId'],
};

const apiImplementation: WireType = {
  token: 'platform:index/apiImplementation:ApiImplementation',
  collection: '/v3/apis/{apiId}/implementations',
  item: '/v3/apis/{apiId}/implementations/{id}',
  // There is no list under an API; the one for all APIs names the API in each item.
  list: { shape: 'pages', path: '/v3/api-implementations' },
  findBy: { 'filter[api_id][eq]': 'apiId' },
  members: {
    serviceReference: [
      ['service.controlPlaneId', 'service.control_plane_id'],
      ['service.id', 'service.id'],
    ],
    controlPlaneReference: [['controlPlane.id', 'control_plane.control_plane_id']],
  },
};

const apiProduct: WireType = {
  token: 'platform:index/apiProduct:ApiProduct',
  collection: '/v2/api-products',
  item: '/v2/api-products/{id}',
  list: { shape: 'pages' },
  nullable: ['description'],
  findBy: { 'filter[name][eq]': 'name' },
};

const apiProductDocument: WireType = {
  token: 'platform:index/apiProductDocument:ApiProductDocument',
  collection: '/v2/api-products/{apiProductId}/documents',
  item: '/v2/api-products/{apiProductId}/documents/{id}',
  list: { shape: 'pages' },
  nullable: ['parentDocumentId'],
};

export const wireTypes: ReadonlyMap<string, WireType> = new Map(
  [api, apiDocument, apiImplementation, apiProduct, apiProductDocument].map((type) => [type.token, type]),
);
