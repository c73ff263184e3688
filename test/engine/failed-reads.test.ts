import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { makeWorld, type World } from '../harness/world.js';

const resources: JsonObject = {
  pets: {
    type: 'platform:Api',
    properties: { name: 'Pets' },
    children: { guide: { type: 'platform:ApiDocument', properties: { title: 'Guide', content: 'Text' } } },
  },
  cats: { type: 'platform:Api', properties: { name: 'Cats' } },
};

describe('what could not be read', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld({ token: 'right-token' });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    world.loseState();
    world.env = { PLATFORM_SERVER_URL: world.sandbox.url, PLATFORM_TOKEN: 'right-token' };
    await world.call('POST', '/_sandbox/reset');
    await world.call('DELETE', '/_sandbox/faults');
    await world.write({ 'catalogue/all.yaml': { resources } });
  });

  const fail = (route: string, status: number): Promise<unknown> =>
    world.call('PUT', '/_sandbox/faults', {
      rules: [{ match: { method: 'GET', route }, probability: 1, action: { status } }],
    });

  it.each<[string, Record<string, string | undefined>, string]>([
    ['no token', { PLATFORM_TOKEN: undefined }, 'missing-token'],
    ['a wrong token', { PLATFORM_TOKEN: 'wrong-token' }, 'unauthenticated'],
    ['an empty token', { PLATFORM_TOKEN: '' }, 'empty-token'],
    ['a server over plain http', { PLATFORM_SERVER_URL: 'http://platform.example.com' }, 'invalid-server-url'],
  ])('%s: no plan, and the reason, also when nothing is managed yet', async (_name, env, code) => {
    world.env = { ...world.env, ...env };
    const { plan, diagnostics } = await world.planResult();
    expect(plan).toBeUndefined();
    expect(diagnostics.map((found) => found.code)).toEqual([code]);
  });

  it('where nothing could be read there is no plan, and one line says where the address came from', async () => {
    await fail('/v3/apis', 403);
    const { plan, diagnostics } = await world.planResult();
    expect(plan).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: 'nothing-read' }]);
    expect(diagnostics[0]?.summary).toContain('The environment variable PLATFORM_SERVER_URL');
    expect((await world.planResult({ refresh: 'none' })).plan?.summary.create).toBe(3);
  });

  it('nothing is created in a collection that could not be read, nor below what is not created', async () => {
    await fail('/v3/apis', 403);
    const shop: JsonObject = { type: 'platform:ApiProduct', properties: { name: 'Shop', portalIds: [] } };
    await world.write({ 'catalogue/all.yaml': { resources: { ...resources, shop } } });
    const plan = await world.plan();
    expect(plan.steps.map(({ address, action }) => `${action} ${address}`)).toEqual(['create shop']);
    expect(plan.notCompared.map(({ address, diagnostic }) => [address, diagnostic.code])).toEqual([
      [undefined, 'forbidden'],
      ['cats', 'held-back'],
      ['pets', 'held-back'],
      ['pets/guide', 'held-back'],
    ]);
  });

  it('what is managed and cannot be read is neither gone nor unchanged', async () => {
    await world.apply();
    await fail('/v3/apis/{apiId}/documents', 403);
    await world.write({
      'catalogue/all.yaml': {
        resources: { ...resources, cats: { type: 'platform:Api', properties: { name: 'Cats', description: 'new' } } },
      },
    });
    const plan = await world.plan();
    expect(plan.steps.map(({ address, action }) => `${action} ${address}`)).toEqual(['update cats']);
    expect(plan.notCompared.map(({ address }) => address)).toEqual(['pets/guide']);
    expect(plan.summary.unchanged).toBe(1);
  });
});
