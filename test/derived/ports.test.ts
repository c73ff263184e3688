import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { actionsOf, makeWorld, type World } from '../harness/world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const plugin = (port: Json): JsonObject => ({
  type: 'platform:GatewayPluginRateLimiting',
  properties: { controlPlaneId: '${plane.id}', config: { minute: 5, redis: { host: 'a.example.com', port } } },
});
const write = (port: Json): Promise<void> =>
  world.write({
    'catalogue/all.yaml': {
      resources: {
        plane: { type: 'platform:GatewayControlPlane', properties: { name: 'shop' } },
        limit: plugin(port),
      },
    },
  });

interface Row {
  readonly id: string;
  readonly object?: { readonly name?: string; readonly config?: { readonly redis?: { readonly port?: Json } } };
}

async function kept(): Promise<{ readonly collection: string; readonly row: Row }> {
  const { body } = await world.call('GET', '/_sandbox/objects');
  const rows = Object.entries(body as unknown as Readonly<Record<string, readonly Row[]>>).flatMap(
    ([collection, all]) => all.map((row) => ({ collection, row })),
  );
  const found = rows.find(({ row }) => row.object?.name === 'rate-limiting');
  if (found === undefined) throw new Error('the sandbox has no such plugin');
  return found;
}

const keptPort = async (): Promise<Json | undefined> => (await kept()).row.object?.config?.redis?.port;

async function planned(): Promise<readonly string[]> {
  const plan = await world.plan();
  expect(plan.notCompared).toEqual([]);
  return actionsOf(plan);
}

// One life: each step begins where the one before has ended.
describe('a port', () => {
  it.each<[Json, string, readonly string[], Json]>([
    [6379, 'is made as a number', ['create plane', 'create limit'], 6379],
    ['6379', 'is the same as its text', [], 6379],
    ['6380', 'changes by a text', ['update limit'], 6380],
    [6380, 'is the same as its number', [], 6380],
    ['{vault://env/port}', 'may stand in a vault', ['update limit'], '{vault://env/port}'],
    [6381, 'may come out of it again', ['update limit'], 6381],
  ])('said as %j %s, and nothing is left to do', async (port, _what, steps, there) => {
    await write(port);
    expect([...(await planned())].sort()).toEqual([...steps].sort());
    if (steps.length > 0) await world.apply();
    expect(await planned()).toEqual([]);
    expect(await keptPort()).toEqual(there);
  });

  it('that somebody changed is put back, and one that is only spelt in another way is none of it', async () => {
    const { collection, row } = await kept();
    const edited = (port: Json) =>
      world.call('POST', `/_sandbox/objects/${collection}/${encodeURIComponent(row.id)}`, {
        object: { ...row.object, config: { ...row.object?.config, redis: { ...row.object?.config?.redis, port } } },
      } as unknown as Json);
    await edited('6381');
    expect(await keptPort()).toBe('6381');
    expect(await planned()).toEqual([]);
    await edited(7000);
    expect(await planned()).toEqual(['update limit']);
    await world.apply();
    expect([await keptPort(), await planned()]).toEqual([6381, []]);
  });
});
