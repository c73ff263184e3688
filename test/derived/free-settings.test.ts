import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { planText } from '@platform-sync/report/text/plan';
import { plainStyle } from '@platform-sync/report/text/style';
import { actionsOf, makeWorld, type World } from '../harness/world.js';

/** Settings whose members no description lists: the platform completes them, and others may. What is no secret in them is shown. */
let world: World;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 11 });
});
afterAll(() => world.close());

async function write(config: JsonObject): Promise<void> {
  const properties = { controlPlaneId: '${plane.id}', name: 'env', prefix: 'shop' };
  const resources = {
    plane: { type: 'platform:GatewayControlPlane', properties: { name: 'shop' } },
    vault: { type: 'platform:GatewayVault', properties: { ...properties, config } },
  };
  await world.write({ 'sync.yaml': 'project: test\n', 'catalogue/all.yaml': { resources } });
}

const planned = async (): Promise<readonly string[]> => actionsOf(await world.plan());

async function vault(): Promise<{ readonly path: string; readonly config: unknown }> {
  const records = await world.open(async (project) => (await (await project.state()).read()).resources);
  const { id = '', scope = {} } = records.get('vault')?.identity ?? {};
  const path = `/v2/control-planes/${String(scope['controlPlaneId'])}/core-entities/vaults/${id}`;
  return { path, config: ((await world.call('GET', path)).body as JsonObject)['config'] };
}

// One vault through its life: each step begins where the one before has ended.
it('are at rest with what the platform has put in, and once more when the object is adopted', async () => {
  await write({ prefix: 'SHOP_', variable: 'A' });
  await world.apply();
  expect((await vault()).config).toEqual({ prefix: 'SHOP_', variable: 'A', base64_decode: false, ttl: null });
  expect(await planned()).toEqual([]);
  world.loseState();
  await world.apply({ mode: 'adopt' });
  expect(await planned()).toEqual([]);
});

it('lose a member that the file gives up', async () => {
  await write({ prefix: 'SHOP_' });
  expect(await planned()).toEqual(['update vault']);
  await world.apply();
  expect((await vault()).config).toEqual({ prefix: 'SHOP_', base64_decode: false, ttl: null });
  expect(await planned()).toEqual([]);
});

it('keep what others set beside the file, and not what they make of the file', async () => {
  const { path } = await vault();
  const put = async (config: JsonObject): Promise<void> => {
    expect((await world.call('PUT', path, { name: 'env', prefix: 'shop', config })).status).toBe(200);
  };
  await put({ prefix: 'SHOP_', base64_decode: true, ttl: 60 });
  expect(await planned()).toEqual([]);
  await put({ prefix: 'OTHER_', base64_decode: true, ttl: 60 });
  expect(await planned()).toEqual(['update vault']);
  await world.apply();
  expect((await vault()).config).toEqual({ prefix: 'SHOP_', base64_decode: true, ttl: 60 });
});

it('show what moves but for the secrets, in a vault, in a plugin without a schema, in a credential that no answer shows', async () => {
  const write = (shown: number): Promise<void> => {
    const controlPlaneId = '${plane.id}';
    const block = (type: string, properties: JsonObject): JsonObject => ({ type: `platform:${type}`, properties });
    const resources = {
      plane: block('GatewayControlPlane', { name: 'shop' }),
      vault: block('GatewayVault', {
        ...{ controlPlaneId, name: 'hcv', prefix: 'shop' },
        config: { host: `vault-${shown}.example.com`, port: shown, token: 'not for people', future: 'not for people' },
      }),
      monitor: block('GatewayPluginAppDynamics', {
        ...{ controlPlaneId, config: { sampling: shown, account: 'not for people' } },
      }),
      chat: block('IntegrationInstance', {
        ...{ name: 'chat', displayName: 'Chat', integrationName: 'pagerduty', config: {} },
      }),
      access: block('IntegrationInstanceAuthCredential', {
        ...{ integrationInstanceId: '${chat.id}', type: 'multi_key_auth' },
        config: { headers: [{ name: `x-key-${shown}`, key: 'not for people' }] },
      }),
    };
    return world.write({ 'sync.yaml': 'project: test\n', 'catalogue/all.yaml': { resources } });
  };
  await write(5);
  await world.apply();
  expect(await planned()).toEqual([]);
  await write(7);
  const plan = await world.plan();
  const text = planText(plan, { style: plainStyle });
  for (const line of [
    'host: "vault-5.example.com" → "vault-7',
    'port: 5 → 7',
    'sampling: 5 → 7',
    'headers[name=x-key-7]: {"name": "x-key-7", "key": (secret config.headers.key)}',
  ])
    expect(text).toContain(line);
  expect(text).not.toContain('future');
  expect(JSON.stringify(plan)).not.toContain('not for people');
  await world.apply();
  expect(await planned()).toEqual([]);
});
