import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlanOptions } from '../../src/engine/api.js';
import type { JsonObject } from '../../src/engine/model/value.js';
import { MemoryDatabase, memoryStateStore } from '../../src/engine/state/memory.js';
import { makeWorld, type World } from '../harness/world.js';

/** What lives in an object ends with it: what is protected blocks that, what is excluded keeps its home. */

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const page = (title: string, options: JsonObject = {}, children: JsonObject = {}): JsonObject => ({
  ...{ type: 'platform:ApiDocument', properties: { title, content: title }, options, children },
});
const pets = (name: string, options: JsonObject, below: JsonObject = {}): JsonObject => ({
  type: 'platform:Api',
  properties: { name },
  children: { guide: page('Guide', options, { leaf: page('Leaf', below) }) },
});
const other = { type: 'platform:Api', properties: { name: 'Other' } };

const write = (resources: JsonObject, more: JsonObject = {}) =>
  world.write({
    'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100}\n',
    'catalogue/all.yaml': { resources: { other, ...resources }, ...more },
  });

describe('a protected object blocks the end of what it lives in, by its name', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['kept by retainOnDelete', {}, { protect: true, retainOnDelete: true }, {}],
    ['let go of by removed', {}, { protect: true }, { removed: ['KEY/guide/leaf'] }],
    ['below another that is retained', { retainOnDelete: true }, { protect: true, retainOnDelete: true }, {}],
  ])('%s', async (name, options, below, more) => {
    const key = name.replaceAll(' ', '-');
    await write({ [key]: pets(name, options, below) });
    await world.apply();
    await write({}, JSON.parse(JSON.stringify(more).replace('KEY', key)) as JsonObject);
    const { guards } = await world.plan();
    expect(guards.map((guard) => guard.name)).toContain(`delete:${key}/guide/leaf`);
  });
});

describe('what is excluded keeps alive what it lives in', () => {
  it.each<[string, string, 'apply' | 'destroy']>([
    ['when its home leaves the file', '/guide', 'apply'],
    ['at any depth', '/guide/leaf', 'apply'],
    ['when everything is destroyed', '/guide/leaf', 'destroy'],
  ])('%s', async (name, below, mode) => {
    const key = name.replaceAll(' ', '-');
    await write({ [key]: pets(name, {}) });
    await world.apply();
    await write({});
    const { steps } = await world.plan({ mode, excludes: [`${key}${below}`] });
    const homes = [key, `${key}/guide`, `${key}${below}`];
    expect(steps.map(({ address }) => address).filter((address) => homes.includes(address))).toEqual([]);
  });
});

describe('what lives in an object of a type that rules made', () => {
  const plane: JsonObject = { type: 'platform:GatewayControlPlane', properties: { name: 'shop' } };
  const service = (options: JsonObject): JsonObject => ({
    type: 'platform:GatewayService',
    properties: { controlPlaneId: '${cp.id}', name: 'orders', host: 'a.example.com' },
    options,
  });
  const ends: readonly (readonly [string, boolean, PlanOptions])[] = [
    ['leaves the file', false, {}],
    ['is replaced', true, { replace: ['cp'] }],
    ['is destroyed', false, { mode: 'destroy' }],
  ];
  beforeEach(async () => {
    await world.call('POST', '/_sandbox/reset');
    world.loseState();
  });

  it.each(ends)(
    'stays when it is excluded and its home %s, and the plan says which home stays',
    async (_, stays, how) => {
      for (const protect of [true, false]) {
        const all = { cp: plane, s: service({ protect }) };
        await write(all);
        await world.apply();
        await write(stays ? all : {});
        const { steps, notices } = await world.plan({ ...how, excludes: ['s'] });
        expect(steps.filter(({ address }) => address !== 'other')).toEqual([]);
        expect(notices).toContainEqual(expect.objectContaining({ code: 'home-kept', address: 'cp' }));
        expect(notices.find(({ code }) => code === 'home-kept')?.summary).toMatch(/: s\.$/);
      }
    },
  );

  it.each<[string, JsonObject, JsonObject]>([
    ['kept by retainOnDelete', { protect: true, retainOnDelete: true }, {}],
    ['let go of by removed', { protect: true }, { removed: ['s'] }],
    ['protected alone', { protect: true }, {}],
  ])('blocks the end of its home by its name when it is %s', async (_, options, more) => {
    await write({ cp: plane, s: service(options) });
    await world.apply();
    await write({}, more);
    expect((await world.plan()).guards.map(({ name }) => name)).toContain('delete:s');
  });

  it('is counted with the deletes', async () => {
    await write({ cp: plane, s: service({ retainOnDelete: true }) });
    await world.apply();
    await world.write({
      'sync.yaml': 'project: test\nguards: {maxDeletes: 1, maxDeletePercent: 100}\n',
      'catalogue/all.yaml': { resources: { other } },
    });
    expect((await world.plan()).guards).toMatchObject([
      { name: 'maxDeletes', summary: '1 delete, and 1 along with it, more than maxDeletes: 1', addresses: ['cp', 's'] },
    ]);
  });
});

describe('what another stack manages below an object that ends', () => {
  const asStack = (stack: string) => ({ openState: () => Promise.resolve(memoryStateStore('test', stack, database)) });
  const database = new MemoryDatabase();
  const cp: JsonObject = { type: 'platform:GatewayControlPlane', properties: { name: 'shared' } };
  const service = (id: string): JsonObject => ({
    type: 'platform:GatewayService',
    properties: { controlPlaneId: id, name: 'theirs', host: 'a.example.com' },
    options: { protect: true },
  });

  it('is a guard of its own, and blocks by its name when it is protected', async () => {
    await write({ cp });
    await world.open(async (project) => project.apply(await project.plan()), asStack('one'));
    const { resources } = await memoryStateStore('test', 'one', database).read();
    const theirs = service(resources.get('cp')?.identity.id ?? '');
    await world.write({ 'catalogue/all.yaml': { resources: { theirs } } });
    await world.open(async (project) => project.apply(await project.plan()), asStack('two'));
    await write({});
    const plan = await world.open(async (project) => (await project.plan()).plan, asStack('one'));
    expect(plan?.guards.map(({ name }) => name)).toEqual(['delete:test/two:theirs', 'goes-along:cp']);
    expect(plan?.guards.at(-1)?.summary).toBe('with cp would end 1 object that the stack test/two manages: theirs');
  });
});
