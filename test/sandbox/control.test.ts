import { describe, expect, test } from 'vitest';
import { Client, nobody, seeded } from './client.js';
import { freshClient } from './fresh-client.js';

let client: Client;
freshClient((started) => (client = started));

/** Control calls without a token. */
function control(method: string, path: string, body?: unknown): ReturnType<Client['call']> {
  return client.call(method, `/_sandbox${path}`, body, { authorization: '' });
}

async function faults(...rules: readonly unknown[]): Promise<void> {
  const reply = await control('PUT', '/faults', rules);
  if (reply.status !== 200) throw new Error(reply.text);
}

describe('requests', () => {
  test('are counted by route and status; control calls are not', async () => {
    const id = await client.create('/v3/apis', { name: 'A' });
    await client.create('/v3/apis', { name: 'B' });
    await client.get(`/v3/apis/${id}`);
    await client.get(`/v3/apis/${nobody}?page[size]=1`);
    await client.call('GET', '/v3/apis', undefined, { authorization: '' });
    await client.get('/nothing');
    await client.call('POST', '/v1/services/x:getIamPolicy');
    expect((await control('GET', '/requests')).body).toEqual({
      total: 7,
      byRoute: [
        { method: 'GET', route: '(unknown)', status: 404, count: 1 },
        { method: 'GET', route: '/v3/apis', status: 401, count: 1 },
        { method: 'GET', route: '/v3/apis/{apiId}', status: 200, count: 1 },
        { method: 'GET', route: '/v3/apis/{apiId}', status: 404, count: 1 },
        { method: 'POST', route: '/v1/services/{name}:getIamPolicy', status: 403, count: 1 },
        { method: 'POST', route: '/v3/apis', status: 201, count: 2 },
      ],
      peakInFlight: 1,
    });
    await control('DELETE', '/requests');
    expect((await control('GET', '/requests')).body).toEqual({ total: 0, byRoute: [], peakInFlight: 0 });
  });
});

describe('faults', () => {
  const anApi = { name: 'A' };

  test('a status strikes before the work is done', async () => {
    await faults({ match: { method: 'POST' }, action: { status: 503, retryAfter: 2, problem: { detail: 'away' } } });
    const reply = await client.call('POST', '/v3/apis', anApi);
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('2');
    expect(reply.body).toMatchObject({ status: 503, title: 'Service Unavailable', detail: 'away' });
    expect(await client.list('/v3/apis')).toEqual([]);
  });

  test('or after it', async () => {
    await faults({ match: { method: 'POST' }, action: { status: 502, when: 'after-commit' } });
    const reply = await client.call('POST', '/v3/apis', anApi);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([502, 'application/problem+json']);
    expect(await client.names('/v3/apis')).toEqual(['A']);
  });

  test.each([
    ['before', []],
    ['after-commit', ['A']],
  ])('a connection cut %s leaves %j', async (reset, names) => {
    await faults({ match: { method: 'POST' }, action: { reset } });
    await expect(client.call('POST', '/v3/apis', anApi)).rejects.toThrow();
    expect(await client.names('/v3/apis')).toEqual(names);
    const { body } = await control('GET', '/requests');
    expect(body['byRoute']).toContainEqual({ method: 'POST', route: '/v3/apis', status: 0, count: 1 });
  });

  test('the n-th, the first ones, and the route by glob', async () => {
    await faults(
      { match: { route: '/v3/teams' }, nth: 2, action: { status: 500 } },
      { match: { route: '/v3/*' }, times: 1, action: { status: 429 } },
      { match: { route: '/v3/apis/{apiId}/**' }, action: { status: 418 } },
    );
    const statuses: number[] = [];
    for (let at = 0; at < 3; at += 1) statuses.push((await client.get('/v3/teams')).status);
    expect(statuses).toEqual([429, 500, 200]);
    expect((await client.get(`/v3/apis/${nobody}/documents`)).status).toBe(418);
    expect((await client.get(`/v3/apis/${nobody}`)).status).toBe(404);
    const { rules } = (await control('GET', '/faults')).body;
    expect(rules).toMatchObject([
      { matched: 3, struck: 1 },
      { matched: 3, struck: 1 },
      { matched: 1, struck: 1 },
    ]);
    await control('DELETE', '/faults');
    expect((await control('GET', '/faults')).body).toEqual({ rules: [] });
  });

  test('a probability gives the same sequence for the same seed', async () => {
    const run = async (seed: number): Promise<string> => {
      await faults({ probability: 0.5, seed, action: { status: 500 } });
      let result = '';
      for (let at = 0; at < 40; at += 1) result += (await client.get('/v3/teams')).status === 500 ? 'x' : '.';
      return result;
    };
    const first = await run(7);
    expect(await run(7)).toBe(first);
    expect(await run(8)).not.toBe(first);
    expect(first).toMatch(/x/);
    expect(first).toMatch(/\./);
  });

  test('a field is left out of the answer, not of the object', async () => {
    const id = await client.create('/v3/apis', anApi);
    await faults({ match: { method: 'PATCH' }, action: { dropField: 'slug' } });
    const reply = await client.call('PATCH', `/v3/apis/${id}`, { description: 'x' });
    expect(reply.status).toBe(200);
    expect(reply.body).not.toHaveProperty('slug');
    expect((await client.get(`/v3/apis/${id}`)).body).toHaveProperty('slug');
  });

  test('children of a new parent are forbidden for a while', async () => {
    let now = Date.UTC(2030, 0, 1);
    const timed = await Client.start({ clock: () => now });
    const rule = { match: { method: 'POST', route: '/v3/apis' }, action: { childLag: { ms: 300 } } };
    await timed.call('PUT', '/_sandbox/faults', { rules: [rule] });
    const id = await timed.create('/v3/apis', anApi);
    const path = `/v3/apis/${id}/documents`;
    expect((await timed.call('POST', path, { content: 'x' })).status).toBe(403);
    expect((await timed.get(`/v3/apis/${id}`)).status).toBe(200);
    now += 300;
    expect((await timed.call('POST', path, { content: 'x' })).status).toBe(201);
    await timed.close();
  });

  test.each([
    ['no list', {}],
    ['no action', [{ match: {} }]],
    ['an empty action', [{ action: {} }]],
    ['a misspelt field', [{ action: { stauts: 500 } }]],
    ['a misspelt match', [{ match: { path: '/' }, action: { status: 500 } }]],
    ['an unknown moment', [{ action: { reset: 'after' } }]],
    ['a wrong type', [{ nth: '2', action: { status: 500 } }]],
    ['a lag without time', [{ action: { childLag: {} } }]],
  ])('rules with %s are refused', async (_what, rules) => {
    const reply = await control('PUT', '/faults', rules);
    expect(reply.status).toBe(400);
    expect(reply.body['error']).toEqual(expect.any(String));
  });
});

describe('objects', () => {
  test('are edited behind the back of the tool, and then look changed', async () => {
    const id = await client.create('/v3/apis', { name: 'A', version: '1', labels: { a: '1', b: '2' } });
    const before = (await client.get(`/v3/apis/${id}`)).body;
    const edit = await control('POST', `/objects/apis/${id}`, {
      description: 'drift',
      version: null,
      labels: { a: null },
    });
    expect(edit.status).toBe(200);
    const after = (await client.get(`/v3/apis/${id}`)).body;
    expect(after).toMatchObject({ name: 'A', description: 'drift', version: null, labels: { b: '2' } });
    expect(String(after['updated_at']) > String(before['updated_at'])).toBe(true);
    await client.create('/v3/apis', { name: 'A', version: '1' });
  });

  test('are deleted with what hangs on them', async () => {
    const id = await client.create('/v3/apis', { name: 'A' });
    const document = await client.create(`/v3/apis/${id}/documents`, { content: 'x' });
    expect((await control('POST', `/objects/apis/${id}`, { $delete: true })).status).toBe(204);
    expect((await control('GET', `/objects/documents/${document}`)).status).toBe(404);
  });

  test('are made with the defaults of their kind', async () => {
    const id = nobody;
    await control('POST', `/objects/apis/${id}`, { name: 'Made here', version: '2.0.0' });
    expect((await client.get(`/v3/apis/${id}`)).body).toMatchObject({
      id,
      slug: 'made-here-2',
      labels: {},
      attributes: {},
    });
    await control('POST', `/objects/documents/${seeded.portal}`, { api_id: id, title: 'Some page' });
    expect(await client.list(`/v3/apis/${id}/documents`)).toMatchObject([{ slug: 'some-page', status: 'unpublished' }]);
  });

  test('of an unknown kind are refused with the kinds there are', async () => {
    const reply = await control('POST', '/objects/things/1', {});
    expect(reply.status).toBe(404);
    expect(reply.body['error']).toContain('product-documents');
  });

  test('are all in the dump, and the default seed holds no APIs and no products', async () => {
    const { body } = await control('GET', '/objects');
    expect(body['apis']).toEqual([]);
    expect(body['products']).toEqual([]);
    expect(body['control-planes']).toContainEqual(
      expect.objectContaining({ id: seeded.controlPlane, name: 'default' }),
    );
    expect(body['gateway-services']).not.toEqual([]);
  });
});

test('a seed adds to what is there, and a reset takes it back', async () => {
  const api = { id: nobody, name: 'Seeded' };
  const publication = { api_id: nobody, portal_id: seeded.portal };
  await control('POST', '/seed', { apis: [api], publications: [publication], teams: [{ name: 'new team' }] });
  expect((await client.get(`/v3/apis/${nobody}`)).body['portals']).toMatchObject([{ id: seeded.portal }]);
  expect(await client.list('/v3/teams?filter[name][eq]=new+team')).toMatchObject([{ system_team: false, labels: {} }]);
  await control('POST', '/reset');
  expect(await client.list('/v3/apis')).toEqual([]);
  expect(await client.list('/v3/teams?filter[name][eq]=new+team')).toEqual([]);

  expect((await control('POST', '/seed', { things: [] })).body['error']).toContain('things');
  expect((await control('POST', '/seed', { apis: {} })).status).toBe(400);
});

test('exchanges are recorded on demand, without tokens', async () => {
  await client.get('/v3/teams');
  await control('PUT', '/exchanges', { limit: 2 });
  await client.call('POST', '/v3/apis?x=1', { name: 'A' });
  await client.call('DELETE', `/v3/apis/${nobody}`);
  await client.get('/v3/teams');
  const { body, text } = await control('GET', '/exchanges');
  expect(body['exchanges']).toMatchObject([
    { method: 'POST', url: '/v3/apis?x=1', sent: { name: 'A' }, status: 201, answered: { name: 'A' } },
    { method: 'DELETE', status: 404, answered: { status: 404 } },
  ]);
  expect(text).not.toContain('Bearer');
  expect((await control('PUT', '/exchanges', { limit: -1 })).status).toBe(400);
});
