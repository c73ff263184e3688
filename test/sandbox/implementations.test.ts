import { describe, expect, test } from 'vitest';
import { nobody, seeded, type Client } from './client.js';
import { freshClient } from './fresh-client.js';

let client: Client;
freshClient((started) => (client = started));

const service = { control_plane_id: seeded.controlPlane, id: seeded.service };
const secondService = { control_plane_id: seeded.controlPlane, id: seeded.secondService };

async function newApi(name: string): Promise<string> {
  return client.create('/v3/apis', { name });
}

test('a service implements an API, and sets its mode', async () => {
  const api = await newApi('A');
  const reply = await client.call('POST', `/v3/apis/${api}/implementations`, { service });
  expect(reply.status).toBe(201);
  expect(reply.body).toEqual({
    id: expect.any(String),
    service: { ...service, auth_strategy_sync_error: null },
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  const item = `/v3/apis/${api}/implementations/${String(reply.body['id'])}`;
  expect((await client.get(item)).body).toEqual(reply.body);
  expect((await client.get(`/v3/apis/${api}`)).body['implementation_mode']).toBe('gateway_entity_binding');
  expect((await client.call('DELETE', item)).status).toBe(204);
  expect((await client.call('DELETE', item)).status).toBe(404);
  expect((await client.get(`/v3/apis/${api}`)).body['implementation_mode']).toBe(null);
});

test('a control plane implements any number of APIs', async () => {
  const control_plane = { control_plane_id: seeded.controlPlane };
  for (const name of ['A', 'B']) {
    const api = await newApi(name);
    const reply = await client.call('POST', `/v3/apis/${api}/implementations`, { control_plane });
    expect(reply.body['control_plane']).toEqual({ ...control_plane, access_control_enforcement_enabled: true });
    expect((await client.get(`/v3/apis/${api}`)).body['implementation_mode']).toBe('access_control_enforcement');
  }
});

describe('refused', () => {
  test.each([
    ['nothing', {}, 'service', 'required'],
    ['both', { service, control_plane: { control_plane_id: seeded.controlPlane } }, 'service', 'invalid'],
    ['an unknown service', { service: { ...service, id: nobody } }, 'service.id', 'missing_reference'],
    [
      'a service of another control plane',
      { service: { ...service, control_plane_id: seeded.secondControlPlane } },
      'service.id',
      'missing_reference',
    ],
    [
      'an unknown control plane',
      { control_plane: { control_plane_id: nobody } },
      'control_plane.control_plane_id',
      'missing_reference',
    ],
    ['half a reference', { service: { id: seeded.service } }, 'service.control_plane_id', 'required'],
    ['what is only answered', { service: { ...service, name: 'x' } }, 'service.name', 'unknown_property'],
  ])('%s', async (_what, body, field, rule) => {
    const api = await newApi('A');
    const reply = await client.call('POST', `/v3/apis/${api}/implementations`, body);
    expect(reply.status).toBe(400);
    expect(reply.body['invalid_parameters']).toMatchObject([{ field, rule, source: 'body' }]);
  });

  test('a second one for the API, and a service that is taken', async () => {
    const api = await newApi('A');
    await client.create(`/v3/apis/${api}/implementations`, { service });
    const again = await client.call('POST', `/v3/apis/${api}/implementations`, { service: secondService });
    expect([again.status, again.body['detail']]).toEqual([409, expect.stringContaining('already exists')]);
    const taken = await client.call('POST', `/v3/apis/${await newApi('B')}/implementations`, { service });
    expect([taken.status, taken.body['detail']]).toEqual([409, expect.stringContaining('already linked')]);
  });
});

test('the list of all says which API each belongs to', async () => {
  const a = await newApi('A');
  const b = await newApi('B');
  const first = await client.create(`/v3/apis/${a}/implementations`, { service });
  const second = await client.create(`/v3/apis/${b}/implementations`, {
    control_plane: { control_plane_id: seeded.secondControlPlane },
  });
  const find = async (query: string): Promise<readonly unknown[]> =>
    (await client.list(`/v3/api-implementations?${query}`)).map((row) => row['id']);
  expect((await client.list('/v3/api-implementations')).map((row) => row['api_id'])).toEqual([a, b]);
  expect(await find(`filter[api_id][eq]=${b}`)).toEqual([second]);
  expect(await find(`filter[api_id][oeq]=${a},${b}`)).toEqual([first, second]);
  expect(await find(`filter[api_id][neq]=${b}`)).toEqual([first]);
  expect(await find(`filter[service_id][eq]=${service.id}`)).toEqual([first]);
  expect(await find(`filter[control_plane_id][eq]=${seeded.secondControlPlane}`)).toEqual([second]);
  expect(await find('sort=service_id+desc')).toEqual([second, first]);
});
