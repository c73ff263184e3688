import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { managedField } from '@platform-sync/sandbox/wire';
import { Client, seeded } from './client.js';

let client: Client;
beforeAll(async () => {
  client = await Client.start();
});
afterAll(() => client.close());

async function total(path: string): Promise<number> {
  const { body } = await client.get(path);
  return (body['meta'] as { page: { total: number } }).page.total;
}

/** How many of the family there are without a filter: a filter that finds all of them would prove nothing. */
const everything = {
  '/v2/cloud-gateways/networks': 24,
  '/v2/cloud-gateways/provider-accounts': 12,
  '/v2/control-planes': 27,
  '/v1/mesh/control-planes': 12,
  '/v3/portals': 12,
  '/v2/portals': 4,
  '/v2/users': 12,
  '/v2/users/': 12,
  '/v3/teams': 27,
  '/v3/system-accounts': 26,
} as const;

test.each(Object.entries(everything))('%s walks through all %i, each once', async (path, count) => {
  const seen = new Set<unknown>();
  for (let page = 1; page <= Math.ceil(count / 10); page += 1) {
    for (const row of await client.list(`${path}?page[number]=${String(page)}`)) seen.add(row['id']);
  }
  expect(seen.size).toBe(count);
  expect(await total(path)).toBe(count);
});

test.each([
  '/v2/cloud-gateways/networks',
  '/v2/control-planes',
  '/v1/mesh/control-planes',
  '/v3/portals',
  '/v2/portals',
  '/v3/teams',
  '/v3/system-accounts',
])('%s answers single objects as it lists them', async (path) => {
  const [first] = await client.list(path);
  expect((await client.get(`${path}/${String(first?.['id'])}`)).body).toEqual(first);
});

/** Every filter member of every lookup with each of its operators: some found, one found, none found. */
describe.each<[path: string, rows: readonly (readonly [string, string, string, number])[]]>([
  [
    '/v2/cloud-gateways/networks',
    [
      ['name', 'eq', 'default-network', 1],
      ['name', 'eq', 'nope', 0],
      ['name', 'neq', 'default-network', 23],
      ['name', 'contains', 'EU-central', 8],
      ['name', 'oeq', 'default-network,us-east-2-network-4', 2],
      ['name', 'ocontains', 'ap-south,default', 9],
      ['state', 'oeq', 'ready', 4],
      ['state', 'oeq', 'offline,terminated', 8],
      ['state', 'eq', 'created', 4],
      ['state', 'neq', 'created', 20],
    ],
  ],
  [
    '/v2/control-planes',
    [
      ['id', 'eq', seeded.controlPlane, 1],
      ['id', 'oeq', `${seeded.controlPlane},${seeded.secondControlPlane}`, 2],
      ['name', 'eq', 'default', 1],
      ['name', 'neq', 'default', 26],
      ['name', 'contains', 'payments-', 6],
      ['cluster_type', 'eq', 'CLUSTER_TYPE_HYBRID', 4],
      ['cluster_type', 'neq', 'CLUSTER_TYPE_HYBRID', 23],
      ['cluster_type', 'oeq', 'CLUSTER_TYPE_HYBRID,CLUSTER_TYPE_SERVERLESS', 8],
      ['cloud_gateway', '', 'true', 9],
      ['cloud_gateway', '', 'false', 18],
    ],
  ],
  [
    '/v3/portals',
    [
      ['id', 'eq', seeded.portal, 1],
      ['id', 'neq', seeded.portal, 11],
      ['id', 'oeq', seeded.portal, 1],
      ['name', 'eq', 'dev', 1],
      ['name', 'neq', 'dev', 11],
      ['name', 'contains', 'pa', 2],
      ['name', 'oeq', 'dev,mobile,nope', 2],
      ['name', 'ocontains', 'pa,mob', 3],
      ['description', 'contains', 'payments', 0],
      ['description', 'contains', 'partners', 1],
      ['default_api_visibility', 'eq', 'private', 6],
      ['default_page_visibility', 'oeq', 'private', 4],
      ['default_domain', 'contains', 'portal.example', 12],
      ['canonical_domain', 'ocontains', 'docs-', 6],
      ['default_application_auth_strategy_id', 'neq', '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f1301', 9],
      ['default_application_auth_strategy_id', 'eq', '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f1301', 3],
      ['authentication_enabled', '', 'false', 4],
      ['rbac_enabled', '', 'true', 3],
      ['auto_approve_developers', '', 'true', 6],
      ['auto_approve_applications', '', 'true', 4],
    ],
  ],
  [
    '/v3/teams',
    [
      ['name', 'eq', 'organization-admins', 1],
      ['name', 'contains', 'ADMINS', 9],
      ['name', 'contains', 'nope', 0],
      ['labels.env', 'eq', 'prod', 12],
      ['labels.area', 'exists', 'true', 24],
    ],
  ],
  [
    '/v3/system-accounts',
    [
      ['name', 'eq', 'ci', 1],
      ['name', 'contains', 'robot', 25],
      ['description', 'eq', 'Runs the pipelines', 1],
      ['description', 'contains', 'automation', 25],
      [managedField, '', 'true', 5],
      [managedField, '', 'false', 21],
    ],
  ],
])('%s', (path, rows) => {
  test.each(rows)('filter[%s][%s]=%s finds %i', async (field, operator, value, found) => {
    const suffix = operator === '' ? '' : `[${operator}]`;
    expect(await total(`${path}?filter[${field}]${suffix}=${encodeURIComponent(value)}`)).toBe(found);
  });
});

test('filters of different fields must all hold', async () => {
  expect(await total('/v3/portals?filter[rbac_enabled]=true&filter[name][contains]=pa')).toBe(1);
});

test.each([
  ['env:prod', 9],
  ['critical', 6],
  ['env:prod,critical', 2],
  ['env:prod, critical ,team:logistics', 1],
  ['env:nope', 0],
  ['nope', 0],
  ['env:', 0],
])('labels=%s finds %i control planes', async (labels, found) => {
  expect(await total(`/v2/control-planes?labels=${encodeURIComponent(labels)}`)).toBe(found);
});

test.each([
  ['/v2/control-planes', ['created_at']],
  [
    '/v3/portals',
    [
      'name',
      'description',
      'authentication_enabled',
      'rbac_enabled',
      'auto_approve_applications',
      'auto_approve_developers',
      'default_domain',
      'canonical_domain',
      'created_at',
      'updated_at',
    ],
  ],
  [
    '/v2/portals',
    [
      'name',
      'description',
      'is_public',
      'rbac_enabled',
      'auto_approve_applications',
      'auto_approve_developers',
      'default_domain',
      'custom_domain',
      'custom_client_domain',
      'created_at',
      'updated_at',
    ],
  ],
])('%s sorts by each of its fields, both ways', async (path, fields) => {
  for (const field of fields) {
    const up = (await client.list(`${path}?page[size]=100&sort=${field}`)).map((row) => row[field]);
    const down = (await client.list(`${path}?page[size]=100&sort=${field}%20desc`)).map((row) => row[field]);
    const known = up.filter((value) => value !== null);
    expect(up).toEqual([...[...known].sort(compare), ...up.filter((value) => value === null)]);
    expect(down).toEqual([...up].reverse());
  }
});

function compare(a: unknown, b: unknown): number {
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

test('the address list is public', async () => {
  const { status, body } = await client.call('GET', '/ip-addresses.json', undefined, { authorization: '' });
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['updateDate', 'regions', 'ingressIPs', 'egressIPs']);
});

test('classic portals count the products published to them', async () => {
  const id = await client.create('/v2/api-products', { name: 'P', portal_ids: [seeded.classicPortal] });
  const path = `/v2/portals/${seeded.classicPortal}`;
  expect((await client.get(path)).body['published_product_count']).toBe(1);
  await client.call('DELETE', `/v2/api-products/${id}`);
  expect((await client.get(path)).body['published_product_count']).toBe(0);
});
