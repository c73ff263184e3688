import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApplyResult } from '@platform-sync/engine/api';
import type { Plan } from '@platform-sync/core/model/plan';
import type { JsonObject } from '@platform-sync/core/model/value';
import { parsePlan, serializePlan } from '@platform-sync/engine/plan/saved-plan';
import { makeWorld, type World } from '../harness/world.js';

const resources = (description: string): Record<string, JsonObject> => ({
  pets: {
    type: 'platform:Api',
    properties: { name: 'Pets', description, labels: { owner: { 'fn::env': 'OWNER' } } },
    children: { guide: { type: 'platform:ApiDocument', properties: { title: 'Guide', content: 'Text' } } },
  },
  cats: { type: 'platform:Api', properties: { name: 'Cats' } },
});

describe('a reviewed plan', () => {
  let world: World;
  let reviewed: Plan;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.close());

  // Applied once; then the file changes an API, adds a document and drops an API: an update, a create and a delete to review.
  beforeEach(async () => {
    world.loseState();
    world.env = { ...world.env, OWNER: 'ann', PLATFORM_SERVER_URL: world.sandbox.url };
    await world.call('POST', '/_sandbox/reset');
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: resources('one') } });
    await world.apply();
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': next() });
    const read = parsePlan(serializePlan(await world.plan()));
    if (!('plan' in read)) throw new Error(read.reason);
    reviewed = read.plan;
    expect(reviewed.steps.map(({ action, address }) => `${action} ${address}`)).toEqual([
      'delete cats',
      'update pets',
      'create pets/more',
    ]);
    await world.resetRequests();
  });

  const settings = 'project: test\nguards: {maxDeletePercent: 100}\n';
  const next = (description = 'two'): JsonObject => {
    const { pets } = resources(description) as { pets: { children: JsonObject } & JsonObject };
    const more = { type: 'platform:ApiDocument', properties: { title: 'More', content: 'More text' } };
    return { resources: { pets: { ...pets, children: { ...pets.children, more } } } };
  };

  const applyIt = (): Promise<ApplyResult> => world.open((project) => project.applyReviewed(reviewed));

  async function writes(): Promise<number> {
    const { byRoute } = await world.requests();
    return Object.entries(byRoute).reduce((sum, [route, count]) => (route.startsWith('GET ') ? sum : sum + count), 0);
  }

  it('is applied when nothing moved, and refused the second time', async () => {
    const result = await applyIt();
    expect(result.status).toBe('done');
    expect((await world.plan()).steps).toEqual([]);
    await world.resetRequests();
    const again = await applyIt();
    expect(again.status).toBe('stale');
    expect(again.mismatches?.map(({ what }) => what)).toEqual(['plan']);
    expect(await writes()).toBe(0);
  });

  async function idOf(address: string): Promise<string> {
    return world.open(
      async (project) => (await (await project.state()).read()).resources.get(address)?.identity.id ?? '',
    );
  }

  it.each<[string, () => Promise<unknown>, string, string]>([
    [
      'an object was edited',
      async () => world.call('POST', `/_sandbox/objects/apis/${await idOf('pets')}`, { description: 'clicked' }),
      'pets',
      'The object was changed on the platform.',
    ],
    [
      'an object to delete was edited',
      async () => world.call('POST', `/_sandbox/objects/apis/${await idOf('cats')}`, { name: 'Lions' }),
      'cats',
      'The object was changed on the platform.',
    ],
    [
      'an object was deleted',
      async () => world.call('POST', `/_sandbox/objects/apis/${await idOf('cats')}`, { $delete: true }),
      'cats',
      'The object was deleted on the platform.',
    ],
    [
      'the catalogue changed',
      () => world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': next('three') }),
      'catalogue',
      'The catalogue changed after the plan was made.',
    ],
    [
      'the state was written',
      () =>
        world.open(async (project) => {
          const store = await project.state();
          const lease = await store.acquire('test', { owner: 'test', waitMs: 0 });
          await store.commit(lease, [{ kind: 'outputs', outputs: { a: 1 } }]);
          await lease.release();
        }),
      'state serial',
      'Something was applied, imported or moved after the plan was made.',
    ],
    [
      'a secret changed in the environment',
      () => Promise.resolve((world.env = { ...world.env, OWNER: 'bob' })),
      'pets',
      'A value differs; it may be a secret that changed in the environment.',
    ],
  ])('is refused when %s, before any write', async (_name, change, what, meaning) => {
    await change();
    const result = await applyIt();
    expect(result.status).toBe('stale');
    expect(result.mismatches).toContainEqual(expect.objectContaining({ what, meaning }));
    expect(await writes()).toBe(0);
  });

  it('is refused when the server is another one', async () => {
    const other = await makeWorld();
    try {
      world.env = { ...world.env, PLATFORM_SERVER_URL: other.sandbox.url };
      const result = await applyIt();
      expect(result.status).toBe('stale');
      expect(result.mismatches?.map((row) => row.what)).toContain('target');
      expect(await writes()).toBe(0);
    } finally {
      await other.close();
    }
  });

  describe('whose effect was approved', () => {
    const applyEffect = (): Promise<ApplyResult> =>
      world.open((project) => project.applyReviewed(reviewed, { byEffect: true }));

    /** Merges of others, each applied before the next one. */
    const merge = async (number: number): Promise<void> => {
      const others = Array.from({ length: number }, (_, n) => [
        `other${n}`,
        { type: 'platform:Api', properties: { name: `Other ${n}` } },
      ]);
      const merged = { ...resources('one'), ...(Object.fromEntries(others) as Record<string, JsonObject>) };
      await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: merged } });
      await world.apply();
      const both = { ...(next() as { resources: JsonObject }).resources, ...Object.fromEntries(others) } as JsonObject;
      await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: both } });
    };

    it('is carried out after twenty merges of others', async () => {
      for (let number = 1; number <= 20; number += 1) await merge(number);
      expect((await applyIt()).status).toBe('stale');
      const now = await world.plan();
      expect([now.effectDigest, now.digest === reviewed.digest]).toEqual([reviewed.effectDigest, false]);
      expect((await applyEffect()).status).toBe('done');
      expect((await world.plan()).steps).toEqual([]);
      // What is done is not done again.
      expect((await applyEffect()).mismatches?.map(({ what }) => what)).toEqual(['plan']);
    });

    it.each<[string, () => Promise<unknown>, string]>([
      ['a value', () => world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': next('three') }), 'pets'],
      ['a secret', () => Promise.resolve((world.env = { ...world.env, OWNER: 'bob' })), 'pets'],
      [
        'what is overwritten',
        async () => world.call('POST', `/_sandbox/objects/apis/${await idOf('pets')}`, { description: 'clicked' }),
        'pets',
      ],
      [
        'what is deleted',
        async () => world.call('POST', `/_sandbox/objects/apis/${await idOf('cats')}`, { name: 'Lions' }),
        'cats',
      ],
      [
        'one step more',
        () =>
          world.write({
            'sync.yaml': settings,
            'catalogue/all.yaml': next(),
            'catalogue/new.yaml': { resources: { dogs: { type: 'platform:Api', properties: { name: 'Dogs' } } } },
          }),
        'dogs',
      ],
    ])('is refused where %s is another one, and only that step is named', async (_name, change, address) => {
      await change();
      const result = await applyEffect();
      expect([result.status, result.mismatches?.map(({ what }) => what)]).toEqual(['stale', [address]]);
      expect(await writes()).toBe(0);
    });

    it('is carried out although a field that it leaves alone was changed, and the files are laid out otherwise', async () => {
      const { pets = {} } = (next() as { resources: Record<string, JsonObject> }).resources;
      await world.call('POST', `/_sandbox/objects/apis/${await idOf('pets')}`, { version: '9' });
      await world.write({ 'sync.yaml': settings, 'catalogue/pets.yaml': { variables: { a: 1 }, resources: { pets } } });
      expect((await applyEffect()).status).toBe('done');
    });

    it('is refused where more would end along with what it deletes, whatever was lifted', async () => {
      const byHand = async (title: string): Promise<unknown> =>
        world.call('POST', `/v3/apis/${await idOf('cats')}/documents`, { title, content: title });
      await byHand('One');
      reviewed = await world.plan({ allow: [{ guard: 'goes-along:cats', reason: 'that one may go' }] });
      await byHand('Two');
      const { status, mismatches } = await applyEffect();
      expect([status, mismatches?.map(({ what }) => what)]).toEqual(['stale', ['cats']]);
    });

    it('is refused where another guard is lifted, or the state is another one', async () => {
      const { effectDigest: _effect, ...rest } = reviewed;
      const made = { ...reviewed, guards: [{ name: 'maxDeletes', summary: 's', addresses: [], lifted: 'r' }] };
      const refusal = async (plan: Plan): Promise<unknown> =>
        (await world.open((project) => project.applyReviewed(plan, { byEffect: true }))).mismatches?.map(
          (row) => row.what,
        );
      expect(await refusal({ ...made, effectDigest: 'a'.repeat(64) })).toEqual(['guards']);
      expect(await refusal({ ...reviewed, effectDigest: 'a'.repeat(64), lineage: 'other' })).toEqual(['state lineage']);
      // A plan that says nothing of its effect is like no other.
      expect(await refusal(rest)).toEqual(['outputs']);
    });
  });

  it('is refused when one byte of the file was flipped, wherever it is', () => {
    const text = serializePlan(reviewed);
    for (let at = 0; at < text.length - 1; at += 97) {
      const flipped = text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1);
      expect('plan' in parsePlan(flipped)).toBe(false);
    }
    expect('plan' in parsePlan(`${text.trimEnd()} `)).toBe(true);
    expect('plan' in parsePlan(text.replace(':', ': '))).toBe(false);
  });

  it('holds no secret, only its expression and a fingerprint', async () => {
    world.env = { ...world.env, OWNER: 'hush-hush' };
    const text = serializePlan(await world.plan());
    expect(text).not.toMatch(/hush-hush|"ann"/);
    expect(text).toContain('"$secret":{"expression":"!env OWNER"');
  });

  it('stops a delete whose object was changed after the comparison', async () => {
    // The last look right before the delete is the only one that can still see it.
    const id = await idOf('cats');
    const result = await world.open(async (project) => {
      const planned = await project.plan();
      await world.call('POST', `/_sandbox/objects/apis/${id}`, { name: 'Lions' });
      return project.apply(planned);
    });
    expect(result.status).toBe('partly');
    const failed = result.steps.find(({ outcome }) => outcome === 'failed');
    expect(failed?.address).toBe('cats');
    expect(failed?.diagnostics?.[0]?.code).toBe('changed-since-plan');
    expect((await world.call('GET', `/_sandbox/objects/apis/${id}`)).status).toBe(200);
  });
});
