import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client, nobody, seeded } from './client.js';

let client: Client;
beforeAll(async () => {
  client = await Client.start();
});
afterAll(() => client.close());

test('an API is published to a portal, shows it, and is taken back', async () => {
  const api = await client.create('/v3/apis', { name: 'A' });
  const item = `/v3/apis/${api}/publications/${seeded.portal}`;
  expect((await client.get(item)).status).toBe(404);

  const reply = await client.call('PUT', item, { visibility: 'public' });
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({
    visibility: 'public',
    auth_strategy_ids: null,
    auto_approve_registrations: false,
  });
  const { portals } = (await client.get(`/v3/apis/${api}`)).body;
  expect(portals).toEqual([{ id: seeded.portal, name: 'dev', display_name: 'Dev portal' }]);

  const again = await client.call('PUT', item, {});
  expect(again.body).toMatchObject({ visibility: 'private', created_at: reply.body['created_at'] });
  expect((await client.call('DELETE', item)).status).toBe(204);
  expect((await client.get(`/v3/apis/${api}`)).body['portals']).toEqual([]);
});

test("the portal's strategy is used unless the request names one, or none", async () => {
  const api = await client.create('/v3/apis', { name: 'B' });
  const item = `/v3/apis/${api}/publications/${seeded.portalWithStrategy}`;
  expect((await client.call('PUT', item, {})).body['auth_strategy_ids']).toHaveLength(1);
  expect((await client.call('PUT', item, { auth_strategy_ids: null })).body['auth_strategy_ids']).toBe(null);
});

test('unknown portals and APIs are not found', async () => {
  const api = await client.create('/v3/apis', { name: 'C' });
  expect((await client.call('PUT', `/v3/apis/${api}/publications/${nobody}`, {})).status).toBe(404);
  expect((await client.call('PUT', `/v3/apis/${nobody}/publications/${seeded.portal}`, {})).status).toBe(404);
});

test('the list of all is found by names of both sides, also after a rename', async () => {
  const api = await client.create('/v3/apis', { name: 'D' });
  await client.call('PUT', `/v3/apis/${api}/publications/${seeded.portal}`, {});
  const path = '/v3/api-publications?filter[api_name][eq]=D&filter[portal_name]=dev';
  expect(await client.list(path)).toMatchObject([{ api_id: api, portal_id: seeded.portal, entity_type: 'api' }]);
  await client.call('PATCH', `/v3/apis/${api}`, { name: 'E' });
  expect(await client.list(path)).toEqual([]);
});
