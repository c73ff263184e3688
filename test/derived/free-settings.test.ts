import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { actionsOf, makeWorld, type World } from '../harness/world.js';

/** Settings whose members no description lists, and that are a secret as a whole: the platform completes them, and others may. */
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
