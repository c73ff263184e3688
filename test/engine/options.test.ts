import { describe, expect, it } from 'vitest';
import type { Plan } from '@platform-sync/core/model/plan';
import type { JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../harness/fresh-worlds.js';
import { actionsOf, makeWorld, type World } from '../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

const lenient = 'project: test\nguards: {maxDeletePercent: 100, allow: [{guard: emptyCatalogue, reason: test}]}\n';
const write = (resources: Record<string, JsonObject>, settings = lenient) =>
  world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources } });
const api = (properties: JsonObject, options: JsonObject = {}, children: JsonObject = {}): JsonObject => ({
  type: 'platform:Api',
  properties,
  ...(Object.keys(options).length === 0 ? {} : { options }),
  ...(Object.keys(children).length === 0 ? {} : { children }),
});
const document = (title: string): JsonObject => ({
  type: 'platform:ApiDocument',
  properties: { title, content: title },
});
const guardNames = (plan: Plan) => plan.guards.map(({ name }) => name);

async function writes(): Promise<number> {
  const { byRoute } = await world.requests();
  return Object.entries(byRoute).reduce((sum, [route, count]) => (route.startsWith('GET ') ? sum : sum + count), 0);
}

describe('aliases', () => {
  it('a new key with the old one as alias moves state, nested resources too, and writes nothing', async () => {
    await write({ old: api({ name: 'Pets' }, {}, { guide: document('Guide') }) });
    await world.apply();
    await write({ fresh: api({ name: 'Pets' }, { aliases: ['old'] }, { guide: document('Guide') }) });
    await world.resetRequests();
    const plan = await world.plan();
    expect(actionsOf(plan)).toEqual(['move fresh', 'move fresh/guide']);
    await world.apply();
    expect(await writes()).toBe(0);
    expect((await world.plan()).steps).toEqual([]);
  });

  it('what stood at the top keeps its key within the block of its parent', async () => {
    const guide = document('Guide');
    const properties = { ...(guide['properties'] as JsonObject), apiId: '${pets.id}' };
    await write({ pets: api({ name: 'Pets' }), guide: { ...guide, properties } });
    await world.apply();
    const within = { ...guide, options: { aliases: ['guide'] } };
    await write({ pets: api({ name: 'Pets' }, {}, { guide: within }) });
    expect(actionsOf(await world.plan())).toEqual(['move pets/guide']);
    // So it does once more with another key, where it names the one among its siblings in full.
    const twice = { ...guide, options: { aliases: ['pets/guide', 'guide'] } };
    await write({ pets: api({ name: 'Pets' }, {}, { manual: twice }) });
    expect(actionsOf(await world.plan())).toEqual(['move pets/manual']);
    // Who has that key at the top now is no sibling.
    await write({ pets: api({ name: 'Pets' }, {}, { guide: within }), guide: api({ name: 'Guides' }) });
    expect((await world.planResult()).diagnostics.map(({ code }) => code)).toEqual(['alias-in-use']);
  });

  it('a spent alias goes without a step; one that goes too early shows in the plan', async () => {
    const product = (options: JsonObject) => ({
      type: 'platform:ApiProduct',
      properties: { name: 'P', portalIds: [] },
      options,
    });
    await write({ old: product({}) });
    await world.apply();
    await write({ fresh: product({ aliases: ['old'] }) });
    expect(actionsOf(await world.plan())).toEqual(['move fresh']);
    await write({ fresh: product({}) });
    expect([...actionsOf(await world.plan())].sort()).toEqual(['create fresh', 'delete old']);
    await write({ fresh: product({ aliases: ['old'] }) });
    await world.apply();
    for (const options of [{}, { aliases: ['nobody'] }]) {
      await write({ fresh: product(options) });
      const plan = await world.plan();
      expect([plan.steps, plan.notices]).toEqual([[], []]);
    }
  });

  it('a former key among siblings is each parent’s own, whatever others are called', async () => {
    const both = (key: string, options: JsonObject): Record<string, JsonObject> => ({
      cats: api({ name: 'Cats' }, {}, { [key]: { ...document('Cats'), options } }),
      pets: api({ name: 'Pets' }, {}, { [key]: { ...document('Pets'), options } }),
      guide: api({ name: 'Guide' }),
    });
    await write(both('guide', {}));
    await world.apply();
    await write(both('manual', { aliases: ['guide'] }));
    expect([...actionsOf(await world.plan())].sort()).toEqual(['move cats/manual', 'move pets/manual']);
  });

  it('a rename and a change together are one step', async () => {
    await write({ old: api({ name: 'Pets' }) });
    await world.apply();
    await write({ fresh: api({ name: 'Pets', description: 'new' }, { aliases: ['old'] }) });
    const [step] = (await world.plan()).steps;
    expect(step).toMatchObject({ action: 'update', address: 'fresh', from: 'old' });
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
  });
});

describe('protect', () => {
  it('blocks a delete although the block is gone from the file, until it is lifted by name', async () => {
    await write({ pets: api({ name: 'Pets' }, { protect: true }), cats: api({ name: 'Cats' }) });
    await world.apply();
    await write({ cats: api({ name: 'Cats' }) });
    const plan = await world.plan();
    expect(guardNames(plan)).toEqual(['delete:pets']);
    const blocked = await world.open(async (project) => project.apply(await project.plan()));
    expect(blocked.status).toBe('blocked');
    const lifted = await world.plan({ allow: [{ guard: 'delete:pets', reason: 'agreed with Ann' }] });
    expect(lifted.guards).toEqual([expect.objectContaining({ name: 'delete:pets', lifted: 'agreed with Ann' })]);
    await world.apply({ allow: [{ guard: 'delete:pets', reason: 'agreed with Ann' }] });
    expect((await world.plan()).steps).toEqual([]);
  });

  it('blocks a replacement, and taking the option away in the same plan does not lift it', async () => {
    const spec = (title: string) => `openapi: 3.0.3\ninfo: {title: ${title}, version: "1"}\npaths: {}\n`;
    await write({ pets: api({ name: 'Pets', version: '1', specContent: spec('a') }, { protect: true }) });
    await world.apply();
    await write({ pets: api({ name: 'Pets', version: '1', specContent: spec('b') }, { protect: true }) });
    expect(guardNames(await world.plan())).toEqual(['replace:pets']);
    await write({ pets: api({ name: 'Pets', version: '1', specContent: spec('b') }) });
    expect((await world.plan()).guards).toMatchObject([
      { name: 'replace:pets', summary: 'pets is protected (this plan lifts it) and would be replaced' },
    ]);
    await write({ pets: api({ name: 'Pets', version: '1', specContent: spec('a') }) });
    expect(actionsOf(await world.plan())).toEqual(['options pets']);
    await world.apply();
    await write({ pets: api({ name: 'Pets', version: '1', specContent: spec('b') }) });
    expect(guardNames(await world.plan())).toEqual([]);
  });
});

describe('guards', () => {
  it.each<[string, string, Record<string, JsonObject>, readonly string[]]>([
    ['one delete of three is a single one', 'project: test\n', { a: api({}), b: api({}) }, []],
    ['two deletes of three are more than 20 %', 'project: test\n', { a: api({}) }, ['maxDeletePercent']],
    [
      'two deletes with maxDeletes 1',
      'project: test\nguards: {maxDeletes: 1, maxDeletePercent: 100}\n',
      { a: api({}) },
      ['maxDeletes'],
    ],
    ['nothing left in the catalogue', 'project: test\nguards: {maxDeletePercent: 100}\n', {}, ['emptyCatalogue']],
    ['deletes within the limits', lenient, { a: api({}) }, []],
  ])('%s', async (_name, settings, after, expected) => {
    await write({ a: api({}), b: api({}), c: api({}) });
    await world.apply();
    await write(after, settings);
    expect(guardNames(await world.plan())).toEqual(expected);
  });

  it('everything gone at once looks like the wrong target', async () => {
    await write({ a: api({}), b: api({}) });
    await world.apply();
    await world.call('POST', '/_sandbox/reset');
    expect(guardNames(await world.plan())).toEqual(['everythingGone']);
  });

  it('another server address than the stack was applied to is blocked', async () => {
    const other = await makeWorld();
    try {
      await write({ a: api({}), b: api({}) });
      await world.apply();
      const env = world.env;
      world.env = { ...env, PLATFORM_SERVER_URL: other.sandbox.url };
      expect(guardNames(await world.plan())).toContain('target:platform');
      world.env = env;
    } finally {
      await other.close();
    }
  });

  it('destroy is meant to delete everything, but not what is protected', async () => {
    await write({ a: api({}), b: api({}, { protect: true }) }, 'project: test\n');
    await world.apply();
    expect(guardNames(await world.plan({ mode: 'destroy' }))).toEqual(['delete:b']);
  });
});

describe('protection of what lives below', () => {
  const pets = (options: JsonObject, children: JsonObject) => ({ pets: api({ name: 'Pets' }, options, children) });
  it('holds a document of a protected API, also in a plan of that document alone', async () => {
    await write(pets({ protect: true }, { guide: document('Guide') }));
    await world.apply();
    await write(pets({ protect: true }, {}));
    expect(guardNames(await world.plan())).toEqual(['delete:pets/guide']);
    expect(guardNames(await world.plan({ targets: ['pets/guide'] }))).toEqual(['delete:pets/guide']);
    await write(pets({}, {}));
    expect((await world.plan()).guards).toMatchObject([
      { summary: 'pets/guide is protected with pets, which it lives in (this plan lifts it), and would be deleted' },
    ]);
  });
});

describe('other options', () => {
  it('retainOnDelete forgets the object and leaves it where it is', async () => {
    await write({ a: api({}, { retainOnDelete: true }), b: api({}) });
    await world.apply();
    await write({ b: api({}) });
    expect(actionsOf(await world.plan())).toEqual(['forget a']);
    await world.resetRequests();
    await world.apply();
    expect(await writes()).toBe(0);
    const plan = await world.plan();
    expect(plan.steps).toEqual([]);
    expect(plan.unmanaged).toEqual([{ type: 'platform:index/api:Api', count: 1 }]);
  });

  it('dependsOn orders what no reference orders', async () => {
    await write({ a: api({}, { dependsOn: ['z'] }), z: api({}) });
    const plan = await world.plan();
    expect(actionsOf(plan)).toEqual(['create z', 'create a']);
    expect(plan.steps[1]?.dependsOn).toEqual(['z']);
    await world.apply();
    await write({});
    expect(actionsOf(await world.plan())).toEqual(['delete a', 'delete z']);
  });

  it('ignoreChanges leaves a difference alone, and says nothing of it', async () => {
    await write({ a: api({ description: 'one' }, { ignoreChanges: ['description'] }) });
    await world.apply();
    await write({ a: api({ description: 'two' }, { ignoreChanges: ['description'] }) });
    expect((await world.plan()).steps).toEqual([]);
  });

  it('what is dropped while ignoreChanges leaves it alone is taken away once it is left alone no more', async () => {
    const labels = { team: 'payments', tier: 'gold' };
    await write({ a: api({ description: 'one', labels }) });
    await world.apply();
    const left = { ignoreChanges: ['description', 'labels.tier'] };
    await write({ a: api({ labels: { team: 'payments' } }, left) });
    await world.apply();
    await write({ a: api({ version: '2' }, left) });
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
    const { body } = await world.call('GET', '/v3/apis');
    expect(body).toMatchObject({ data: [{ description: 'one', labels: { tier: 'gold' } }] });
    await write({ a: api({ version: '2' }) });
    const [step] = (await world.plan()).steps;
    expect(step?.fields.map(({ field }) => field)).toEqual(['description', 'labels']);
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
  });

  it('replaceOnChanges replaces where the platform could update', async () => {
    await write({ a: api({ description: 'one' }, { replaceOnChanges: ['description'] }) });
    await world.apply();
    await write({ a: api({ description: 'two' }, { replaceOnChanges: ['description'] }) });
    expect((await world.plan()).steps[0]).toMatchObject({ action: 'replace', order: 'delete-first' });
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
  });

  it('deleteBeforeReplace: false creates first where both may exist, and deletes the old one last', async () => {
    const options = { replaceOnChanges: ['version'], deleteBeforeReplace: false };
    await write({ a: api({ name: 'A', version: '1' }, options) });
    await world.apply();
    await write({ a: api({ name: 'A', version: '2' }, options) });
    expect((await world.plan()).steps[0]).toMatchObject({ action: 'replace', order: 'create-first' });
    await world.apply();
    const { body } = await world.call('GET', '/v3/apis');
    expect((body as { data: { version: string }[] }).data.map(({ version }) => version)).toEqual(['2']);
    expect((await world.plan()).steps).toEqual([]);
  });

  it('deleteBeforeReplace: false deletes first all the same where the platform refuses two', async () => {
    const options = { replaceOnChanges: ['description'], deleteBeforeReplace: false };
    await write({ a: api({ name: 'A', description: '1' }, options) });
    await world.apply();
    await write({ a: api({ name: 'A', description: '2' }, options) });
    expect((await world.plan()).steps[0]).toMatchObject({ order: 'delete-first' });
  });

  it('import takes an existing object over and brings it to what the file says', async () => {
    const { body } = await world.call('POST', '/v3/apis', { name: 'Made by hand', description: 'old' });
    const id = String((body as JsonObject)['id']);
    await write({ a: api({ name: 'Made by hand', description: 'new' }, { import: id }) });
    expect((await world.plan()).steps[0]).toMatchObject({
      action: 'adopt',
      id,
      fields: [{ field: 'description', old: 'old', new: 'new' }],
    });
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
    expect((await world.call('GET', `/v3/apis/${id}`)).body).toMatchObject({ description: 'new' });
  });

  it('import of what does not exist is an error at the place of the resource', async () => {
    await write({ a: api({}, { import: '00000000-0000-4000-8000-000000000000' }) });
    const { plan, diagnostics } = await world.planResult();
    expect(plan).toBeUndefined();
    expect(diagnostics[0]).toMatchObject({ code: 'import-not-found', place: { file: 'catalogue/all.yaml' } });
  });
});

describe('keys that change hands', () => {
  it('a swap of two names applies in one run', async () => {
    await write({ a: api({ name: 'A' }), b: api({ name: 'B' }) });
    await world.apply();
    await write({ a: api({ name: 'B' }), b: api({ name: 'A' }) });
    expect([...actionsOf(await world.plan())].sort()).toEqual(['update a', 'update b']);
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
  });

  it('a ring of three, with documents swapping slugs as well', async () => {
    const named = (names: readonly [string, string, string], slugs: readonly [string, string]) => ({
      x: api(
        { name: names[0] },
        {},
        {
          one: { type: 'platform:ApiDocument', properties: { title: 'One', slug: slugs[0], content: '1' } },
          two: { type: 'platform:ApiDocument', properties: { title: 'Two', slug: slugs[1], content: '2' } },
        },
      ),
      y: api({ name: names[1] }),
      z: api({ name: names[2] }),
    });
    await write(named(['A', 'B', 'C'], ['s', 't']));
    await world.apply();
    await write(named(['B', 'C', 'A'], ['t', 's']));
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
  });

  it('a new resource with the name of one that left the catalogue is that one', async () => {
    await write({ a: api({ name: 'A' }), keep: api({ name: 'K' }) });
    await world.apply();
    await write({ b: api({ name: 'A' }), keep: api({ name: 'K' }) });
    expect(actionsOf(await world.plan())).toEqual(['move b']);
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
  });
});

describe('adopt', () => {
  it('brings lost state back by natural keys, and then there is nothing to do', async () => {
    const children = {
      guide: document('Guide'),
      impl: {
        type: 'platform:ApiImplementation',
        properties: {
          serviceReference: {
            service: {
              controlPlaneId: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0a01',
              id: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0b01',
            },
          },
        },
      },
    };
    const specContent = 'openapi: 3.0.3\ninfo: {title: Pets, version: "1"}\npaths: {}\n';
    await write({ pets: api({ name: 'Pets', version: '1', specContent }, {}, children), cats: api({ name: 'Cats' }) });
    await world.apply();
    world.loseState();
    const plan = await world.plan({ mode: 'adopt' });
    expect(actionsOf(plan)).toEqual(['adopt cats', 'adopt pets', 'adopt pets/guide', 'adopt pets/impl']);
    await world.resetRequests();
    await world.apply({ mode: 'adopt' });
    expect(await writes()).toBe(0);
    expect((await world.plan()).steps).toEqual([]);
  });

  it('takes in only what exists, and creates nothing', async () => {
    await world.call('POST', '/v3/apis', { name: 'Pets' });
    await write({ pets: api({ name: 'Pets' }), cats: api({ name: 'Cats' }) });
    expect(actionsOf(await world.plan({ mode: 'adopt' }))).toEqual(['adopt pets']);
  });
});

describe('part of a plan', () => {
  it('--target takes the target, what is nested in it and what it needs; the plan says that it is a part', async () => {
    await write({ a: api({}, {}, { guide: document('Guide') }), b: api({ description: '${a.id}' }), c: api({}) });
    const plan = await world.plan({ targets: ['b'] });
    expect(actionsOf(plan)).toEqual(['create a', 'create b']);
    expect(plan.partial).toEqual({ targets: ['b'], excludes: [] });
    expect(actionsOf(await world.plan({ targets: ['a'] }))).toEqual(['create a', 'create a/guide']);
  });

  it('--target of what goes brings along what it needed, under the address that has now', async () => {
    const uses = (address: string) => api({ name: 'U', description: `\${${address}.id}` });
    await write({ old: api({ name: 'A' }), user: uses('old'), other: api({ name: 'O' }) });
    await world.apply();
    await write({ fresh: api({ name: 'A', description: 'new' }, { aliases: ['old'] }), other: api({ name: 'Q' }) });
    expect([...actionsOf(await world.plan({ targets: ['user'] }))].sort()).toEqual(['delete user', 'update fresh']);
    expect(actionsOf(await world.plan({ excludes: ['fresh'] }))).toEqual(['update other']);
  });

  it('--exclude leaves out what is excluded and what needs it', async () => {
    await write({ a: api({}), b: api({ description: '${a.id}' }), c: api({}) });
    expect(actionsOf(await world.plan({ excludes: ['a'] }))).toEqual(['create c']);
  });

  it('--replace replaces although nothing forces it', async () => {
    await write({ a: api({}), b: api({}) });
    await world.apply();
    expect((await world.plan({ replace: ['a'] })).steps).toMatchObject([
      { address: 'a', action: 'replace', reasons: [{ kind: 'requested' }] },
    ]);
  });

  it('an address that nobody knows is an error', async () => {
    await write({ a: api({}) });
    expect((await world.planResult({ targets: ['nope'] })).diagnostics[0]?.code).toBe('unknown-address');
  });
});
