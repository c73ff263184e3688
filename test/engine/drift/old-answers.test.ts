import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import { paperFolder, PaperWorld, removeFolder } from '../../harness/paper-world.js';

/** For a while answers show what was before a write: what an apply took out of an object nobody else has put there, and what it put in is there. */

let folder = '';
let cwd = '';
beforeAll(async () => {
  folder = await paperFolder({ shop: {} });
  cwd = join(folder, 'shop');
});
afterAll(() => removeFolder(folder));

let world: PaperWorld;
/** What answers show, as long as they are old: of labels alone, or of more. */
let old: JsonObject | undefined;
let oldValues: JsonObject | undefined;
beforeEach(async () => {
  world = new PaperWorld();
  old = oldValues = undefined;
  const aged = (object: RemoteObject): RemoteObject => ({
    ...object,
    values: { ...object.values, ...(old === undefined ? {} : { labels: old }), ...oldValues },
  });
  world.calls = (inner) => ({
    list: async (...asked) => {
      const listing = await inner.list(...asked);
      return { ...listing, objects: listing.objects.map(aged) };
    },
    read: async (...asked) => {
      const object = await inner.read(...asked);
      return object === undefined ? undefined : aged(object);
    },
  });
  for (const labels of [{ a: '1', b: '2' }, { a: '1' }]) {
    write(labels);
    expect((await world.apply(cwd)).result.status).toBe('done');
  }
});

const write = (labels: JsonObject, address = 'shop'): void => {
  const properties = { name: 'Shop', portalIds: [], labels };
  world.write(cwd, { resources: { [address]: { type: 'platform:ApiProduct', properties } } });
};

/** What a plan says of the labels, from and to. */
function planned(open: { readonly settleSeconds?: number }): Promise<readonly unknown[]> {
  return world.open(
    cwd,
    async (project) => {
      const { steps } = await project.plan({}).then(({ plan }) => ({ steps: plan?.steps ?? [] }));
      return steps.flatMap(({ fields }) => fields.map((field) => [field.old, field.new]));
    },
    open,
  );
}

const settling = { settleSeconds: 600 };

describe('a key that was taken out of a map a moment ago, and that an answer still shows,', () => {
  const [from, to] = [{ a: '1' }, { a: '1', c: '3' }];

  it('is not there for a plan until answers show all that was written', async () => {
    old = { a: '1', b: '2' };
    write(to);
    expect(await planned(settling)).toEqual([[from, to]]);
    expect(await planned({})).toEqual([
      [
        { a: '1', b: '2' },
        { a: '1', b: '2', c: '3' },
      ],
    ]);
  });

  it('is not there after its object got another address, either', async () => {
    const store = world.store();
    const lease = await store.acquire('move', { owner: 'test', waitMs: 0 });
    await store.commit(lease, [{ kind: 'move', from: 'shop', to: 'store' }]);
    await lease.release();
    old = { a: '1', b: '2' };
    write(to, 'store');
    expect(await planned(settling)).toEqual([[from, to]]);
  });

  it('is another’s where it has another value', async () => {
    old = { a: '1', b: 'of somebody' };
    write(to);
    expect(await planned(settling)).toEqual([[old, { ...to, ...old }]]);
  });

  it('is taken into the record by no refresh', async () => {
    old = { a: '1', b: '2' };
    await world.open(cwd, (project) => project.refresh(), settling);
    expect(world.state().resources.get('shop')?.outputs['labels']).toEqual(from);
  });
});

const product = (said: JsonObject): void =>
  world.write(cwd, {
    resources: { shop: { type: 'platform:ApiProduct', properties: { name: 'Shop', portalIds: [], ...said } } },
  });

it('a field that the file dropped a moment ago, and that an answer still shows, is nobody else’s', async () => {
  for (const said of [{ description: 'ours' }, {}]) {
    product(said);
    expect((await world.apply(cwd)).result.status).toBe('done');
  }
  oldValues = { description: 'ours', updatedAt: '2100-01-01T00:00:00.000Z' };
  const strayed = (open: { readonly settleSeconds?: number }): Promise<unknown> =>
    world.open(
      cwd,
      async (project) => (await project.plan({})).plan?.undeclaredChanges.map(({ address, field }) => [address, field]),
      open,
    );
  expect([await strayed(settling), await strayed({})]).toEqual([[], [['shop', 'description']]]);
  await world.open(cwd, (project) => project.refresh(), settling);
  expect(world.state().resources.get('shop')?.outputs['description']).toBe(null);
});

describe('what was put into an object a moment ago, what the file drops, and what an answer lacks,', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject, JsonObject]>([
    ['a key', { labels: { a: '1', c: '3' } }, { labels: { a: '1' } }, { labels: { a: '1' } }, { labels: { a: '1' } }],
    ['the last key', { labels: { c: '3' } }, { labels: {} }, { labels: {} }, { labels: {} }],
    ['a map', { labels: { c: '3' } }, { labels: {} }, {}, { labels: {} }],
    ['a field', { description: 'ours' }, { description: null }, {}, { description: null }],
  ])('counts as there, and is taken out: %s', async (_what, wrote, answered, says, left) => {
    product(wrote);
    expect((await world.apply(cwd)).result.status).toBe('done');
    oldValues = answered;
    product(says);
    expect(await planned({})).toEqual([]);
    expect(await planned(settling)).toHaveLength(1);
    expect((await world.apply(cwd, { open: settling })).result.status).toBe('done');
    const [{ values } = { values: {} }] = world.platform.objects.values();
    expect(values).toMatchObject(left);
    // A platform that merges is told what to take out by what the request says was there.
    expect(world.platform.updates.at(-1)?.request.actual).toMatchObject(wrote);
  });

  it('is let go of by no refresh, and recorded as gone by no verb', async () => {
    const wrote = { description: 'ours', labels: { a: '1', c: '3' } };
    product(wrote);
    expect((await world.apply(cwd)).result.status).toBe('done');
    oldValues = { description: null, labels: { a: '1' }, updatedAt: '2100-01-01T00:00:00.000Z' };
    const recorded = (): JsonObject | undefined => world.state().resources.get('shop')?.inputs;
    const record = (open: { readonly settleSeconds?: number }) =>
      world.open(cwd, (project) => project.recordDrift(['shop']), open);
    await world.open(cwd, (project) => project.refresh(), settling);
    expect(recorded()).toMatchObject(wrote);
    const { diagnostics, ...refused } = await record(settling);
    expect([refused.recorded, diagnostics.map(({ code }) => code)]).toEqual([[], ['cannot-record', 'cannot-record']]);
    expect(recorded()).toMatchObject(wrote);
    expect((await record({})).recorded).toHaveLength(2);
    expect(recorded()).toEqual({ name: 'Shop', portalIds: [], labels: { a: '1' } });
  });
});
