import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client, nobody, seeded } from './client.js';

let client: Client;
let api: string;
let product: string;
beforeAll(async () => {
  client = await Client.start();
  api = await client.create('/v3/apis', { name: 'Limits' });
  product = await client.create('/v2/api-products', { name: 'Limits' });
});
afterAll(() => client.close());

test('problems are problem+json with a trace, worded by their family', async () => {
  const catalogue = await client.get(`/v3/apis/${nobody}`);
  expect(catalogue.headers.get('content-type')).toBe('application/problem+json');
  expect(catalogue.body).toEqual({
    status: 404,
    title: 'Not Found',
    detail: 'Not Found',
    instance: expect.stringMatching(/^\w+:trace:\d+$/),
  });
  const identity = await client.get('/v3/teams?filter[color]=red');
  expect(identity.body).toMatchObject({ status: 400, title: 'Bad Request', detail: '' });
  const list = await client.get('/v3/apis?filter[color]=red');
  expect(list.body).toMatchObject({ status: 400, title: 'Invalid Request', detail: 'Invalid Parameters' });
});

test('without a token nothing is told, not even that it does not exist', async () => {
  for (const path of ['/v3/apis', `/v3/apis/${nobody}`, '/v9/nothing', '/v3/teams']) {
    for (const authorization of ['', 'Bearer', 'Bearer  ', 'Basic abc']) {
      expect((await client.call('GET', path, undefined, { authorization })).status).toBe(401);
    }
  }
  const text = await client.call('POST', '/v3/apis', 'a=b', { authorization: '', 'content-type': 'text/plain' });
  expect(text.status).toBe(401);
});

test('a sandbox with a token of its own takes no other', async () => {
  const strict = await Client.start({ token: 'secret' });
  expect((await strict.get('/v3/apis')).status).toBe(401);
  expect((await strict.call('GET', '/v3/apis', undefined, { authorization: 'bearer secret' })).status).toBe(200);
  await strict.close();
});

test('only JSON is read', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
    const reply = await client.call('POST', '/v3/apis', 'name=x', { 'content-type': type });
    expect(reply.status).toBe(415);
    expect(reply.body['title']).toBe('Unsupported Media Type');
  }
  for (const body of ['{"name":', '{"name":"x","__proto__":{"y":1}}']) {
    expect((await client.call('POST', '/v3/apis', body)).status).toBe(400);
  }
  for (const body of ['null', '[]', '"x"', '']) {
    const reply = await client.call('POST', '/v3/apis', body);
    expect(reply.body['invalid_parameters']).toMatchObject([{ rule: 'is_object' }]);
  }
});

const long = (length: number): string => 'x'.repeat(length);
const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${String(at)}`, 'v']));

type Row = readonly [body: Readonly<Record<string, unknown>>, field: string, rule: string];

describe.each<[path: () => string, rows: readonly Row[]]>([
  [
    () => '/v3/apis',
    [
      [{}, 'name', 'required'],
      [{ name: '' }, 'name', 'min_length'],
      [{ name: null }, 'name', 'is_string'],
      [{ name: long(256) }, 'name', 'max_length'],
      [{ name: 'x', version: '' }, 'version', 'min_length'],
      [{ name: 'x', version: 1 }, 'version', 'is_string'],
      [{ name: 'x', slug: 'not a slug' }, 'slug', 'matches_regex'],
      [{ name: 'x', slug: '' }, 'slug', 'matches_regex'],
      [{ name: 'x', id: nobody }, 'id', 'unknown_property'],
      [{ name: 'x', labels: [] }, 'labels', 'is_object'],
      [{ name: 'x', labels: { team: null } }, 'labels.team', 'is_string'],
      [{ name: 'x', labels: { team: '' } }, 'labels.team', 'min_length'],
      [{ name: 'x', labels: { team: long(64) } }, 'labels.team', 'max_length'],
      [{ name: 'x', labels: { team: 'two words' } }, 'labels.team', 'matches_regex'],
      [{ name: 'x', labels: { team: 'end-' } }, 'labels.team', 'matches_regex'],
      [{ name: 'x', labels: { [long(64)]: 'v' } }, `labels.${long(64)}`, 'is_label'],
      [{ name: 'x', labels: { _team: 'v' } }, 'labels._team', 'is_label'],
      [{ name: 'x', labels: many(51) }, 'labels', 'max_items'],
      [{ name: 'x', attributes: '{}' }, 'attributes', 'is_object'],
      [{ name: 'x', attributes: { a: 'scalar' } }, 'attributes.a', 'is_array'],
      [{ name: 'x', attributes: { a: [] } }, 'attributes.a', 'min_items'],
      [{ name: 'x', attributes: { a: Array(21).fill('v') } }, 'attributes.a', 'max_items'],
      [{ name: 'x', attributes: { a: ['v', 'a,b'] } }, 'attributes.a.1', 'matches_regex'],
      [{ name: 'x', attributes: { a: [''] } }, 'attributes.a.0', 'min_length'],
      [{ name: 'x', attributes: { a: [long(513)] } }, 'attributes.a.0', 'max_length'],
      [{ name: 'x', attributes: { Upper: ['v'] } }, 'attributes.Upper', 'matches_regex'],
      [{ name: 'x', spec_content: null }, 'spec_content', 'is_string'],
    ],
  ],
  [
    () => `/v3/apis/${api}/documents`,
    [
      [{ title: 'x' }, 'content', 'required'],
      [{ content: 'x', status: 'draft' }, 'status', 'enum'],
      [{ content: 'x', slug: 'a/b' }, 'slug', 'matches_regex'],
      [{ content: 'x', parent_document_id: 'top' }, 'parent_document_id', 'is_uuid'],
      [{ content: 'x', labels: {} }, 'labels', 'unknown_property'],
    ],
  ],
  [
    () => '/v2/api-products',
    [
      [{ name: long(101) }, 'name', 'max_length'],
      [{ name: 'x', portal_ids: null }, 'portal_ids', 'is_array'],
      [{ name: 'x', public_labels: { _a: 'v' } }, 'public_labels._a', 'is_label'],
    ],
  ],
  [
    () => `/v2/api-products/${product}/documents`,
    [
      [{ title: 'x', status: 'published', slug: long(81) }, 'slug', 'max_length'],
      [{ title: '', status: 'published', slug: 's' }, 'title', 'min_length'],
      [{ title: 'x', status: 'published', slug: 's', metadata: [] }, 'metadata', 'is_object'],
    ],
  ],
])('limits %#', (path, rows) => {
  test.each(rows)('%j: %s %s', async (body, field, rule) => {
    const reply = await client.call('POST', path(), body);
    expect(reply.status).toBe(400);
    expect(reply.body['invalid_parameters']).toMatchObject([
      { field, rule, source: 'body', reason: expect.any(String) },
    ]);
  });
});

test('lengths are counted in characters', async () => {
  expect((await client.call('POST', '/v3/apis', { name: '🐾'.repeat(255) })).status).toBe(201);
  expect((await client.call('POST', '/v3/apis', { name: '🐾'.repeat(256) })).status).toBe(400);
});

test('everything wrong with a body is said at once', async () => {
  const reply = await client.call('PATCH', `/v3/apis/${api}`, { name: '', slug: '?', extra: 1 });
  expect(reply.body['invalid_parameters']).toHaveLength(3);
});

test('labels may not grow past their number by merging', async () => {
  const id = await client.create('/v3/apis', { name: 'Grown', labels: many(50) });
  const path = `/v3/apis/${id}`;
  expect((await client.call('PATCH', path, { labels: { one: 'more' } })).status).toBe(400);
  expect((await client.call('PATCH', path, { labels: { one: 'more', k0: null } })).status).toBe(200);
});

describe('query', () => {
  test.each([
    ['/v3/apis?page[size]=x', 'page[size]', 'is_number'],
    ['/v3/apis?page[size]=0', 'page[size]', 'min'],
    ['/v3/apis?page[size]=101', 'page[size]', 'max'],
    ['/v3/apis?page[number]=0', 'page[number]', 'min'],
    ['/v3/apis?page[number]=1.5', 'page[number]', 'is_number'],
    ['/v3/apis?page[size]=5&page[size]=6', 'page[size]', 'is_number'],
    ['/v3/apis?sort=color', 'sort', 'enum'],
    ['/v3/apis?sort=name+sideways', 'sort', 'enum'],
    ['/v3/apis?sort=name,,version', 'sort', 'enum'],
    ['/v3/apis?filter[color][eq]=red', 'filter[color]', 'unknown_property'],
    ['/v3/apis?filter[name][like]=a', 'filter[name][like]', 'unknown_property'],
    ['/v3/apis?filter[id][contains]=a', 'filter[id][contains]', 'unknown_property'],
    ['/v3/apis?filter[name][eq]=a&filter[name][eq]=b', 'filter[name][eq]', 'invalid'],
    ['/v3/apis?filter[labels][eq]=a', 'filter[labels]', 'unknown_property'],
    ['/v3/apis?filter=a', 'filter', 'unknown_property'],
    ['/v3/apis?filter[constructor][eq]=a', 'filter[constructor]', 'unknown_property'],
    ['/v2/control-planes?filter[id][neq]=a', 'filter[id][neq]', 'unknown_property'],
    ['/v2/control-planes?filter[name][oeq]=a', 'filter[name][oeq]', 'unknown_property'],
    ['/v2/control-planes?filter[cloud_gateway]=maybe', 'filter[cloud_gateway]', 'is_boolean'],
    ['/v2/control-planes?filter[cloud_gateway][eq]=true', 'filter[cloud_gateway][eq]', 'unknown_property'],
    ['/v2/control-planes?sort=name', 'sort', 'enum'],
    ['/v2/cloud-gateways/networks?filter[state][contains]=r', 'filter[state][contains]', 'unknown_property'],
    ['/v2/cloud-gateways/networks?filter[state][oeq]=ready,broken', 'filter[state]', 'enum'],
    ['/v3/teams?filter[name][oeq]=a', 'filter[name][oeq]', 'unknown_property'],
    ['/v3/portals?filter[labels.env]=a', 'filter[labels.env]', 'unknown_property'],
  ])('%s', async (path, field, rule) => {
    const reply = await client.get(path);
    expect(reply.status).toBe(400);
    expect(reply.body['invalid_parameters']).toMatchObject([{ field, rule, source: 'query' }]);
  });

  test('a refused sort says what there is', async () => {
    const reply = await client.get('/v3/apis?sort=color');
    expect(reply.body['invalid_parameters']).toMatchObject([
      { choices: ['name', 'version', 'created_at', 'updated_at'] },
    ]);
  });

  test('empty page parameters count as none', async () => {
    const { body } = await client.get('/v3/teams?page[size]=&page[number]=');
    expect(body['meta']).toMatchObject({ page: { number: 1, size: 10 } });
  });
});

test('what can only be read refuses the rest as not there', async () => {
  expect((await client.call('POST', '/v2/cloud-gateways/provider-accounts', { provider: 'x' })).status).toBe(404);
  expect((await client.call('PUT', `/v3/portals/${seeded.portal}`, { name: 'x' })).status).toBe(404);
  expect((await client.call('PUT', `/v3/apis/${api}`, { name: 'x' })).status).toBe(404);
});
