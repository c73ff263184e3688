import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { json, lyingPlatform, type LyingPlatform, type PlatformAnswer } from '../harness/lying-platform.js';
import { lyingWorld } from '../harness/lying-world.js';
import { actionsOf, type World } from '../harness/world.js';

const notFound: PlatformAnswer = {
  ...json({ status: 404, title: 'Not Found', instance: 'trace:1' }, 404),
  type: 'application/problem+json',
};

const api = (name: string, documents: readonly string[] = []): JsonObject => ({
  type: 'platform:Api',
  properties: { name },
  children: Object.fromEntries(
    documents.map((title) => [title, { type: 'platform:ApiDocument', properties: { title, content: title } }]),
  ),
});

describe('what is gone', () => {
  let world: World;
  let platform: LyingPlatform;
  beforeEach(async () => {
    ({ world, platform } = await lyingWorld());
  });
  afterEach(async () => {
    await platform.close();
    await world.close();
  });

  const write = (resources: JsonObject, more = ''): Promise<void> =>
    world.write({ 'sync.yaml': `project: test\n${more}`, 'catalogue/all.yaml': { resources } });
  const idOf = async (name: string): Promise<string> => {
    const { body } = await world.call('GET', `/v3/apis?filter[name][eq]=${name}`);
    return (body as { data: { id: string }[] }).data[0]?.id ?? '';
  };

  it('an object that the platform itself says is gone is made again, for one request more', async () => {
    await write({ pets: api('Pets'), cats: api('Cats') });
    await world.apply();
    await world.call('DELETE', `/v3/apis/${await idOf('Cats')}`);
    await world.resetRequests();
    expect(actionsOf(await world.plan())).toEqual(['create cats']);
    expect((await world.requests()).total).toBe(2);
  });

  it('what lived in an object that is gone is gone along with it, without a request of its own', async () => {
    await write({ pets: api('Pets', ['guide', 'faq']), cats: api('Cats') });
    await world.apply();
    await world.call('DELETE', `/v3/apis/${await idOf('Pets')}`);
    await world.resetRequests();
    expect(actionsOf(await world.plan())).toEqual(['create pets', 'create pets/faq', 'create pets/guide']);
    expect((await world.requests()).byRoute).toEqual({
      'GET /v3/apis': 1,
      'GET /v3/apis/{apiId}': 1,
      'GET /v3/apis/{apiId}/documents': 1,
    });
    await write({ cats: api('Cats') });
    const plan = await world.plan();
    expect([...actionsOf(plan)].sort()).toEqual(['forget pets', 'forget pets/faq', 'forget pets/guide']);
    expect(plan.notCompared).toEqual([]);
  });

  it('an object that is gone while what lives in it answers is neither gone nor there', async () => {
    await write({ pets: api('Pets', ['guide']), cats: api('Cats') });
    await world.apply();
    const pets = await idOf('Pets');
    platform.tell((path, _, right) => {
      if (path === `/v3/apis/${pets}`) return notFound;
      if (path !== '/v3/apis') return undefined;
      const { data } = JSON.parse(right.text) as { data: { id: string }[] };
      const others = data.filter(({ id }) => id !== pets);
      return json({ data: others, meta: { page: { total: others.length } } });
    });
    const plan = await world.plan();
    expect(plan.steps).toEqual([]);
    expect(plan.notCompared.map(({ address, diagnostic }) => [address, diagnostic.code])).toEqual([
      ['pets', 'contradictory-answers'],
      ['pets/guide', 'contradictory-answers'],
    ]);
    expect(plan.guards).toEqual([]);
    // Who is wrong about one may be wrong about the others.
    await write({ pets: api('Pets', ['guide']), cats: api('Cats'), more: api('More') });
    const blocked = await world.plan();
    expect(blocked.steps.map(({ address }) => address)).toEqual(['more']);
    expect(blocked.guards).toMatchObject([{ name: 'contradiction:pets', addresses: ['pets', 'pets/guide'] }]);
    expect((await world.open(async (project) => project.apply(await project.plan()))).status).toBe('blocked');
    const allow = [{ guard: 'contradiction:pets', reason: 'asked the vendor' }];
    expect((await world.plan({ allow })).guards).toMatchObject([{ lifted: 'asked the vendor' }]);
  });

  it('so many missing objects that the list must be wrong are not asked for, unless somebody says so', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`api${n}`, api(`Api ${n}`)]));
    await write({ ...many, shop: { type: 'platform:ApiProduct', properties: { name: 'Shop', portalIds: [] } } });
    await world.apply();
    await world.call('POST', '/_sandbox/reset');
    await world.resetRequests();
    const plan = await world.plan();
    // Two lists, ten of the missing ones.
    expect((await world.requests()).total).toBe(12);
    expect(plan.summary.create).toBe(10);
    expect(plan.notCompared).toHaveLength(21);
    expect(plan.notCompared.every(({ diagnostic }) => diagnostic.code === 'too-many-missing')).toBe(true);
    const allow = [{ guard: 'maxMissing', reason: 'the platform was set up anew' }];
    expect((await world.plan({ allow })).summary.create).toBe(31);
    expect(await world.open(async (project) => (await project.refresh()).gone.length)).toBe(10);
  });

  it('an object that differs is believed to differ when a second answer says so, too', async () => {
    await write({ pets: api('Pets'), cats: api('Cats') });
    await world.apply();
    const renamed = (item: JsonObject): JsonObject => ({ ...item, name: 'Dogs' });
    platform.tell((path, _, right) => {
      if (path !== '/v3/apis') return undefined;
      const { data, meta } = JSON.parse(right.text) as { data: JsonObject[]; meta: Json };
      return json({ data: data.map(renamed), meta });
    });
    const plan = await world.plan();
    expect(plan.steps).toEqual([]);
    expect(plan.notCompared.map(({ diagnostic }) => diagnostic.code)).toEqual([
      'contradictory-answers',
      'contradictory-answers',
    ]);
  });

  it('a child that moves is deleted only when its new parent exists', async () => {
    await write({ pets: api('Pets', ['guide']) });
    await world.apply();
    const guide = (parent: string): JsonObject => ({
      type: 'platform:ApiDocument',
      properties: { apiId: `\${${parent}.id}`, title: 'guide', content: 'guide' },
      options: { aliases: ['pets/guide'] },
    });
    await write({ pets: api('Pets'), cats: api('Cats'), guide: guide('cats') });
    await world.call('PUT', '/_sandbox/faults', {
      rules: [{ match: { method: 'POST', route: '/v3/apis' }, action: { status: 400 } }],
    });
    const result = await world.open(async (project) => project.apply(await project.plan({ allow: [] })));
    expect(result.steps.map(({ address, outcome }) => [address, outcome])).toEqual([
      ['cats', 'failed'],
      ['guide', 'skipped'],
    ]);
    expect(platform.writes().filter((write) => write.startsWith('DELETE'))).toEqual([]);
    await world.call('DELETE', '/_sandbox/faults');
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
  });

  it('with the server down there is no plan, within two seconds, and nothing is sent', async () => {
    await write({ pets: api('Pets') });
    await platform.close();
    const { plan, diagnostics } = await world.planResult();
    expect(plan).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: 'nothing-read' }]);
    expect(diagnostics[0]?.summary).toMatch(/can't be reached.*PLATFORM_SERVER_URL/);
    const waited = world.events.reduce((sum, event) => sum + (event.type === 'waiting' ? event.ms : 0), 0);
    expect(waited).toBeLessThan(2000);
    expect(await world.open((project) => project.apply({ diagnostics }))).toMatchObject({
      status: 'failed',
      steps: [],
    });
    platform = await lyingPlatform(world.sandbox.url);
  });
});
