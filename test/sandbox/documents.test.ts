import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client, nobody } from './client.js';

let client: Client;
let api: string;
let documents: string;
beforeAll(async () => {
  client = await Client.start();
});
beforeEach(async () => {
  await client.call('POST', '/_sandbox/reset');
  api = await client.create('/v3/apis', { name: 'A' });
  documents = `/v3/apis/${api}/documents`;
});
afterAll(() => client.close());

interface Shown {
  readonly slug: string;
  readonly children: readonly Shown[];
}

/** The tree as nested slugs. */
async function slugs(query = ''): Promise<unknown> {
  const show = ({ slug, children }: Shown): unknown => (children.length === 0 ? slug : [slug, children.map(show)]);
  const data = (await client.list(documents + query)) as unknown as readonly Shown[];
  return data.map(show);
}

test('a new document answers its content without trailing white space', async () => {
  const reply = await client.call('POST', documents, { content: '# First steps\n\ntext  \n\n' });
  expect(reply.status).toBe(201);
  expect(reply.body).toEqual({
    id: expect.any(String),
    title: 'First steps',
    slug: 'first-steps',
    status: 'unpublished',
    parent_document_id: null,
    content: '# First steps\n\ntext',
    created_at: expect.any(String),
    updated_at: reply.body['created_at'],
  });
});

test('front matter fills what the request leaves open', async () => {
  const content = '---\ntitle: Front\nslug: front-slug\nstatus: published\n---\n# Heading\n';
  expect((await client.call('POST', documents, { content })).body).toMatchObject({
    title: 'Front',
    slug: 'front-slug',
    status: 'published',
  });
  const body = { content, title: 'Own title', slug: 'own', status: 'unpublished' };
  expect((await client.call('POST', documents, body)).body).toMatchObject({
    title: 'Own title',
    slug: 'own',
    status: 'unpublished',
  });
});

test('the list is one tree without content and without pages', async () => {
  const top = await client.create(documents, { content: 'x', title: 'Top' });
  const middle = await client.create(documents, { content: 'x', title: 'Middle', parent_document_id: top });
  await client.create(documents, { content: 'x', title: 'Leaf', parent_document_id: middle });
  for (let at = 0; at < 15; at += 1) await client.create(documents, { content: 'x', title: `Page ${String(at)}` });
  const reply = await client.get(`${documents}?page[size]=1`);
  expect(Object.keys(reply.body)).toEqual(['data']);
  expect(reply.body['data']).toHaveLength(16);
  expect(reply.text).not.toContain('content');
  expect(await slugs()).toEqual([
    ['top', [['middle', ['leaf']]]],
    ...Array.from({ length: 15 }, (_, at) => `page-${String(at)}`),
  ]);
});

test('filtered by status, a document whose parent is left out stands at the top', async () => {
  const top = await client.create(documents, { content: 'x', title: 'Top' });
  await client.create(documents, { content: 'x', title: 'Leaf', parent_document_id: top, status: 'published' });
  expect(await slugs('?filter[status][eq]=published')).toEqual(['leaf']);
});

describe('slugs', () => {
  test('are unique among siblings; the refusal has no detail', async () => {
    const first = await client.create(documents, { content: 'x', title: 'Guide' });
    const reply = await client.call('POST', documents, { content: 'y', title: 'guide' });
    expect(reply.status).toBe(409);
    expect(Object.keys(reply.body).sort()).toEqual(['instance', 'status', 'title', 'type']);
    await client.create(documents, { content: 'y', title: 'Guide', parent_document_id: first });
    const other = await client.create('/v3/apis', { name: 'B' });
    await client.create(`/v3/apis/${other}/documents`, { content: 'y', title: 'Guide' });
  });

  test('stay when the title changes, and may not collide on the way to another parent', async () => {
    const top = await client.create(documents, { content: 'x', title: 'Guide' });
    const child = await client.create(documents, { content: 'x', title: 'Guide', parent_document_id: top });
    expect((await client.call('PATCH', `${documents}/${top}`, { title: 'Other' })).body['slug']).toBe('guide');
    const up = { parent_document_id: null };
    expect((await client.call('PATCH', `${documents}/${child}`, up)).status).toBe(409);
    expect((await client.call('PATCH', `${documents}/${child}`, { ...up, slug: 'guide-2' })).status).toBe(200);
    expect(await slugs()).toEqual(['guide', 'guide-2']);
  });
});

describe('a parent', () => {
  test('is a document of the same API', async () => {
    const other = await client.create('/v3/apis', { name: 'B' });
    const foreign = await client.create(`/v3/apis/${other}/documents`, { content: 'x' });
    for (const parent of [foreign, nobody]) {
      const reply = await client.call('POST', documents, { content: 'x', parent_document_id: parent });
      expect(reply.body['invalid_parameters']).toMatchObject([
        { field: 'parent_document_id', rule: 'missing_reference' },
      ]);
    }
  });

  test('is not the document itself, nor below it', async () => {
    const top = await client.create(documents, { content: 'x', title: 'Top' });
    const leaf = await client.create(documents, { content: 'x', title: 'Leaf', parent_document_id: top });
    for (const parent of [top, leaf]) {
      const reply = await client.call('PATCH', `${documents}/${top}`, { parent_document_id: parent });
      expect(reply.status).toBe(400);
    }
  });

  test('takes its children along when it goes', async () => {
    const top = await client.create(documents, { content: 'x', title: 'Top' });
    const leaf = await client.create(documents, { content: 'x', title: 'Leaf', parent_document_id: top });
    expect((await client.call('DELETE', `${documents}/${top}`)).status).toBe(204);
    expect((await client.get(`${documents}/${leaf}`)).status).toBe(404);
    expect(await slugs()).toEqual([]);
  });
});

test('a document is only there below its own API', async () => {
  const id = await client.create(documents, { content: 'x' });
  const other = await client.create('/v3/apis', { name: 'B' });
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { title: 'stolen' } : undefined;
    expect((await client.call(method, `/v3/apis/${other}/documents/${id}`, body)).status).toBe(404);
  }
});

describe('move', () => {
  beforeEach(async () => {
    for (const title of ['a', 'b', 'c', 'd']) await client.create(documents, { content: 'x', title });
  });

  test.each([
    ['d', 0, ['d', 'a', 'b', 'c']],
    ['a', 2, ['b', 'c', 'a', 'd']],
    ['a', -1, ['b', 'c', 'd', 'a']],
    ['d', -2, ['a', 'b', 'd', 'c']],
    ['b', 99, ['a', 'c', 'd', 'b']],
    ['b', -99, ['b', 'a', 'c', 'd']],
  ])('%s to place %i', async (slug, index, order) => {
    const found = (await client.list(documents)).find((row) => row['slug'] === slug);
    const reply = await client.call('POST', `${documents}/${String(found?.['id'])}/move`, { index });
    expect(reply.status).toBe(204);
    expect(await slugs()).toEqual(order);
    await client.create(documents, { content: 'x', title: 'new' });
    expect(await slugs()).toEqual([...order, 'new']);
  });

  test('below another document, and not below itself', async () => {
    const [a, b] = (await client.list(documents)).map((row) => String(row['id']));
    const move = `${documents}/${String(b)}/move`;
    expect((await client.call('POST', move, { parent_document_id: a, index: 0 })).status).toBe(204);
    expect(await slugs()).toEqual([['a', ['b']], 'c', 'd']);
    expect((await client.call('POST', move, { parent_document_id: b, index: 0 })).status).toBe(400);
    expect((await client.call('POST', move, { parent_document_id: nobody, index: 0 })).status).toBe(404);
    expect((await client.call('POST', move, { parent_document_id: null, index: 0 })).status).toBe(204);
    expect(await slugs()).toEqual(['b', 'a', 'c', 'd']);
  });
});

test('a chain of 2,000 documents is one tree', async () => {
  const rows = Array.from({ length: 2_000 }, (_, at) => ({
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    api_id: api,
    title: `d${String(at)}`,
    parent_document_id: at === 0 ? null : `00000000-0000-4000-8000-${String(at - 1).padStart(12, '0')}`,
  }));
  expect((await client.call('POST', '/_sandbox/seed', { documents: rows })).status).toBe(204);
  expect(await client.list(documents)).toHaveLength(1);
  await client.call('DELETE', `${documents}/${String(rows[0]?.id)}`);
  expect(await client.list(documents)).toEqual([]);
});
