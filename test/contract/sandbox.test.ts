import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, Client, nobody, seeded } from '../sandbox/client.js';
import { description, descriptionReason } from './description.js';
import { deviationOf, deviations, unexpected } from './deviations.js';
import { type ContractChecker, type QueryValues, type Violation, contractChecker } from './openapi.js';

// Its reason to be left out is printed.
describe.runIf(description !== undefined)(`the sandbox keeps to the description${descriptionReason}`, () => {
  let checker: ContractChecker;
  let client: Client;
  const seen: Violation[] = [];
  const walked = new Set<string>();
  beforeAll(async () => {
    checker = contractChecker(String(description));
    client = await Client.start({ rateLimit: 1_000_000 });
  });
  afterAll(() => client.close());

  /** Makes a call, checks request (when it is meant to be right) and answer. */
  async function call(method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> {
    const reply = await client.call(method, url, body, headers);
    const { pathname, searchParams } = new URL(url, 'http://sandbox');
    const query: QueryValues = Object.fromEntries(searchParams);
    const answer = reply.text === '' ? undefined : (JSON.parse(reply.text) as unknown);
    const violations = [
      ...(reply.status < 300 ? checker.checkRequest(method, pathname, query, body) : []),
      ...checker.checkResponse(method, pathname, reply.status, answer),
    ];
    seen.push(...violations);
    expect(unexpected(violations)).toEqual([]);
    const operation = checker.operationOf(method, pathname);
    if (reply.status < 300 && operation !== undefined) walked.add(operation);
    return reply;
  }

  async function make(url: string, body: unknown): Promise<string> {
    const reply = await call('POST', url, body);
    expect(reply.status).toBe(201);
    return String(reply.body['id']);
  }

  /** What every operation refuses in its own words. */
  async function refusals(method: string, url: string): Promise<void> {
    expect((await call(method, url, undefined, { authorization: '' })).status).toBe(401);
    if (method === 'GET' || method === 'DELETE') return;
    expect((await call(method, url, 'a=b', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await call(method, url, { nonsense: true })).status).toBe(400);
  }

  test('apis, versions and publications', async () => {
    const spec_content = '{"openapi":"3.0.0","info":{"title":"x","version":"1.2.0"},"paths":{}}';
    const full = {
      name: 'Full',
      description: 'text',
      labels: { team: 'a' },
      attributes: { domain: ['a', 'b'] },
      slug: 'full',
    };
    const id = await make('/v3/apis', { ...full, spec_content });
    await make('/v3/apis', { name: 'Small', version: null, description: null, slug: null });
    await make('/v3/apis', { name: 'Odd', spec_content: 'neither' });
    expect((await call('POST', '/v3/apis', { name: 'Small' })).status).toBe(409);
    const item = `/v3/apis/${id}`;
    await call('GET', item);
    await call('PATCH', item, { name: 'New', version: null, labels: { team: null }, attributes: { domain: null } });
    await call(
      'GET',
      '/v3/apis?page[size]=2&page[number]=1&sort=name%20desc&filter[name][contains]=e&filter[labels.team][eq]=a',
    );
    const versions = await call('GET', `${item}/versions`);
    const [version] = versions.body['data'] as readonly { id: string }[];
    await call('GET', `${item}/versions/${String(version?.id)}`);
    const second = `${item}/versions/${await make(`${item}/versions`, { spec: { content: 'openapi: 3.0.0' } })}`;
    expect((await call('POST', `${item}/versions`, { version: '1.2.0', spec: {} })).status).toBe(409);
    await call('PATCH', `${second}?force=true`, { version: '2', spec: { content: spec_content } });
    expect((await call('PATCH', second, { version: '1.2.0' })).status).toBe(409);
    await refusals('POST', `${item}/versions`);
    for (const method of ['PATCH', 'DELETE']) await refusals(method, second);
    await call('DELETE', second);
    for (const method of ['GET', 'DELETE']) expect((await call(method, second)).status).toBe(404);
    await call('PUT', `${item}/publications/${seeded.portal}`, { visibility: 'public', auth_strategy_ids: null });
    await call('PUT', `${item}/publications/${seeded.portalWithStrategy}`, {});
    await call('GET', `${item}/publications/${seeded.portal}`);
    await call('GET', `/v3/api-publications?filter[api_id][eq]=${id}&sort=portal_name`);
    await call('GET', item);
    await call('DELETE', `${item}/publications/${seeded.portal}`);
    await refusals('POST', '/v3/apis');
    for (const path of ['/v3/apis', '/v3/api-publications', `${item}/versions`]) {
      await refusals('GET', path);
      expect((await call('GET', `${path}?page[size]=1000`)).status).toBe(400);
      expect((await call('GET', `${path}?sort=color`)).status).toBe(400);
    }
    for (const method of ['GET', 'PATCH', 'DELETE']) await refusals(method, item);
    await refusals('PUT', `${item}/publications/${seeded.portal}`);
    await call('DELETE', item);
    for (const method of ['GET', 'DELETE']) expect((await call(method, item)).status).toBe(404);
    expect((await call('PUT', `${item}/publications/${seeded.portal}`, {})).status).toBe(404);
  });

  test('documents', async () => {
    const documents = `/v3/apis/${await make('/v3/apis', { name: 'Documents' })}/documents`;
    const top = await make(documents, { content: '# Top' });
    const leaf = await make(documents, {
      content: 'x',
      title: 'Leaf',
      slug: 'leaf',
      status: 'published',
      parent_document_id: top,
    });
    expect((await call('POST', documents, { content: '# Top' })).status).toBe(409);
    await call('GET', documents);
    await call('GET', `${documents}?filter[status][eq]=published`);
    expect((await call('GET', `${documents}?filter[color]=x`)).status).toBe(400);
    await call('GET', `${documents}/${leaf}`);
    await call('PATCH', `${documents}/${leaf}`, { parent_document_id: null, title: 'New', status: 'unpublished' });
    expect((await call('PATCH', `${documents}/${leaf}`, { slug: 'top' })).status).toBe(409);
    await call('POST', `${documents}/${leaf}/move`, { parent_document_id: top, index: -1 });
    await call('POST', `${documents}/${leaf}/move`, { parent_document_id: null, index: 0 });
    await refusals('POST', documents);
    await refusals('POST', `${documents}/${leaf}/move`);
    for (const method of ['GET', 'PATCH', 'DELETE']) await refusals(method, `${documents}/${leaf}`);
    await call('DELETE', `${documents}/${leaf}`);
    expect((await call('GET', `${documents}/${leaf}`)).status).toBe(404);
  });

  test('implementations', async () => {
    const service = { control_plane_id: seeded.controlPlane, id: seeded.service };
    const collection = `/v3/apis/${await make('/v3/apis', { name: 'Linked' })}/implementations`;
    const id = await make(collection, { service });
    expect((await call('POST', collection, { service })).status).toBe(409);
    const other = `/v3/apis/${await make('/v3/apis', { name: 'Controlled' })}/implementations`;
    expect((await call('POST', other, { service: { ...service, id: nobody } })).status).toBe(400);
    await make(other, { control_plane: { control_plane_id: seeded.controlPlane } });
    await call('GET', `${collection}/${id}`);
    await call('GET', `/v3/api-implementations?filter[control_plane_id][eq]=${seeded.controlPlane}&sort=id`);
    expect((await call('GET', '/v3/api-implementations?page[number]=x')).status).toBe(400);
    await refusals('POST', collection);
    await refusals('GET', '/v3/api-implementations');
    await refusals('DELETE', `${collection}/${id}`);
    await call('DELETE', `${collection}/${id}`);
    expect((await call('GET', `${collection}/${id}`)).status).toBe(404);
  });

  test('products and their documents', async () => {
    const portal_ids = [seeded.classicPortal];
    const labels = { team: 'a' };
    const id = await make('/v2/api-products', {
      name: 'P',
      description: null,
      labels,
      public_labels: labels,
      portal_ids,
    });
    const item = `/v2/api-products/${id}`;
    await call('GET', item);
    await call('GET', '/v2/api-products?filter[name][oeq]=P,Q&sort=name&labels=team:a&public_labels=team');
    await call('PATCH', item, { name: 'Q', labels: { team: null }, public_labels: { team: 'b' }, portal_ids: [] });
    const body = { title: 'Guide', slug: 'guide', status: 'published', content: '# Guide', metadata: { a: 1 } };
    const document = await make(`${item}/documents`, { ...body, parent_document_id: null });
    expect((await call('POST', `${item}/documents`, body)).status).toBe(409);
    await call('GET', `${item}/documents?page[size]=5`);
    await call('GET', `${item}/documents/${document}`);
    await call('PATCH', `${item}/documents/${document}`, { content: 'IyBIZWxsbyB3b3JsZAo=', status: 'unpublished' });
    await call('PATCH', `${item}/documents/${document}`, { content: null });
    for (const path of ['/v2/api-products', `${item}/documents`]) {
      await refusals('POST', path);
      await refusals('GET', path);
      expect((await call('GET', `${path}?page[size]=0`)).status).toBe(400);
    }
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      await refusals(method, item);
      await refusals(method, `${item}/documents/${document}`);
    }
    await call('DELETE', `${item}/documents/${document}`);
    expect((await call('GET', `${item}/documents/${document}`)).status).toBe(404);
    await call('DELETE', item);
    expect((await call('GET', item)).status).toBe(404);
  });

  test.each([
    ['/v3/portals', '?filter[name][contains]=a&filter[rbac_enabled]=true&sort=name', true],
    ['/v2/portals', '?filter[is_public]=false&sort=name%20desc', true],
    [
      '/v2/control-planes',
      '?filter[cluster_type][neq]=x&filter[cloud_gateway]=true&labels=env:dev&sort=created_at',
      true,
    ],
    ['/v1/mesh/control-planes', '', true],
    ['/v2/cloud-gateways/networks', '?filter[state][oeq]=ready,offline&filter[name][ocontains]=e,u', true],
    ['/v2/cloud-gateways/provider-accounts', '', false],
    ['/v3/teams', '?filter[name][contains]=a&filter[labels.env][eq]=dev', true],
    ['/v3/system-accounts', '?filter[description][contains]=a', true],
  ])('lookups: %s', async (path, query, hasItems) => {
    const { body } = await call('GET', `${path}?page[size]=100`);
    await call('GET', path + query);
    expect((await call('GET', `${path}?page[size]=ten`)).status).toBe(400);
    await refusals('GET', path);
    const [first] = body['data'] as readonly { id: string }[];
    if (!hasItems) return;
    await call('GET', `${path}/${String(first?.id)}`);
    expect((await call('GET', `${path}/${nobody}`)).status).toBe(404);
    await refusals('GET', `${path}/${nobody}`);
  });

  test('the address list', async () => {
    await call('GET', '/ip-addresses.json', undefined, { authorization: '' });
  });

  test.each<[collection: string, method: 'PATCH' | 'PUT', created: object, changed: object]>([
    ['/v3/portals', 'PATCH', { name: 'written' }, { description: 'new' }],
    ['/v2/portals', 'PATCH', { name: 'written' }, { description: 'new' }],
    ['/v2/control-planes', 'PATCH', { name: 'written' }, { description: 'new' }],
    ['/v1/mesh/control-planes', 'PUT', { name: 'written' }, { name: 'written', description: 'new' }],
    ['/v3/teams', 'PATCH', { name: 'written' }, { description: 'new' }],
    ['/v3/system-accounts', 'PATCH', { name: 'written', description: 'old' }, { description: 'new' }],
  ])('lives of what lookups find: %s', async (path, method, created, changed) => {
    const item = `${path}/${await make(path, created)}`;
    expect((await call(method, item, changed)).body['description']).toBe('new');
    for (const [verb, url] of [
      ['POST', path],
      [method, item],
      ['DELETE', item],
    ] as const)
      await refusals(verb, url);
    await call('DELETE', item);
    for (const verb of ['GET', 'DELETE']) expect((await call(verb, item)).status).toBe(404);
  });

  test('faults and limits look like the platform', async () => {
    const rules = [
      { match: { route: '/v2/control-planes' }, action: { status: 503 } },
      { match: { route: '/v3/teams' }, action: { status: 429, retryAfter: 1 } },
      { match: { route: '/v3/portals' }, action: { status: 403 } },
    ];
    await client.call('PUT', '/_sandbox/faults', rules);
    for (const path of ['/v2/control-planes', '/v3/teams', '/v3/portals']) await call('GET', path);
    await client.call('DELETE', '/_sandbox/faults');
  });

  test('every operation was walked', () => {
    expect([...walked].sort()).toEqual([...checker.operations].sort());
  });

  test('every known deviation still is one', () => {
    const used = new Set(seen.map((violation) => deviationOf(violation)));
    expect(deviations.filter((deviation) => !used.has(deviation))).toEqual([]);
  });
});
