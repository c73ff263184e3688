import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PlanOptions } from '@platform-sync/engine/api';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity, StackState, StateChange } from '@platform-sync/core/model/state';
import { isObject, type JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import { itemPath, pathOf } from '@platform-sync/rest/path';
import { json } from '../harness/lying-platform.js';
import { lyingWorld, type LyingWorld } from '../harness/lying-world.js';
import { partOf } from '../harness/part-of-table.js';
import { keyOf, propertiesOf, types, withNeeded } from './all-types.js';
import { restOf } from './edit.js';

/** What was found on a few types, tried on all: what ends takes nothing protected or excluded along, and nothing is made twice. */

const settings =
  'project: test\nstacks: {default: {}, next: {}}\nguards: {maxDeletePercent: 100, maxDeletes: 1000, allow: [{guard: emptyCatalogue, reason: test}, {guard: everythingGone, reason: test}]}\n';
/** The sandbox keeps what belongs to a group of planes in the group. */
const housed = types.filter(({ name, parent }) => parent !== undefined && name !== 'GatewayControlPlaneMembership');

let lying: LyingWorld;
beforeAll(async () => {
  lying = await lyingWorld();
});
afterAll(() => lying.close());
beforeEach(async () => {
  lying.world.loseState();
  await lying.world.call('POST', '/_sandbox/reset');
});
afterEach(() => lying.platform.tell());

type Resources = Readonly<Record<string, JsonObject>>;

/** An object of a type and what it needs, the object with options. */
function withHomes(type: ResourceType, options: JsonObject = {}): Resources {
  return Object.fromEntries(
    [...withNeeded([type])].map((each) => {
      const resource = { type: each.shortToken, properties: propertiesOf(each, [], 'first') };
      return [keyOf(each), each === type ? { ...resource, options } : resource];
    }),
  );
}

function homeOf({ name, parent }: ResourceType): ResourceType {
  const home = platformPackage.types.get(parent?.type ?? '');
  if (home === undefined) throw new Error(`${name} lives nowhere`);
  return home;
}

/** People choose how one is called, so there may be another one. */
function isOneOfMany({ naturalKey, fields }: ResourceType): boolean {
  return naturalKey.some((field) => fields[field]?.input === true && fields[field].references === undefined);
}

/** It lives in another home of the same kind, and the one that it had is gone from the catalogue. */
function moved(type: ResourceType): Resources {
  const home = homeOf(type);
  const { [keyOf(home)]: _old, ...others } = withHomes(type);
  const above = Object.entries(others).map(([key, each]) => {
    const text = JSON.stringify(each).replaceAll(`\${${keyOf(home)}.id}`, '${next.id}');
    return [key, JSON.parse(text) as JsonObject] as const;
  });
  const next = { type: home.shortToken, properties: propertiesOf(home, [], 'second') };
  return { ...Object.fromEntries(above), next };
}

const write = (resources: Resources): Promise<void> =>
  lying.world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources } });

async function identityOf(address: string): Promise<Identity> {
  const state = await lying.world.open(async (project) => (await project.state()).read());
  const { identity } = state.resources.get(address) ?? {};
  if (identity === undefined) throw new Error(`no record of ${address}`);
  return identity;
}

/** Where its list is; of the only one of its kind, where it is itself. */
function listPath(type: ResourceType, identity: Identity): string {
  const { definition, item } = restOf(type);
  return definition.list === undefined
    ? itemPath(restOf(type), item, identity)
    : pathOf(definition.list.get, identity.scope);
}

type Rows = Readonly<Record<string, readonly { readonly id: string }[]>>;

async function rows(): Promise<readonly string[]> {
  const { body } = await lying.world.call('GET', '/_sandbox/objects');
  return Object.values(body as unknown as Rows).flatMap((all) => all.map(({ id }) => id));
}

async function isThere(type: ResourceType, identity: Identity): Promise<boolean> {
  const path = itemPath(restOf(type), restOf(type).item, identity);
  const known = await rows();
  // The only one of its kind is called as its home, and who belongs to a group as an object of its own.
  const isOwn = restOf(type).idField === 'id' && !Object.values(identity.scope).includes(identity.id);
  const own = isOwn ? [identity.id] : [];
  return [path, `${path}/only`, ...own].some((id) => known.includes(id));
}

/** Plans and applies; whatever comes of it. */
async function carryOut(options: PlanOptions): Promise<string> {
  return lying.world.open(async (project) => (await project.apply(await project.plan(options))).status);
}

async function settleDown(type: ResourceType, options: JsonObject = {}): Promise<Identity> {
  await write(withHomes(type, options));
  await lying.world.apply();
  return identityOf(keyOf(type));
}

/** The object and its record belong to another stack of the store from now on, which protects it. */
async function handOver(type: ResourceType): Promise<void> {
  const commit = (stack: string, changes: (state: StackState) => readonly StateChange[]): Promise<void> =>
    lying.world.open(
      async (project) => {
        const store = await project.state();
        const lease = await store.acquire('test', { owner: 'test', waitMs: 0 });
        await store.commit(lease, changes(await store.read()));
        await lease.release();
      },
      { stack },
    );
  const taken: StateChange[] = [];
  await commit('default', ({ resources, targets }) => {
    const record = resources.get(keyOf(type));
    if (record === undefined) throw new Error(`no record of ${keyOf(type)}`);
    const resource = { ...record, address: 'theirs', dependencies: [], protect: true };
    taken.push({ kind: 'targets', targets }, { kind: 'put', resource });
    return [{ kind: 'remove', address: keyOf(type) }];
  });
  await commit('next', () => taken);
}

/** Some of them, and the one that once was made twice. */
const tried = new Set([...partOf(housed, 15), ...housed.filter(({ name }) => name === 'ApiPackageDocument')]);

describe.each([...tried].map((type) => [type.name, type] as const))('%s', (_, type) => {
  it.each<[string, JsonObject, PlanOptions]>([
    ['excluded', {}, {}],
    ['excluded and protected', { protect: true }, {}],
    ['excluded from a destroy', {}, { mode: 'destroy' }],
  ])('%s, it outlives nothing that it lives in', async (_what, options, more) => {
    const identity = await settleDown(type, options);
    await write({});
    await carryOut({ ...more, excludes: [keyOf(type)] });
    expect(await isThere(type, identity)).toBe(true);
  });

  it.each<[string, boolean]>([
    ['protected and kept at its delete', false],
    ['protected by another stack of the store', true],
  ])('%s, it blocks by its name', async (_what, isTheirs) => {
    const identity = await settleDown(type, { protect: true, retainOnDelete: true });
    if (isTheirs) await handOver(type);
    await write({});
    const { guards } = await lying.world.plan();
    expect(guards.map(({ name }) => name)).toContain(isTheirs ? 'delete:test/next:theirs' : `delete:${keyOf(type)}`);
    expect([await carryOut({}), await isThere(type, identity)]).toEqual(['blocked', true]);
  });

  it('managed by nobody, in a list that nobody can read, it blocks by the name of its home', async () => {
    // Nothing lists a few of them, and settings are no objects: whoever is their home's owner is theirs.
    if (type.collection.listed === false || type.endless !== undefined) return;
    const identity = await settleDown(type);
    await lying.world.open(async (project) => {
      const store = await project.state();
      const lease = await store.acquire('test', { owner: 'test', waitMs: 0 });
      await store.commit(lease, [{ kind: 'remove', address: keyOf(type) }]);
      await lease.release();
    });
    const list = listPath(type, identity);
    lying.platform.tell((asked) => (asked === list ? json({ status: 403, title: 'Forbidden' }, 403) : undefined));
    await write({});
    const { guards, notCompared } = await lying.world.plan();
    const isTold = guards.some(({ name, summary }) => name.startsWith('goes-along:') && summary.includes(type.name));
    expect([type.name, isTold || notCompared.length > 0]).toEqual([type.name, true]);
    expect([await carryOut({}), await isThere(type, identity)]).toEqual(['blocked', true]);
  });

  it('from a plan made before, with a restored state, it is made no second time', async () => {
    const { [keyOf(type)]: _own, ...homes } = withHomes(type);
    await write(homes);
    await lying.world.apply();
    await write(withHomes(type));
    const reviewed = await lying.world.plan();
    const before = await lying.world.open(async (project) => (await project.state()).pull());
    await lying.world.apply();
    const made = await rows();
    await lying.world.open(async (project) => {
      const store = await project.state();
      const lease = await store.acquire('test', { owner: 'test', waitMs: 0 });
      await store.push(lease, before, { force: true });
      await lease.release();
    });
    const { status } = await lying.world.open((project) => project.applyReviewed(reviewed));
    expect(status).not.toBe('done');
    await carryOut({});
    expect((await rows()).length).toBe(made.length);
  });
});

/** Those whose homes may be more than one. */
const movable = [...tried].filter((type) => isOneOfMany(homeOf(type)));

describe('what is to go to another home keeps the one that it has until it goes', () => {
  it.each(partOf(movable, 12).map((type) => [type.name, type] as const))('%s', async (_, type) => {
    const identity = await settleDown(type);
    const old = keyOf(homeOf(type));
    await write(moved(type));
    const addressesOf = async (part: PlanOptions): Promise<readonly string[]> =>
      (await lying.world.plan(part)).steps.map(({ address }) => address);
    expect(await addressesOf({ targets: [old] })).toEqual(expect.arrayContaining([keyOf(type), 'next', old]));
    const parts: readonly PlanOptions[] = [
      { excludes: ['next'] },
      { excludes: [keyOf(type)] },
      { targets: [old], excludes: ['next'] },
    ];
    for (const part of parts) {
      await carryOut(part);
      expect([part, await isThere(type, identity)]).toEqual([part, true]);
    }
    const unread = [listPath(type, identity), itemPath(restOf(type), restOf(type).item, identity)];
    lying.platform.tell((asked) =>
      unread.includes(asked) ? json({ status: 403, title: 'Forbidden' }, 403) : undefined,
    );
    expect(await addressesOf({ refresh: 'full' })).not.toContain(old);
    lying.platform.tell();
    await carryOut({});
    const addresses = await lying.world.open(async (project) => (await (await project.state()).read()).resources);
    expect([...addresses.keys()]).not.toContain(old);
    expect([...addresses.keys()]).toContain(keyOf(type));
  });
});

describe('a moment in another spelling', () => {
  const timed = [...platformPackage.types.values()].flatMap((type) =>
    Object.values(type.fields).flatMap((rule) =>
      rule.input && isObject(rule.schema) && rule.schema['format'] === 'date-time' ? [[type, rule.name] as const] : [],
    ),
  );
  it.each(timed.map(([type, name]) => [`${type.name}.${name}`, type, name] as const))(
    'of %s is no change',
    async (_, type, name) => {
      const spelt = (moment: string): Resources => {
        const all = withHomes(type);
        const own = all[keyOf(type)] ?? {};
        const others = type.exactlyOne.filter((group) => group.includes(name)).flat();
        const kept = Object.entries(own['properties'] as JsonObject).filter(([field]) => !others.includes(field));
        return { ...all, [keyOf(type)]: { ...own, properties: { ...Object.fromEntries(kept), [name]: moment } } };
      };
      await write(spelt('2031-01-01T00:00:00Z'));
      await lying.world.apply();
      for (const moment of ['2031-01-01T00:00:00.000Z', '2031-01-01T01:00:00+01:00', '2031-01-01t00:00:00z']) {
        await write(spelt(moment));
        expect((await lying.world.plan()).steps).toEqual([]);
      }
    },
  );
});
