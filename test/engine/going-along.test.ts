import { describe, expect, it } from 'vitest';
import type { PlanOptions } from '@platform-sync/engine/api';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { Lease, StateStore } from '@platform-sync/core/model/state-store';
import type { JsonObject } from '@platform-sync/core/model/value';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { freshWorlds } from '../harness/fresh-worlds.js';
import type { World } from '../harness/world.js';

/** What lives in an object ends with it: what is protected blocks that, what is excluded keeps its home. */

let world: World;
freshWorlds((made) => (world = made));

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

  it('blocks the end of everything where the file protects it, and nothing was applied since', async () => {
    await write({ cp: plane, s: service({}) });
    await world.apply();
    await write({ cp: plane, s: service({ protect: true }) });
    expect((await world.plan({ mode: 'destroy' })).guards.map(({ name }) => name)).toContain('delete:s');
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
    expect(plan?.guards.at(-1)?.summary).toBe(
      'the end of cp would also end 1 object that the stack test/two manages: theirs',
    );
  });

  it.each<[string, (store: StateStore, lease: Lease, resource: RecordedResource) => Promise<unknown>]>([
    ['made there', (store, lease, resource) => store.commit(lease, [{ kind: 'put', resource }])],
    [
      'begun to make there',
      (store, lease, record) => {
        const { address, type, inputs } = record;
        const { scope } = record.identity;
        const intent = {
          id: 'i',
          address,
          type,
          action: 'create',
          scope,
          inputs,
          run: '1',
          createdAt: '2026-01-01T00:00:00.000Z',
        } as const;
        return store.begin(lease, { ...intent, record: { ...record, identity: { id: '', scope } } });
      },
    ],
  ])('is not ended with what it has %s since the plan, though no list shows it yet', async (_what, meanwhile) => {
    const shared = new MemoryDatabase();
    const asked: ReadonlySet<string>[] = [];
    const openOne = () => {
      const store = memoryStateStore('test', 'one', shared);
      const question = store.recordedInside.bind(store);
      const recordedInside: StateStore['recordedInside'] = (ids) => (asked.push(ids), question(ids));
      return Promise.resolve(Object.assign(store, { recordedInside }));
    };
    const single: JsonObject = {
      type: 'platform:ApplicationAuthStrategy',
      properties: { displayName: 'Keys', strategyType: 'key_auth', keyAuth: { keyNames: ['apikey'] } },
    };
    await write({ cp, single });
    await world.open(async (project) => project.apply(await project.plan()), { openState: openOne });
    const { resources, targets } = await memoryStateStore('test', 'one', shared).read();
    const home = resources.get('cp')?.identity.id ?? '';
    await write({});
    const result = await world.open(
      async (project) => {
        const planned = await project.plan();
        asked.length = 0;
        const two = memoryStateStore('test', 'two', shared);
        const lease = await two.acquire('apply', { waitMs: 0 });
        await two.commit(lease, [{ kind: 'targets', targets }]);
        await meanwhile(two, lease, {
          ...{ address: 'theirs', type: 'platform:index/gatewayService:GatewayService', inputs: { name: 'theirs' } },
          ...{ identity: { id: 'theirs', scope: { controlPlaneId: home } }, outputs: {}, dependencies: [] },
          ...{ protect: false, retainOnDelete: false, deposed: [] },
        });
        return project.apply(planned);
      },
      { openState: openOne },
    );
    expect(result.steps.map(({ address, outcome }) => [address, outcome]).sort()).toEqual([
      ['cp', 'failed'],
      ['single', 'done'],
    ]);
    expect(result.steps.flatMap(({ diagnostics = [] }) => diagnostics.map(({ summary }) => summary))).toEqual([
      'cp holds GatewayService theirs of test/two, which the plan does not show, so it was not deleted.',
    ]);
    // One question for the home, and none for what holds nothing.
    expect(asked).toHaveLength(1);
  });
});

describe('what nobody manages below an object that ends', () => {
  const plane: JsonObject = { type: 'platform:GatewayControlPlane', properties: { name: 'shop' } };
  const idOf = async (address: string): Promise<string> =>
    world.open(async (project) => (await (await project.state()).read()).resources.get(address)?.identity.id ?? '');
  const guardsOf = async (options: PlanOptions = {}) =>
    (await world.plan(options)).guards.filter(({ name }) => name.startsWith('goes-along:'));
  const within = (id: string): string => `/v2/control-planes/${id}/core-entities`;
  const made = async (path: string, body: JsonObject): Promise<string> => {
    const answer = await world.call('POST', path, body);
    expect([path, answer.status]).toEqual([path, 201]);
    return String((answer.body as JsonObject)['id']);
  };

  it.each<[string, PlanOptions, JsonObject]>([
    ['leaves the file', {}, {}],
    ['is replaced', { replace: ['cp'] }, { cp: plane }],
    ['is destroyed', { mode: 'destroy' }, {}],
    ['is chosen', { targets: ['cp'] }, {}],
  ])('is a guard of the plan where its home %s, with counts by type', async (_, options, after) => {
    await write({ cp: plane });
    await world.apply();
    const cp = await idOf('cp');
    const service = await made(`${within(cp)}/services`, { name: 'by-hand', host: 'a.example.com' });
    await made(`${within(cp)}/services`, { name: 'second', host: 'a.example.com' });
    await made(`${within(cp)}/routes`, { name: 'way', paths: ['/'], service: { id: service } });
    await write(after);
    expect(await guardsOf(options)).toEqual([
      {
        name: 'goes-along:cp',
        summary: 'the end of cp would also end 3 objects that nobody manages: 1 GatewayRoute, 2 GatewayService',
        addresses: ['cp'],
      },
    ]);
    const { steps } = await world.plan(options);
    expect(steps.find(({ address }) => address === 'cp')?.risks).toContainEqual({
      kind: 'cascades',
      what: '2 unmanaged GatewayService',
    });
    expect(await guardsOf({ ...options, noDelete: true, mode: 'apply' })).toEqual([]);
  });

  it('is told at the nearest of the objects that end, and what the plan ends or keeps is not among it', async () => {
    const upstream: JsonObject = {
      type: 'platform:GatewayUpstream',
      properties: { controlPlaneId: '${cp.id}', name: 'pool' },
    };
    await write({ cp: plane, upstream });
    await world.apply();
    await made(`${within(await idOf('cp'))}/upstreams/${await idOf('upstream')}/targets`, {
      target: 'a.example.com:80',
    });
    await write({});
    expect((await guardsOf()).map(({ name, summary }) => [name, summary])).toEqual([
      ['goes-along:upstream', 'the end of upstream would also end 1 object that nobody manages: 1 GatewayTarget'],
    ]);
    await write({ cp: plane, upstream });
    expect(await guardsOf()).toEqual([]);
  });

  it('is counted with the deletes', async () => {
    await write({ pets: pets('Pets', {}) });
    await world.apply();
    const api = await idOf('pets');
    for (const title of ['One', 'Two']) await made(`/v3/apis/${api}/documents`, { title, content: title });
    await world.write({
      'sync.yaml': 'project: test\nguards: {maxDeletes: 4, maxDeletePercent: 100}\n',
      'catalogue/all.yaml': { resources: { other } },
    });
    expect((await world.plan()).guards.map(({ summary }) => summary)).toEqual([
      'the end of pets would also end 2 objects that nobody manages: 2 ApiDocument',
      '3 deletes, and 2 along with them, more than maxDeletes: 4',
    ]);
  });

  it('is not what the object itself keeps as one of another type', async () => {
    const specContent = JSON.stringify({ openapi: '3.0.0', info: { title: 'Plain', version: '1' }, paths: {} });
    await write({ told: { type: 'platform:Api', properties: { name: 'Told', specContent } } });
    await world.apply();
    await write({});
    expect(await guardsOf()).toEqual([]);
    await made(`/v3/apis/${await idOf('told')}/versions`, { version: '2', spec: { content: specContent } });
    expect((await guardsOf()).map(({ name }) => name)).toEqual(['goes-along:told']);
  });

  it('is counted at any depth, in what nobody manages either', async () => {
    await write({ cp: plane });
    await world.apply();
    const cp = await idOf('cp');
    const consumers = `${within(cp)}/consumers`;
    const outer = await made(consumers, { username: 'by-hand' });
    await made(`${consumers}/${outer}/acls`, { group: 'by-hand' });
    await write({});
    expect((await guardsOf()).map(({ name, summary }) => `${name} ${summary}`)).toEqual([
      'goes-along:cp the end of cp would also end 2 objects that nobody manages: 1 GatewayACL, 1 GatewayConsumer',
    ]);
  });

  it.each<[string, JsonObject, PlanOptions]>([
    ['its list is denied', { status: 403 }, {}],
    ['the platform fails', { status: 501 }, {}],
    ['nothing is read', {}, { refresh: 'none' }],
  ])('is a guard as well where %s: nobody could see whether there is something', async (_, action, how) => {
    await write({ cp: plane });
    await world.apply();
    const service = await made(`${within(await idOf('cp'))}/services`, { name: 'by-hand', host: 'a.example.com' });
    await write({});
    const rule = { match: { method: 'GET', route: '**/services' }, probability: 1, action };
    await world.call('PUT', '/_sandbox/faults', { rules: how.refresh === 'none' ? [] : [rule] });
    const [guard, ...others] = await guardsOf(how);
    expect([guard?.name, others]).toEqual(['goes-along:cp', []]);
    expect(guard?.summary).toMatch(
      /^the end of cp would also end whatever it holds of these types, which could not be looked for: .*GatewayService.* \(.+\)$/,
    );
    const carryOut = (options: PlanOptions) =>
      world.open(async (project) => (await project.apply(await project.plan(options))).status);
    const isThere = async (): Promise<boolean> =>
      JSON.stringify((await world.call('GET', '/_sandbox/objects')).body).includes(service);
    expect([await carryOut(how), await isThere()]).toEqual(['blocked', true]);
    const allow = [{ guard: 'goes-along:cp', reason: 'test' }];
    expect([await carryOut({ ...how, allow }), await isThere()]).toEqual(['done', false]);
  });

  it('is asked for once more where there is said to be no such list', async () => {
    await write({ cp: plane });
    await world.apply();
    await made(`${within(await idOf('cp'))}/services`, { name: 'by-hand', host: 'a.example.com' });
    await write({});
    const action = { status: 404, problem: { title: 'Not Found', code: 5, message: 'Not found', details: [] } };
    const rule = { match: { method: 'GET', route: '**/services' }, nth: 1, action };
    await world.call('PUT', '/_sandbox/faults', { rules: [rule] });
    expect((await guardsOf())[0]?.summary).toBe(
      'the end of cp would also end 1 object that nobody manages: 1 GatewayService',
    );
  });

  it('is held back where a home that was written a moment ago denies its lists', async () => {
    await write({ cp: plane });
    await world.apply();
    await made(`${within(await idOf('cp'))}/services`, { name: 'by-hand', host: 'a.example.com' });
    await write({});
    const action = { status: 404, problem: { title: 'Not Found', code: 5, message: 'Not found', details: [] } };
    const rule = { match: { method: 'GET', route: '**/services' }, action };
    await world.call('PUT', '/_sandbox/faults', { rules: [rule] });
    const namesAfter = (settleSeconds: number): Promise<readonly string[]> =>
      world.open(async (project) => ((await project.plan()).plan?.guards ?? []).map(({ name }) => name), {
        settleSeconds,
      });
    expect([await namesAfter(600), await namesAfter(0)]).toEqual([['goes-along:cp'], []]);
  });

  it('is not looked for in more than ten objects of a type, which is a guard, unless all is read', async () => {
    const planes = Object.fromEntries(
      Array.from({ length: 11 }, (_, at) => [`cp${at}`, { ...plane, properties: { name: `cp${at}` } }]),
    );
    await write(planes);
    await world.apply();
    await made(`${within(await idOf('cp3'))}/services`, { name: 'by-hand', host: 'a.example.com' });
    await write({});
    await world.resetRequests();
    const plan = await world.plan();
    expect((await world.requests()).total).toBeLessThan(20);
    expect(plan.guards.find(({ name }) => name === 'goes-along')?.summary).toMatch(
      /^the end of cp0 and 10 more would also end whatever they hold of these types: GatewayCACertificate, .* and \d+ more \(not looked into: 11 homes; --refresh full looks into all\)$/,
    );
    expect(plan.guards.map(({ name }) => name)).toEqual(expect.arrayContaining(['goes-along', 'maxDeletes']));
    expect((await guardsOf({ refresh: 'full' })).map(({ name }) => name)).toEqual(['goes-along:cp3']);
    await world.open(async (project) => {
      const held = await project.plan({ mode: 'destroy' });
      expect((await project.apply(held)).status).toBe('blocked');
    });
  });

  it('is looked for only where an object names more of it than this stack knows, of however many', async () => {
    const specContent = JSON.stringify({ openapi: '3.0.0', info: { title: 'Plain', version: '1' }, paths: {} });
    const version = { type: 'platform:ApiVersion', properties: { version: '1', specContent } };
    const apis = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `a${at}`,
        { type: 'platform:Api', children: at < 2 ? { one: version } : {} },
      ]),
    );
    await write(apis);
    await world.apply();
    const guard = async (): Promise<readonly string[]> => {
      const { plan } = await world.open((project) => project.plan({ mode: 'destroy' }));
      return (plan?.guards ?? []).map(({ name }) => name);
    };
    expect(await guard()).toEqual([]);
    await made(`/v3/apis/${await idOf('a7')}/specifications`, { content: specContent });
    expect(await guard()).toEqual(['goes-along:a7']);
  });
});
