import { beforeEach, describe, expect, test } from 'vitest';
import { nobody, seeded, type Client } from './client.js';
import { freshClient } from './fresh-client.js';

let client: Client;
freshClient((started) => (client = started));

const specification = 'openapi: 3.0.3\ninfo:\n  title: Pets\n  version: 4.0.0\n';

test('a new API answers everything, and nothing that was only sent', async () => {
  const reply = await client.call('POST', '/v3/apis', { name: 'Pet Store', version: '1.0.0' });
  expect(reply.status).toBe(201);
  expect(reply.body).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'Pet Store',
    description: null,
    version: '1.0.0',
    slug: 'pet-store-1',
    labels: {},
    attributes: {},
    api_spec_ids: [],
    portals: [],
    implementation_mode: null,
    current_version_summary: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updated_at: reply.body['created_at'],
  });
  expect((await client.get(`/v3/apis/${String(reply.body['id'])}`)).body).toEqual(reply.body);
});

describe('name and version', () => {
  test('are unique together; no version is a version of its own', async () => {
    await client.create('/v3/apis', { name: 'A', version: '1' });
    await client.create('/v3/apis', { name: 'A', version: '2' });
    const unversioned = await client.create('/v3/apis', { name: 'A' });
    for (const body of [{ name: 'A', version: '1' }, { name: 'A' }, { name: 'A', version: null }]) {
      const reply = await client.call('POST', '/v3/apis', body);
      expect(reply.status).toBe(409);
      expect(reply.body['title']).toBe('Conflict');
    }
    expect((await client.call('PATCH', `/v3/apis/${unversioned}`, { version: '2' })).status).toBe(409);
    expect((await client.call('PATCH', `/v3/apis/${unversioned}`, { version: '3' })).status).toBe(200);
    await client.create('/v3/apis', { name: 'A' });
  });

  test('a PATCH that keeps them is no conflict with itself', async () => {
    const id = await client.create('/v3/apis', { name: 'A', version: '1' });
    expect((await client.call('PATCH', `/v3/apis/${id}`, { name: 'A', version: '1' })).status).toBe(200);
  });
});

describe('PATCH', () => {
  test('merges labels and attributes key by key; null deletes', async () => {
    const id = await client.create('/v3/apis', {
      name: 'A',
      labels: { team: 'one', env: 'dev' },
      attributes: { domain: ['a'], tier: ['gold'] },
    });
    const { body } = await client.call('PATCH', `/v3/apis/${id}`, {
      labels: { env: null, region: 'eu' },
      attributes: { tier: null, domain: ['b'] },
    });
    expect(body['labels']).toEqual({ team: 'one', region: 'eu' });
    expect(body['attributes']).toEqual({ domain: ['b'] });
    expect((await client.call('PATCH', `/v3/apis/${id}`, { labels: null })).body['labels']).toEqual({});
  });

  test('leaves out what it does not name, clears what it nulls', async () => {
    const id = await client.create('/v3/apis', { name: 'A', version: '1', description: 'text', slug: 'own' });
    const renamed = await client.call('PATCH', `/v3/apis/${id}`, { name: 'B' });
    expect(renamed.body).toMatchObject({ name: 'B', version: '1', description: 'text', slug: 'own' });
    const cleared = await client.call('PATCH', `/v3/apis/${id}`, { version: null, description: null, slug: null });
    expect(cleared.body).toMatchObject({ version: null, description: null, slug: 'b' });
  });

  test('a rename keeps the generated slug', async () => {
    const id = await client.create('/v3/apis', { name: 'Old name' });
    expect((await client.call('PATCH', `/v3/apis/${id}`, { name: 'New' })).body['slug']).toBe('old-name');
  });

  const strategy = { name: 'keys', display_name: 'A', strategy_type: 'key_auth', configs: { 'key-auth': {} } };
  test.each([
    ['of one kind', '/v3/apis', { name: 'A' }, { description: 'same' }],
    ['of one of several kinds', '/v2/application-auth-strategies', strategy, { display_name: 'same' }],
  ])('%s moves updated_at every time, and only forwards', async (_kind, collection, made, change) => {
    const id = await client.create(collection, made);
    const seen: string[] = [];
    for (let at = 0; at < 20; at += 1)
      seen.push(String((await client.call('PATCH', `${collection}/${id}`, change)).body['updated_at']));
    expect(new Set(seen).size).toBe(20);
    expect([...seen].sort()).toEqual(seen);
  });

  test('takes no specification', async () => {
    const id = await client.create('/v3/apis', { name: 'A' });
    const reply = await client.call('PATCH', `/v3/apis/${id}`, { spec_content: specification });
    expect(reply.body['invalid_parameters']).toMatchObject([{ field: 'spec_content', rule: 'unknown_property' }]);
  });
});

test('attribute values come back in another order than sent, without loss', async () => {
  const sent = ['a', 'b', 'b', 'c'];
  const { body } = await client.call('POST', '/v3/apis', { name: 'A', attributes: { tags: sent } });
  const { tags } = body['attributes'] as { tags: string[] };
  expect(tags).not.toEqual(sent);
  expect([...tags].sort()).toEqual(sent);
});

describe('a specification sent along', () => {
  test('makes a version row, and is never echoed', async () => {
    const reply = await client.call('POST', '/v3/apis', { name: 'A', spec_content: specification });
    expect(reply.text).not.toContain('openapi');
    expect(reply.body).toMatchObject({ version: '4.0.0', slug: 'a-4' });
    const id = String(reply.body['id']);
    const [row] = await client.list(`/v3/apis/${id}/versions`);
    expect(row).toMatchObject({ version: '4.0.0', spec: { type: 'oas3' } });
    expect(reply.body['api_spec_ids']).toEqual([row?.['id']]);
    expect(reply.body['current_version_summary']).toEqual(row);
    const version = await client.get(`/v3/apis/${id}/versions/${String(row?.['id'])}`);
    expect(version.body['spec']).toEqual({ content: specification, type: 'oas3', validation_messages: [] });
  });

  test('yields to a version in the request, even an explicit null', async () => {
    const body = { name: 'A', version: '1', spec_content: specification };
    expect((await client.call('POST', '/v3/apis', body)).body['version']).toBe('1');
    expect((await client.call('POST', '/v3/apis', { ...body, version: null })).body['version']).toBe(null);
  });

  test('a text that is none is taken with a message', async () => {
    const id = await client.create('/v3/apis', { name: 'A', spec_content: 'not a specification' });
    const [row] = await client.list(`/v3/apis/${id}/versions`);
    const version = await client.get(`/v3/apis/${id}/versions/${String(row?.['id'])}`);
    expect(version.body['spec']).toMatchObject({ validation_messages: [{ message: expect.any(String) }] });
  });
});

test('deleting an API takes everything below it along', async () => {
  const id = await client.create('/v3/apis', { name: 'A', spec_content: specification });
  const document = await client.create(`/v3/apis/${id}/documents`, { content: '# A' });
  const service = { control_plane_id: seeded.controlPlane, id: seeded.service };
  await client.create(`/v3/apis/${id}/implementations`, { service });
  await client.call('PUT', `/v3/apis/${id}/publications/${seeded.portal}`, {});

  const reply = await client.call('DELETE', `/v3/apis/${id}`);
  expect([reply.status, reply.text]).toEqual([204, '']);
  expect((await client.call('DELETE', `/v3/apis/${id}`)).status).toBe(404);
  expect((await client.get(`/v3/apis/${id}/documents/${document}`)).status).toBe(404);
  const { body } = await client.get('/_sandbox/objects');
  for (const kind of ['apis', 'documents', 'versions', 'implementations', 'publications']) {
    expect(body[kind]).toEqual([]);
  }
  const next = await client.create('/v3/apis', { name: 'A' });
  expect((await client.call('POST', `/v3/apis/${next}/implementations`, { service })).status).toBe(201);
});

describe('the list', () => {
  beforeEach(async () => {
    for (let at = 0; at < 23; at += 1) {
      const name = `api-${String.fromCharCode(97 + (at % 26))}`;
      await client.create('/v3/apis', {
        name,
        ...(at % 2 === 0 ? { version: String(at) } : {}),
        labels: { team: at < 10 ? 'one' : 'two', ...(at === 3 ? { odd: 'yes' } : {}) },
        attributes: { domain: at < 5 ? ['pets', 'shop'] : ['cars'] },
      });
    }
  });

  test('has pages of ten, and counts objects', async () => {
    const first = await client.get('/v3/apis');
    expect(first.body['meta']).toEqual({ page: { number: 1, size: 10, total: 23 } });
    const last = await client.get('/v3/apis?page[number]=3');
    expect(last.body['data']).toHaveLength(3);
    const beyond = await client.get('/v3/apis?page[number]=9&page[size]=20');
    expect(beyond.body).toEqual({ meta: { page: { number: 9, size: 20, total: 23 } }, data: [] });
  });

  test.each([
    ['filter[name]=api-c', ['api-c']],
    ['filter[name][eq]=api-c', ['api-c']],
    ['filter[name][eq]=API-C', []],
    ['filter[name][oeq]=api-c,%20api-a,,nope', ['api-a', 'api-c']],
    ['filter[name][contains]=PI-B', ['api-b']],
    ['filter[name][ocontains]=i-b,i-d', ['api-b', 'api-d']],
    ['filter[labels.odd][eq]=yes', ['api-d']],
    ['filter[labels.odd]', ['api-d']],
    ['filter[labels.team][neq]=two&filter[version][eq]=2', ['api-c']],
    ['filter[attributes.domain][eq]=shop&filter[labels.odd][neq]=yes', ['api-a', 'api-b', 'api-c', 'api-e']],
    ['filter[version][eq]=4', ['api-e']],
    ['filter[implementation_mode]', []],
  ])('?%s', async (query, names) => {
    expect([...(await client.names(`/v3/apis?page[size]=100&${query}`))].sort()).toEqual(names);
  });

  test('neq finds those that have none, too', async () => {
    expect(await client.list('/v3/apis?filter[version][neq]=0&page[size]=100')).toHaveLength(22);
    expect(await client.list('/v3/apis?filter[labels.odd][neq]=yes&page[size]=100')).toHaveLength(22);
  });

  test('by id, and by time', async () => {
    const [first, second] = await client.list('/v3/apis');
    const id = String(first?.['id']);
    expect(await client.names(`/v3/apis?filter[id][eq]=${id}`)).toEqual(['api-a']);
    expect(await client.names(`/v3/apis?filter[id][oeq]=${id},${nobody},${id}`)).toEqual(['api-a']);
    const time = String(second?.['created_at']);
    expect(await client.names(`/v3/apis?filter[created_at][lt]=${time}`)).toEqual(['api-a']);
    expect(await client.names(`/v3/apis?filter[created_at][lte]=${time}`)).toEqual(['api-a', 'api-b']);
  });

  test.each([
    ['name desc', 'api-w'],
    ['name', 'api-a'],
    ['version asc', 'api-a'],
    ['version desc,name desc', 'api-v'],
    ['created_at desc', 'api-w'],
  ])('sort=%s starts with %s', async (sort, first) => {
    expect((await client.names(`/v3/apis?sort=${encodeURIComponent(sort)}`))[0]).toBe(first);
    expect((await client.names(`/v3/apis?sort=${sort.replaceAll(' ', '+')}`))[0]).toBe(first);
  });

  test('follows changes made between two pages', async () => {
    await client.list('/v3/apis?sort=name');
    await client.create('/v3/apis', { name: 'aaa' });
    expect((await client.names('/v3/apis?sort=name'))[0]).toBe('aaa');
  });
});
