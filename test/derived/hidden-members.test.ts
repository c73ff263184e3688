import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { actionsOf, makeWorld, type World } from '../harness/world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 3 });
});
afterAll(() => world.close());

const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';

async function write(type: string, properties: JsonObject): Promise<void> {
  const gw = { type: 'platform:AiGateway', properties: { name: 'shop', displayName: 'Shop' } };
  const object = { type: `platform:${type}`, properties: { gatewayId: '${gw.id}', name: 'shop', ...properties } };
  await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: { gw, object } } });
}

/** What the platform keeps of the object, with what no answer shows. */
async function kept(): Promise<JsonObject> {
  const { body } = await world.call('GET', '/_sandbox/objects');
  const { described } = body as unknown as { described: { object: JsonObject }[] };
  return described.find(({ object }) => object['type'] === 'conjur')?.object ?? {};
}

const conjur = (config: JsonObject): JsonObject => ({
  type: 'conjur',
  config: { endpointUrl: 'https://a.example.com', account: 'a', login: 'a', apiKey: 'k3y-1', ...config },
});

describe('members of a record that no answer shows', () => {
  it('are at rest, go along with any change, are changed by the file, and come back with what drifts', async () => {
    const apiKey = async (): Promise<Json | undefined> => ((await kept())['config'] as JsonObject)['api_key'];
    await write('AiGatewayVault', conjur({}));
    await world.apply();
    expect(actionsOf(await world.plan())).toEqual([]);
    expect(await apiKey()).toBe('k3y-1');

    await write('AiGatewayVault', { ...conjur({}), description: 'other' });
    const other = await world.plan();
    expect(other.steps.map(({ action, fields }) => [action, fields.map(({ field }) => field)])).toEqual([
      ['update', ['description']],
    ]);
    await world.apply();
    // A PUT puts the whole in place.
    expect(await apiKey()).toBe('k3y-1');
    expect(actionsOf(await world.plan())).toEqual([]);

    await write('AiGatewayVault', { ...conjur({ apiKey: 'k3y-2' }), description: 'other' });
    const rotated = await world.plan();
    expect(rotated.steps.map(({ action, fields }) => [action, fields.map(({ field }) => field)])).toEqual([
      ['update', ['config']],
    ]);
    expect(JSON.stringify(rotated)).not.toContain('k3y');
    await world.apply();
    expect(await apiKey()).toBe('k3y-2');
    expect(actionsOf(await world.plan())).toEqual([]);
    const state = await world.open(async (project) => (await (await project.state()).read()).resources);
    expect(JSON.stringify([...state.values()])).not.toContain('k3y');
  });
});
