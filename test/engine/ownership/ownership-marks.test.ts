import { describe, expect, it } from 'vitest';
import type { PlanOptions } from '@platform-sync/engine/api';
import { markLabels, markOf } from '@platform-sync/core/model/ownership-mark';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { handOver } from '@platform-sync/cli/state/hand-over';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import { ownTypes } from '../../harness/own-types.js';
import { actionsOf, type CatalogueData, type World } from '../../harness/world.js';
import { lenient } from './catalogue.js';

let world: World;
freshWorlds((made) => (world = made));

const owned = `${lenient}ownership: label\n`;

const api = (properties: JsonObject, options: JsonObject = {}): JsonObject => ({
  type: 'platform:Api',
  properties,
  options,
});
const product = (name: string, more: JsonObject = {}): JsonObject => ({
  type: 'platform:ApiProduct',
  properties: { name, portalIds: [], ...more },
});

async function write(resources: CatalogueData, settings = owned): Promise<void> {
  await world.write({ 'sync.yaml': settings, 'catalogue/a.yaml': { resources } });
}

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly labels: JsonObject;
}

async function objects(family: 'apis' | 'apiProducts'): Promise<readonly Shown[]> {
  const path = family === 'apis' ? '/v3/apis' : '/v2/api-products';
  return ((await world.call('GET', `${path}?page[size]=100`)).body as unknown as { data: readonly Shown[] }).data;
}

const labels = async (): Promise<readonly JsonObject[]> => (await objects('apis')).map((object) => object.labels);
const mark = (address: string, stack = 'test.default'): JsonObject => ({
  [markLabels.stack]: stack,
  [markLabels.address]: address,
});

async function problemsOf(options?: PlanOptions): Promise<readonly string[]> {
  const { plan, diagnostics } = await world.planResult(options);
  expect(plan).toBeUndefined();
  return diagnostics.map(({ code, summary }) => `${code}: ${summary}`);
}

async function relabel(id: string, change: Json): Promise<void> {
  expect(await world.call('PATCH', `/v3/apis/${id}`, { labels: change })).toMatchObject({ status: 200 });
}

describe('a mark', () => {
  it('is a legal label whatever the names are, and another one for every address', () => {
    const owner = { project: `p${'-'.repeat(62)}`, stack: 's'.repeat(200) };
    const texts = ['a', '_a', 'a-', 'a/b', 'a'.repeat(63), 'a'.repeat(64), `${'a'.repeat(64)}b`, '_'].map((address) =>
      markOf(owner, address),
    );
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts)
      for (const half of text.split('/')) expect(half).toMatch(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/);
    expect(markOf({ project: 'payments', stack: 'prod' }, 'petstore/guide')).toBe('payments.prod/petstore.guide');
  });
});

describe('ownership: label', () => {
  it('is off unless said', async () => {
    await write({ a: api({ name: 'A' }) }, lenient);
    await world.apply();
    expect(await labels()).toEqual([{}]);
  });

  it('writes whose an object is with its create, and never speaks of it again', async () => {
    await write({ a: api({ name: 'A', labels: { team: 'x' } }), b: api({ name: 'B', labels: null }), p: product('P') });
    const plan = await world.plan();
    expect(plan.steps.map(({ fields }) => fields.find(({ field }) => field === 'ownership mark')?.new).sort()).toEqual([
      'test.default/a',
      'test.default/b',
      'test.default/p',
    ]);
    await world.apply();
    expect(new Set(await labels())).toEqual(new Set([{ team: 'x', ...mark('a') }, mark('b')]));
    expect((await objects('apiProducts')).map((object) => object.labels)).toEqual([mark('p')]);
    const next = await world.plan({ refresh: 'full' });
    expect([next.steps, next.undeclaredChanges]).toEqual([[], []]);
    const { findings, unapplied } = await world.open((project) => project.drift());
    expect([findings, unapplied]).toEqual([[], []]);
  });

  it('survives labels: exact, and changes of labels', async () => {
    await write({ a: api({ name: 'A', labels: { team: 'x' } }) }, `${owned}labels: exact\n`);
    await world.apply();
    const [{ id = '' } = {}] = await objects('apis');
    await relabel(id, { stray: 'y' });
    await write({ a: api({ name: 'A', labels: { team: 'z' } }) }, `${owned}labels: exact\n`);
    await world.apply();
    expect(await labels()).toEqual([{ team: 'z', ...mark('a') }]);
    await write({ a: api({ name: 'A' }) }, `${owned}labels: exact\n`);
    await world.apply();
    expect(await labels()).toEqual([mark('a')]);
    expect((await world.plan()).steps).toEqual([]);
  });

  it('shows what turning it on writes and turning it off removes', async () => {
    await write({ a: api({ name: 'A', labels: { team: 'x' } }), b: api({ name: 'B' }) }, lenient);
    await world.apply();
    await write({ a: api({ name: 'A', labels: { team: 'x' } }), b: api({ name: 'B' }) });
    const on = await world.plan();
    expect(on.steps).toMatchObject([
      { action: 'update', cause: 'config', fields: [{ field: 'ownership mark', new: 'test.default/a' }] },
      { action: 'update', cause: 'config', fields: [{ field: 'ownership mark', new: 'test.default/b' }] },
    ]);
    await world.apply();
    expect(new Set(await labels())).toEqual(new Set([{ team: 'x', ...mark('a') }, mark('b')]));
    await write({ a: api({ name: 'A', labels: { team: 'x' } }), b: api({ name: 'B' }) }, lenient);
    const off = await world.plan();
    expect(off.steps.map(({ action, fields }) => [action, fields])).toEqual([
      ['update', [{ field: 'ownership mark', rule: 'update', cause: 'config', old: 'test.default/a' }]],
      ['update', [{ field: 'ownership mark', rule: 'update', cause: 'config', old: 'test.default/b' }]],
    ]);
    await world.apply();
    expect(new Set(await labels())).toEqual(new Set([{ team: 'x' }, {}]));
    expect((await world.plan()).steps).toEqual([]);
  });

  it('writes a mark again that somebody took off, and calls that no drift', async () => {
    await write({ a: api({ name: 'A' }, { replaceOnChanges: ['*'] }) });
    await world.apply();
    const [{ id = '' } = {}] = await objects('apis');
    await relabel(id, { [markLabels.address]: null });
    const { findings } = await world.open((project) => project.drift());
    expect(findings).toEqual([]);
    expect(actionsOf(await world.plan())).toEqual(['update a']);
    await world.apply();
    expect(await labels()).toEqual([mark('a')]);
  });

  it('stands in no catalogue: not exported, not to be written by hand, not another resource’s to refer to', async () => {
    await write({ a: api({ name: 'A', labels: { team: 'x' } }) });
    await world.apply();
    // Where nothing is recorded: what is managed is not exported.
    const empty = memoryStateStore('test', 'default', new MemoryDatabase());
    const exported = await world.open((project) => project.export({ types: ownTypes }), {
      openState: () => Promise.resolve(empty),
    });
    const texts = [...exported.files.values()].join();
    expect(texts).toContain('team');
    expect(texts).not.toMatch(/platform-sync-|ownership mark/);
    await write({ a: api({ name: 'A', labels: { team: 'x' } }), b: api({ name: 'B', labels: '${a.labels}' }) });
    await world.apply();
    expect(new Set(await labels())).toEqual(
      new Set([
        { team: 'x', ...mark('a') },
        { team: 'x', ...mark('b') },
      ]),
    );
    for (const settings of [owned, lenient]) {
      await write({ a: api({ name: 'A', labels: { [markLabels.stack]: 'mine' } }) }, settings);
      const { diagnostics } = await world.open((project) => project.validate());
      expect(diagnostics).toMatchObject([{ code: 'mark-key', severity: 'error', address: 'a' }]);
    }
    await write({ a: api({ name: 'A', 'ownership mark': 'x' }) });
    const { diagnostics } = await world.open((project) => project.validate());
    expect(diagnostics.map(({ severity }) => severity)).toEqual(['error']);
  });

  it('needs room among the labels, and the file is told before anything is sent', async () => {
    const labels = (count: number): JsonObject =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
    const codes = async (count: number, settings?: string): Promise<readonly string[]> => {
      await write({ a: api({ name: 'A', labels: labels(count) }) }, settings);
      return (await world.open((project) => project.validate())).diagnostics.map(({ code }) => code);
    };
    expect([await codes(48), await codes(49), await codes(50)]).toEqual([[], ['too-many'], ['too-many']]);
    expect(await codes(50, lenient)).toEqual([]);
    expect(await codes(51)).toEqual(['too-many']);
    await write({ a: api({ name: 'A', labels: labels(48) }) });
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
  });

  it('follows an object that moves to another address', async () => {
    await write({ a: api({ name: 'A' }) });
    await world.apply();
    await write({ b: api({ name: 'A' }) });
    expect((await world.plan()).steps).toMatchObject([{ action: 'update', address: 'b', from: 'a' }]);
    await world.apply();
    expect(await labels()).toEqual([mark('b')]);
  });
});

describe('an object with the mark of another stack', () => {
  it('is refused with its name, by key and by import, where no state knows of it', async () => {
    await write({ a: api({ name: 'A' }) }, owned.replace('test', 'payments'));
    await world.apply();
    const [{ id = '' } = {}] = await objects('apis');
    world.loseState();
    for (const settings of [owned, lenient, `${owned}adopt: byKey\n`]) {
      await write({ mine: api({ name: 'A' }) }, settings);
      expect(await problemsOf({ allow: [{ guard: 'adopt', reason: 'x' }] })).toEqual([
        `marked-elsewhere: mine can't have the object ${id}: its labels say that it belongs to payments.default, as a.`,
      ]);
    }
    await write({ mine: api({ name: 'Other' }, { import: id }) });
    expect(await problemsOf()).toEqual([expect.stringMatching(/^marked-elsewhere: mine /)]);
    await relabel(id, { [markLabels.stack]: null, [markLabels.address]: null });
    expect(actionsOf(await world.plan())).toEqual(['adopt mine']);
  });

  it('goes on bearing it when the record is handed over, until the new stack writes its own', async () => {
    const settings = `${owned}stacks: {default: {}, next: {}}\n`;
    await write({ a: api({ name: 'A' }) }, settings);
    await world.apply();
    await world.open(async (from) => {
      const target = { from: 'a', to: 'a' };
      await world.open(async (to) => handOver(await from.state(), await to.state(), target, 0), { stack: 'next' });
    });
    const plan = await world.open((project) => project.plan(), { stack: 'next' });
    expect(plan.plan?.steps).toMatchObject([
      { action: 'update', fields: [{ old: 'test.default/a', new: 'test.next/a' }] },
    ]);
  });
});

describe('a look by the mark', () => {
  const lost = [
    {
      match: { method: 'POST', route: '/v2/api-products' },
      times: 1,
      action: { reset: 'after-commit' },
    },
  ];

  it('finds the own object after a lost answer, though others have the very same name and fields', async () => {
    for (let twin = 0; twin < 3; twin += 1)
      expect(await world.call('POST', '/v2/api-products', { name: 'P', portal_ids: [] })).toMatchObject({
        status: 201,
      });
    const twins = new Set((await objects('apiProducts')).map(({ id }) => id));
    expect(await world.call('PUT', '/_sandbox/faults', lost)).toMatchObject({ status: 200 });
    await write({ p: product('P') });
    await world.apply();
    const made = (await objects('apiProducts')).filter(({ id }) => !twins.has(id));
    expect(made.map((object) => object.labels)).toEqual([mark('p')]);
    expect((await world.plan()).steps).toEqual([]);
  });

  it('lets a stack without kept state create what has no key, and find it again', async () => {
    const settings = `${owned}adopt: byKey\n`;
    await world.call('POST', '/v2/api-products', { name: 'P', portal_ids: [] });
    await write({ p: product('P'), q: product('Q') }, settings);
    expect((await world.plan()).guards).toEqual([]);
    await world.apply();
    world.loseState();
    const plan = await world.plan();
    expect(actionsOf(plan)).toEqual(['adopt p', 'adopt q']);
    expect(plan.steps.flatMap(({ fields }) => fields)).toEqual([]);
    expect(plan.unmanaged).toMatchObject([{ count: 1 }]);
    // A new name in the file is a change of what bears the mark.
    await write({ p: product('New name'), q: product('Q') }, settings);
    world.loseState();
    await world.apply();
    expect((await objects('apiProducts')).map(({ name }) => name).sort()).toEqual(['New name', 'P', 'Q']);
  });

  it('finds it in a collection that is not listed whole', async () => {
    const settings = `${owned}adopt: byKey\n`;
    await write({ p: product('P') }, settings);
    const many = Array.from({ length: 350 }, (_, n) => ({ name: `Stranger ${n}`, portal_ids: [] }));
    await world.call('POST', '/_sandbox/seed', { apiProducts: many });
    await world.apply();
    world.loseState();
    expect(actionsOf(await world.plan())).toEqual(['adopt p']);
    expect((await world.plan()).steps.flatMap(({ fields }) => fields)).toEqual([]);
  });

  it('gives an object to the resource it was made for, whoever asks for its key', async () => {
    const settings = `${owned}adopt: byKey\n`;
    await write({ old: api({ name: 'A' }) }, settings);
    await world.apply();
    const [{ id = '' } = {}] = await objects('apis');
    world.loseState();
    await write({ fresh: api({ name: 'A' }), old: api({ name: 'B' }) }, settings);
    const plan = await world.plan();
    expect(actionsOf(plan)).toEqual(['adopt old', 'create fresh']);
    await world.apply();
    const byName = new Map((await objects('apis')).map((object) => [object.name, object]));
    expect(byName.get('B')).toMatchObject({ id, labels: mark('old') });
    expect(byName.get('A')).toMatchObject({ labels: mark('fresh') });
  });
});
