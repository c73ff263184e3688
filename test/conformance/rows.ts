import type { JsonObject } from '@platform-sync/core/model/value';
import { cloudServiceDomain } from '@platform-sync/sandbox/wire';
import { portalRows } from './portal-rows.js';
import type { ConformanceRow } from './row.js';
import { strategyRow } from './strategy-rows.js';

/** Objects that the sandbox has from the start. */
const seeded = (kind: string, number: number): string =>
  `8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f${kind}${number.toString(16).padStart(2, '0')}`;
const controlPlane = seeded('0a', 1);
const service = (number: number): JsonObject => ({
  service: { controlPlaneId: controlPlane, id: seeded('0b', number) },
});
const strategy = (number: number): string => seeded('13', number);
const classicPortal = (number: number): string => seeded('0d', number);

const spec = (summary: string): string =>
  `openapi: 3.0.3\ninfo: {title: Pets, version: "1.0"}\npaths: {/pets: {get: {summary: ${summary}, responses: {"200": {description: ok}}}}}\n`;

const api = (name: string): JsonObject => ({ type: 'platform:Api', properties: { name } });
const product = (name: string): JsonObject => ({ type: 'platform:ApiProduct', properties: { name, portalIds: [] } });

const apiRow: ConformanceRow = {
  type: 'platform:Api',
  needs: {},
  properties: {
    name: 'Pets',
    version: '1.0',
    description: 'All about pets',
    slug: 'own-slug',
    labels: { team: 'a', tier: 'gold' },
    attributes: { domain: ['pets', 'animals', 'cats'], owner: ['x'] },
    specContent: spec('list'),
  },
  changes: {
    name: { to: 'Animals', action: 'update' },
    version: { to: '2.0', action: 'update' },
    description: { to: 'Everything\nabout pets', action: 'update' },
    slug: { to: 'another-slug', action: 'update' },
    labels: { to: { team: 'b', size: 'xl' }, action: 'update' },
    attributes: { to: { domain: ['dogs', 'pets'], region: ['eu', 'us'] }, action: 'update' },
    specContent: { to: spec('find'), action: 'replace' },
  },
  removals: {
    name: { leaves: 'subject' },
    version: { leaves: null },
    description: { leaves: null },
    slug: { leaves: 'pets-10' },
    labels: { leaves: {} },
    attributes: { leaves: {} },
    specContent: 'kept',
  },
  drift: {
    name: { name: 'Clicked' },
    version: { version: '9' },
    description: { description: null },
    slug: { slug: 'clicked' },
    labels: { labels: { team: 'clicked', added: 'x' } },
    attributes: { attributes: { domain: ['clicked'], owner: null } },
  },
  driftless: { specContent: 'the platform accepts it and never shows it on the API' },
  collection: 'apis',
  importId: (id) => id,
};

const documentRow: ConformanceRow = {
  type: 'platform:ApiDocument',
  needs: {
    pets: api('Pets'),
    cats: api('Cats'),
    top: { type: 'platform:ApiDocument', properties: { apiId: '${pets.id}', title: 'Top', content: 'Top' } },
  },
  properties: {
    apiId: '${pets.id}',
    parentDocumentId: '${top.id}',
    title: 'Guide',
    content: '# Guide\n\nText\n',
    slug: 'the-guide',
    status: 'published',
  },
  changes: {
    apiId: { to: '${cats.id}', action: 'replace', without: ['parentDocumentId'] },
    parentDocumentId: { to: '${other.id}', action: 'update' },
    title: { to: 'Handbook', action: 'update' },
    content: { to: '# Guide\n\nOther text\n', action: 'update' },
    slug: { to: 'handbook', action: 'update' },
    status: { to: 'unpublished', action: 'update' },
  },
  removals: {
    parentDocumentId: { leaves: null },
    title: 'kept',
    slug: { leaves: 'guide' },
    status: { leaves: 'unpublished' },
  },
  drift: {
    parentDocumentId: { parent_document_id: null },
    title: { title: 'Clicked' },
    content: { content: 'clicked' },
    slug: { slug: 'clicked' },
    status: { status: 'unpublished' },
  },
  driftless: { apiId: 'a document cannot move between APIs' },
  collection: 'documents',
  importId: (id, ids) => JSON.stringify({ api_id: ids['pets'], id }),
};

const versionSpec = (version: string, summary: string): string =>
  `openapi: 3.0.3\ninfo: {title: Pets, version: "${version}"}\npaths: {/pets: {get: {summary: ${summary}, responses: {"200": {description: ok}}}}}\n`;

const versionRow: ConformanceRow = {
  type: 'platform:ApiVersion',
  needs: { pets: api('Pets'), cats: api('Cats') },
  properties: { apiId: '${pets.id}', version: '2', specContent: versionSpec('2.0.1', 'list') },
  changes: {
    apiId: { to: '${cats.id}', action: 'replace' },
    version: { to: '3', action: 'update' },
    specContent: { to: versionSpec('2.0.2', 'find'), action: 'update' },
  },
  removals: { version: { leaves: '2.0.1' } },
  drift: { version: { version: 'clicked' }, specContent: { content: versionSpec('2.0.1', 'clicked') } },
  driftless: { apiId: 'a version cannot move between APIs' },
  collection: 'versions',
  importId: (id, ids) => JSON.stringify({ api_id: ids['pets'], id }),
};

export const portal = (number: number): string => seeded('0c', number);

// The second portal has a strategy of its own, which is what a publication there gets when nothing is said.
const publicationRow: ConformanceRow = {
  type: 'platform:ApiPublication',
  needs: { pets: api('Pets'), cats: api('Cats') },
  properties: {
    apiId: '${pets.id}',
    portalId: portal(2),
    visibility: 'public',
    authStrategyIds: null,
    autoApproveRegistrations: true,
  },
  changes: {
    apiId: { to: '${cats.id}', action: 'replace' },
    portalId: { to: portal(1), action: 'replace' },
    visibility: { to: 'private', action: 'update' },
    authStrategyIds: { to: [strategy(2)], action: 'update' },
    autoApproveRegistrations: { to: false, action: 'update' },
  },
  removals: {
    visibility: { leaves: 'private' },
    authStrategyIds: { leaves: [strategy(1)] },
    autoApproveRegistrations: { leaves: false },
  },
  drift: {
    visibility: { visibility: 'private' },
    authStrategyIds: { auth_strategy_ids: [strategy(3)] },
    autoApproveRegistrations: { auto_approve_registrations: false },
  },
  driftless: { apiId: 'the pair is the identity', portalId: 'the pair is the identity' },
  collection: 'publications',
  storedId: (id, scope) => `${scope['apiId'] ?? ''}/${id}`,
  importId: (id, ids) => JSON.stringify({ api_id: ids['pets'], portal_id: id }),
};

const implementationRow: ConformanceRow = {
  type: 'platform:ApiImplementation',
  needs: { pets: api('Pets'), cats: api('Cats') },
  properties: { apiId: '${pets.id}', serviceReference: service(1) },
  changes: {
    apiId: { to: '${cats.id}', action: 'replace' },
    serviceReference: { to: service(2), action: 'replace' },
    controlPlaneReference: { to: { controlPlane: { id: controlPlane } }, action: 'replace' },
  },
  removals: {},
  drift: { serviceReference: { service: { control_plane_id: controlPlane, id: seeded('0b', 3) } } },
  driftless: {
    apiId: 'an implementation cannot move between APIs',
    controlPlaneReference: 'the row declares the other one of the two',
  },
  collection: 'implementations',
  importId: (id, ids) => JSON.stringify({ api_id: ids['pets'], id }),
};

const productRow: ConformanceRow = {
  type: 'platform:ApiProduct',
  needs: {},
  properties: {
    name: 'Bundle',
    description: 'A bundle',
    labels: { team: 'a', tier: 'gold' },
    publicLabels: { kind: 'bundle', size: 'xl' },
    portalIds: [classicPortal(1), classicPortal(2)],
  },
  changes: {
    name: { to: 'Package', action: 'update' },
    description: { to: 'A package', action: 'update' },
    labels: { to: { team: 'b' }, action: 'update' },
    publicLabels: { to: { kind: 'package' }, action: 'update' },
    portalIds: { to: [classicPortal(2)], action: 'update' },
  },
  removals: {
    name: { leaves: 'subject' },
    description: { leaves: null },
    labels: { leaves: {} },
    publicLabels: { leaves: {} },
  },
  drift: {
    name: { name: 'Clicked' },
    description: { description: 'clicked' },
    labels: { labels: { team: null } },
    publicLabels: { public_labels: { kind: 'clicked' } },
    portalIds: { portal_ids: [classicPortal(1)] },
  },
  driftless: {},
  collection: 'products',
  importId: (id) => id,
};

const productDocumentRow: ConformanceRow = {
  type: 'platform:ApiProductDocument',
  needs: {
    bundle: product('Bundle'),
    box: product('Box'),
    top: {
      type: 'platform:ApiProductDocument',
      properties: { apiProductId: '${bundle.id}', title: 'Top', slug: 'top', status: 'published' },
    },
  },
  properties: {
    apiProductId: '${bundle.id}',
    parentDocumentId: '${top.id}',
    title: 'Guide',
    slug: 'guide',
    status: 'published',
    content: '# Guide\n\nText\n',
    metadata: { author: 'Ann', tags: ['a', 'b'] },
  },
  changes: {
    apiProductId: { to: '${box.id}', action: 'replace', without: ['parentDocumentId'] },
    parentDocumentId: { to: '${other.id}', action: 'update' },
    title: { to: 'Handbook', action: 'update' },
    slug: { to: 'handbook', action: 'update' },
    status: { to: 'unpublished', action: 'update' },
    content: { to: 'Other text', action: 'update' },
    metadata: { to: { author: 'Bob' }, action: 'update' },
  },
  removals: { parentDocumentId: { leaves: null }, content: { leaves: '' }, metadata: { leaves: {} } },
  drift: {
    parentDocumentId: { parent_document_id: null },
    title: { title: 'Clicked' },
    slug: { slug: 'clicked' },
    status: { status: 'unpublished' },
    content: { content: 'clicked' },
    metadata: { metadata: { author: 'clicked' } },
  },
  driftless: { apiProductId: 'a document cannot move between products' },
  collection: 'product-documents',
  importId: (id, ids) => JSON.stringify({ api_product_id: ids['bundle'], id }),
};

const servicePolicyRow: ConformanceRow = {
  type: 'cloud:endpoints:ServiceIamPolicy',
  needs: {},
  properties: {
    serviceName: `empty.${cloudServiceDomain}`,
    policyData: {
      bindings: [
        { role: 'roles/viewer', members: ['user:Bob@example.com', 'user:ann@example.com'] },
        { role: 'roles/editor', members: ['group:x@example.com'] },
        { role: 'roles/viewer', members: ['user:cid@example.com'] },
      ],
      auditConfigs: [
        { service: 'allServices', auditLogConfigs: [{ logType: 'DATA_READ' }, { logType: 'ADMIN_READ' }] },
      ],
    },
  },
  changes: {
    serviceName: { to: `unused.${cloudServiceDomain}`, action: 'replace' },
    policyData: {
      to: JSON.stringify({
        bindings: [
          { role: 'roles/viewer', members: ['user:ann@example.com'], condition: { title: 't', expression: 'e' } },
        ],
      }),
      action: 'update',
    },
  },
  removals: {},
  drift: {
    policyData: {
      policy: { etag: 'BwYVx3tsmGE=', bindings: [{ role: 'roles/owner', members: ['user:eve@example.com'] }] },
    },
  },
  driftless: { serviceName: 'the policy of a service belongs to it' },
  collection: 'cloud-services',
  importId: (id) => id.replace(/^services\//, ''),
  storedId: (id) => id.replace(/^services\//, ''),
  gone: { policy: { etag: 'BwYVx3tsmGE=', bindings: null, auditConfigs: null } },
  guards: ['replace:subject', 'delete:subject'],
};

export const rows: readonly ConformanceRow[] = [
  apiRow,
  documentRow,
  versionRow,
  publicationRow,
  strategyRow,
  ...portalRows,
  implementationRow,
  productRow,
  productDocumentRow,
  servicePolicyRow,
];
