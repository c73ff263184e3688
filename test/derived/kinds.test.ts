import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { actionsOf, makeWorld, type World } from '../harness/world.js';

/** A vault of each kind: what its config may hold is told by the field beside it. */
const kinds: Readonly<Record<string, JsonObject>> = {
  env: { prefix: 'A', base64Decode: true },
  aws: { region: 'eu-west-1', roleSessionName: 'shop' },
  gcp: { projectId: 'shop', ttl: 5 },
  azure: { vaultUri: 'https://a.example.com', location: 'eu', type: 'secrets' },
  conjur: { endpointUrl: 'https://a.example.com', account: 'a', login: 'a', apiKey: 'not for people' },
  hcv: { host: 'a.example.com', port: 8200, mount: 'secret', authMethod: 'token', token: 'not for people' },
};
const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';

let world: World;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 3 });
});
afterAll(() => world.close());

async function write(type: string): Promise<void> {
  const gw = { type: 'platform:AiGateway', properties: { name: 'shop', displayName: 'Shop' } };
  const properties = { gatewayId: '${gw.id}', name: 'shop', type, config: kinds[type] ?? {} };
  await world.write({
    'sync.yaml': settings,
    'catalogue/all.yaml': { resources: { gw, vault: { type: 'platform:AiGatewayVault', properties } } },
  });
}

/** All kinds in an order in which each comes after each other one. */
const pairs = Object.keys(kinds).flatMap((from) =>
  Object.keys(kinds).flatMap((to) => (from === to ? [] : [[from, to] as const])),
);

describe('an object whose record is of the kind that a field beside it tells', () => {
  it.each(pairs)(
    'of the kind %s is replaced by one of the kind %s, which takes nothing of it along',
    async (from, to) => {
      await write(from);
      await world.apply();
      expect(actionsOf(await world.plan())).toEqual([]);
      await write(to);
      const plan = await world.plan();
      expect(actionsOf(plan)).toEqual(['replace vault']);
      await world.apply();
      expect(actionsOf(await world.plan())).toEqual([]);
    },
  );

  it('that somebody made one of another kind is put right by a replacement', async () => {
    await write('env');
    await world.apply();
    const { body } = await world.call('GET', '/_sandbox/objects');
    const { described } = body as unknown as { described: { id: string; object: JsonObject }[] };
    const row = described.find(({ id }) => id.includes('/vaults/'));
    await world.call('POST', `/_sandbox/objects/described/${encodeURIComponent(row?.id ?? '')}`, {
      object: {
        type: 'gcp',
        config: { prefix: null, base64_decode: null, project_id: 'x' },
        updated_at: '2031-01-01T00:00:00Z',
      },
    });
    const plan = await world.plan();
    expect(actionsOf(plan)).toEqual(['replace vault']);
    await world.apply();
    expect(actionsOf(await world.plan())).toEqual([]);
  });
});
