import { beforeEach, describe, expect, test } from 'vitest';
import { nobody, seeded, type Client } from './client.js';
import { freshClient } from './fresh-client.js';

let client: Client;
freshClient((started) => (client = started));

test('a product answers its portals by id and by name', async () => {
  const portal_ids = [seeded.classicPortal, seeded.secondClassicPortal];
  const reply = await client.call('POST', '/v2/api-products', { name: 'P', portal_ids });
  expect(reply.status).toBe(201);
  expect(reply.body).toEqual({
    id: expect.any(String),
    name: 'P',
    description: null,
    labels: {},
    public_labels: {},
    portal_ids,
    portals: [
      { portal_id: seeded.classicPortal, portal_name: 'classic-dev' },
      { portal_id: seeded.secondClassicPortal, portal_name: 'classic-partners' },
    ],
    version_count: 0,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
});

test('portals are of the older family, exist, and do not repeat', async () => {
  for (const [portal_ids, field, rule] of [
    [[seeded.classicPortal, nobody], 'portal_ids.1', 'missing_reference'],
    [[seeded.portal], 'portal_ids.0', 'missing_reference'],
    [[seeded.classicPortal, seeded.classicPortal], 'portal_ids', 'invalid'],
    [['x'], 'portal_ids.0', 'is_uuid'],
  ] as const) {
    const reply = await client.call('POST', '/v2/api-products', { name: 'P', portal_ids });
    expect(reply.body['invalid_parameters']).toMatchObject([{ field, rule }]);
  }
});

test('PATCH merges both kinds of labels and replaces portals', async () => {
  const id = await client.create('/v2/api-products', {
    name: 'P',
    description: 'text',
    labels: { a: '1', b: '2' },
    public_labels: { c: '3' },
    portal_ids: [seeded.classicPortal],
  });
  const body = { description: null, labels: { a: null }, public_labels: { d: '4' }, portal_ids: [] };
  expect((await client.call('PATCH', `/v2/api-products/${id}`, body)).body).toMatchObject({
    name: 'P',
    description: null,
    labels: { b: '2' },
    public_labels: { c: '3', d: '4' },
    portal_ids: [],
    portals: [],
  });
  expect((await client.call('PATCH', `/v2/api-products/${id}`, { public_labels: null })).status).toBe(400);
});

test('the list knows name filters and both label parameters', async () => {
  await client.create('/v2/api-products', { name: 'one', labels: { team: 'a' } });
  await client.create('/v2/api-products', { name: 'two', labels: { team: 'b' }, public_labels: { kind: 'x' } });
  expect(await client.names('/v2/api-products?filter[name][ocontains]=wo,three')).toEqual(['two']);
  expect(await client.names('/v2/api-products?labels=team:a')).toEqual(['one']);
  expect(await client.names('/v2/api-products?public_labels=kind')).toEqual(['two']);
  expect(await client.names('/v2/api-products?sort=name+desc')).toEqual(['two', 'one']);
});

describe('documents', () => {
  let documents: string;
  beforeEach(async () => {
    documents = `/v2/api-products/${await client.create('/v2/api-products', { name: 'P' })}/documents`;
  });

  test('are answered decoded, with metadata and a parsed form', async () => {
    const body = { title: 'Guide', slug: 'guide', status: 'published', content: 'IyBIZWxsbyB3b3JsZAo=' };
    const reply = await client.call('POST', documents, { ...body, metadata: { author: 'me' } });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ content: '# Hello world', metadata: { author: 'me' }, ast: [] });
    expect((await client.list(documents))[0]).not.toHaveProperty('content');
  });

  test('need slug, status and title', async () => {
    const reply = await client.call('POST', documents, {});
    const fields = (reply.body['invalid_parameters'] as readonly { field: string }[]).map(({ field }) => field);
    expect(fields).toEqual(['slug', 'status', 'title']);
  });

  test('have slugs that are unique in the whole product', async () => {
    const body = { title: 'Guide', slug: 'guide', status: 'published' };
    const top = await client.create(documents, body);
    const reply = await client.call('POST', documents, { ...body, parent_document_id: top });
    expect(reply.status).toBe(409);
    expect(reply.body).not.toHaveProperty('detail');
  });

  test('merge metadata by key, take null content as none, and move to the top by null', async () => {
    const body = { title: 'Guide', slug: 'guide', status: 'published', content: 'text', metadata: { a: 1, b: 2 } };
    const top = await client.create(documents, { ...body, slug: 'top' });
    const id = await client.create(documents, { ...body, parent_document_id: top });
    const change = { metadata: { a: null, c: 3 }, content: null, parent_document_id: null, status: 'unpublished' };
    expect((await client.call('PATCH', `${documents}/${id}`, change)).body).toMatchObject({
      title: 'Guide',
      metadata: { b: 2, c: 3 },
      content: '',
      parent_document_id: null,
      status: 'unpublished',
    });
  });

  test('are paged, and go with their product', async () => {
    for (let at = 0; at < 12; at += 1) {
      await client.create(documents, { title: 'x', slug: `s${String(at)}`, status: 'unpublished' });
    }
    const { body } = await client.get(`${documents}?page[number]=2`);
    expect(body['meta']).toEqual({ page: { number: 2, size: 10, total: 12 } });
    expect(body['data']).toMatchObject([{ slug: 's10' }, { slug: 's11' }]);
    expect((await client.call('DELETE', documents.replace('/documents', ''))).status).toBe(204);
    expect((await client.get(documents)).status).toBe(404);
    expect((await client.get('/_sandbox/objects')).body['product-documents']).toEqual([]);
  });
});
