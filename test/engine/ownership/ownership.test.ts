import { describe, expect, it } from 'vitest';
import type { PlanOptions } from '@platform-sync/engine/api';
import type { Plan } from '@platform-sync/core/model/plan';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import { actionsOf, type CatalogueData, type World } from '../../harness/world.js';
import { lenient } from './catalogue.js';

let world: World;
freshWorlds((made) => (world = made));

const api = (properties: JsonObject, options: JsonObject = {}, children: JsonObject = {}): JsonObject => ({
  type: 'platform:Api',
  properties,
  options,
  children,
});
const document = (title: string, options: JsonObject = {}): JsonObject => ({
  type: 'platform:ApiDocument',
  properties: { title, content: `# ${title}\n` },
  options,
});
const product = (name: string): JsonObject => ({ type: 'platform:ApiProduct', properties: { name, portalIds: [] } });

async function write(resources: CatalogueData, settings = lenient): Promise<void> {
  await world.write({ 'sync.yaml': settings, 'catalogue/a.yaml': { resources } });
}

async function problemsOf(options?: PlanOptions, stack?: string): Promise<readonly string[]> {
  const opened = stack === undefined ? {} : { stack };
  const { plan, diagnostics } = await world.open((project) => project.plan(options), opened);
  expect(plan).toBeUndefined();
  return diagnostics.map(({ code, summary }) => `${code}: ${summary}`);
}

async function objects(): Promise<
  Readonly<Record<string, readonly { readonly id: string; readonly name?: string }[]>>
> {
  return (await world.call('GET', '/_sandbox/objects')).body as never;
}

async function ids(): Promise<readonly string[]> {
  return Object.values(await objects())
    .flatMap((list) => list.map(({ id }) => id))
    .sort();
}

async function records(stack?: string): Promise<readonly (readonly [string, string])[]> {
  return world.open(
    async (project) => {
      const { resources } = await (await project.state()).read();
      return [...resources.values()].map(({ address, identity }) => [address, identity.id] as const);
    },
    stack === undefined ? {} : { stack },
  );
}

async function idAt(address: string): Promise<string> {
  return (await records()).find(([known]) => known === address)?.[1] ?? '';
}

const reasonsOf = (plan: Plan): Json => plan.steps.map((step) => [step.address, step.reasons] as unknown as Json);

describe('importing an object that state knows', () => {
  it('is refused while its address stays in the catalogue, with both places', async () => {
    await write({ a: api({ name: 'A' }) });
    await world.apply();
    await write({ a: api({ name: 'A' }), b: api({ name: 'B' }, { import: await idAt('a') }) });
    const { diagnostics } = await world.planResult();
    expect(diagnostics).toMatchObject([
      {
        code: 'already-managed',
        address: 'b',
        place: { file: 'catalogue/a.yaml' },
        related: [{ message: 'a stands here' }],
      },
    ]);
  });

  it('is a move when its address has left the catalogue: one step for one object, and the object stays', async () => {
    await write({ a: api({ name: 'A' }, {}, { guide: document('Guide') }) });
    await world.apply();
    const [before, id] = [await ids(), await idAt('a')];
    await write({ b: api({ name: 'A renamed' }, { import: id }, { guide: document('Guide') }) });
    const plan = await world.plan();
    expect(plan.steps.map(({ action, address, from }) => [action, address, from])).toEqual([
      ['update', 'b', 'a'],
      ['move', 'b/guide', 'a/guide'],
    ]);
    await world.apply();
    expect(await ids()).toEqual(before);
    expect((await world.plan()).steps).toEqual([]);
  });

  it('comes before an alias', async () => {
    await write({ a: api({ name: 'A' }), b: api({ name: 'B' }) });
    await world.apply();
    const id = await idAt('b');
    await write({ c: api({ name: 'B' }, { import: id, aliases: ['a'] }) });
    const plan = await world.plan({ allow: [{ guard: 'delete:a', reason: 'x' }] });
    expect([...actionsOf(plan)].sort()).toEqual(['delete a', 'move c']);
  });

  it('of one id by two new blocks fails in validate', async () => {
    const id = '6f1c0c0e-51d5-4f39-8c2c-1a2b3c4d5e6f';
    await write({ a: api({ name: 'A' }, { import: id }), b: api({ name: 'B' }, { import: id }) });
    const { diagnostics } = await world.open((project) => project.validate());
    expect(diagnostics).toMatchObject([
      { code: 'import-twice', severity: 'error', address: 'b', related: [{ message: 'first imported here' }] },
    ]);
  });

  it('by command moves the record, with what is nested in it', async () => {
    await write({ a: api({ name: 'A' }, {}, { guide: document('Guide') }) });
    await world.apply();
    const [before, id] = [await records(), await idAt('a')];
    await write({ b: api({ name: 'Other' }, {}, { guide: document('Guide') }) });
    const result = await world.open((project) => project.importResource('b', id));
    expect(result).toMatchObject({ diagnostics: [], address: 'b' });
    expect(await records()).toEqual(before.map(([address, own]) => [address.replace('a', 'b'), own]));
    const again = await world.open((project) => project.importResource('b', id));
    expect(again.diagnostics.map(({ code }) => code)).toEqual(['already-managed']);
  });
});

describe('a key that was renamed in the catalogue', () => {
  it('moves its object, and whatever is nested in it under whatever key', async () => {
    const guide = { ...document('Guide'), children: { intro: document('Intro') } };
    await write({ a: api({ name: 'A', version: '1' }, {}, { guide, faq: document('FAQ') }), keep: api({ name: 'K' }) });
    await world.apply();
    const before = await ids();
    const renamed = { ...document('Guide'), children: { start: document('Intro') } };
    await write({
      b: api({ name: 'A', version: '1' }, {}, { manual: renamed, faq: document('FAQ') }),
      keep: api({ name: 'K' }),
    });
    const plan = await world.plan();
    expect(plan.steps.map(({ action, address, from }) => [action, address, from]).sort()).toEqual([
      ['move', 'b', 'a'],
      ['move', 'b/faq', 'a/faq'],
      ['move', 'b/manual', 'a/guide'],
      ['move', 'b/manual/start', 'a/guide/intro'],
    ]);
    expect(reasonsOf(plan)).toContainEqual(['b', [{ kind: 'same-key', from: 'a' }]]);
    await world.apply();
    expect(await ids()).toEqual(before);
    expect((await world.plan()).steps).toEqual([]);
  });

  it('takes what changed with it along as a difference', async () => {
    await write({ a: api({ name: 'A', description: 'old' }) });
    await world.apply();
    await write({ b: api({ name: 'A', description: 'new' }) });
    const [step] = (await world.plan()).steps;
    expect(step).toMatchObject({ action: 'update', address: 'b', from: 'a', fields: [{ field: 'description' }] });
  });

  it('keeps its recorded protection: a replacement is still held back', async () => {
    const spec = (title: string): string => `openapi: 3.0.3\ninfo: {title: ${title}, version: "1"}\npaths: {}\n`;
    await write({ a: api({ name: 'A', version: '1', specContent: spec('one') }, { protect: true }) });
    await world.apply();
    await write({ b: api({ name: 'A', version: '1', specContent: spec('two') }) });
    const plan = await world.plan();
    expect(actionsOf(plan)).toEqual(['replace b']);
    expect(plan.guards).toMatchObject([{ name: 'replace:b' }]);
  });

  it('gives way to an alias that names the same object', async () => {
    await write({ a: api({ name: 'A' }) });
    await world.apply();
    await write({ b: api({ name: 'A' }), c: api({ name: 'C' }, { aliases: ['a'] }) });
    const plan = await world.plan();
    expect(plan.steps.map(({ action, address, from }) => [action, address, from])).toEqual([
      ['update', 'c', 'a'],
      ['create', 'b', undefined],
    ]);
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
  });

  it('is refused with both names when only one end of the move is selected', async () => {
    await write({ a: api({ name: 'A' }), keep: api({ name: 'K' }) });
    await world.apply();
    await write({ b: api({ name: 'A' }), keep: api({ name: 'K' }) });
    const cut = 'move-outside: b takes over the object of a, and only one of the two is selected.';
    expect(await problemsOf({ targets: ['b'] })).toEqual([cut]);
    expect(await problemsOf({ targets: ['a'] })).toEqual([cut]);
    expect(await problemsOf({ excludes: ['a'] })).toEqual([cut]);
    expect(actionsOf(await world.plan({ targets: ['a', 'b'] }))).toEqual(['move b']);
    expect(actionsOf(await world.plan({ targets: ['keep'] }))).toEqual([]);
  });

  it('of a type without a unique key is a new object, with a notice', async () => {
    await write({ a: product('P') });
    await world.apply();
    await write({ b: product('P') });
    const plan = await world.plan();
    expect([...actionsOf(plan)].sort()).toEqual(['create b', 'delete a']);
    expect(plan.notices).toMatchObject([
      {
        ...{ code: 'same-name', address: 'b', severity: 'warning' },
        summary: expect.stringMatching(/^a is deleted and b is created, and both have the same name/) as string,
        hint: expect.stringContaining('aliases: [a]') as string,
      },
    ]);
  });
});

describe('a key that an object outside the state has', () => {
  const catalogue = (text = 'Guide'): CatalogueData => ({
    a: api({ name: 'A', version: '1', description: text }, {}, { guide: document('Guide'), impl: document('Other') }),
  });

  it('is held back by a guard that names the object, and taken over when that is lifted', async () => {
    await write(catalogue());
    await world.apply();
    const [before, id] = [await ids(), await idAt('a')];
    world.loseState();
    await write(catalogue('changed'));
    const plan = await world.plan();
    expect(plan.guards).toMatchObject([
      { name: 'adopt:a', addresses: ['a', 'a/guide', 'a/impl'], summary: expect.stringContaining(id) as string },
    ]);
    expect(plan.summary).toMatchObject({ adopt: 3, create: 0 });
    expect(plan.steps[0]).toMatchObject({ action: 'adopt', fields: [{ field: 'description' }] });
    expect(plan.unmanaged).toEqual([]);
    for (const guard of ['adopt', 'adopt:a']) {
      const lifted = await world.plan({ allow: [{ guard, reason: 'ours' }] });
      expect(lifted.guards.every((finding) => finding.lifted === 'ours')).toBe(true);
    }
    await world.apply({ allow: [{ guard: 'adopt', reason: 'ours' }] });
    expect(await ids()).toEqual(before);
    expect((await world.plan()).steps).toEqual([]);
  });

  it('needs no lift where the stack says adopt: byKey', async () => {
    await write(catalogue());
    await world.apply();
    const before = await ids();
    world.loseState();
    await write(catalogue(), `${lenient}adopt: byKey\n`);
    expect((await world.plan()).guards).toMatchObject([{ name: 'adopt', lifted: 'adopt: byKey in sync.yaml' }]);
    await world.apply();
    expect(await ids()).toEqual(before);
    expect((await world.plan()).steps).toEqual([]);
  });

  it('is found when a recorded object was deleted and made again by hand', async () => {
    await write({ a: api({ name: 'A' }), b: api({ name: 'B' }) });
    await world.apply();
    await world.call('DELETE', `/v3/apis/${await idAt('a')}`);
    const { body } = await world.call('POST', '/v3/apis', { name: 'A' });
    const plan = await world.plan();
    expect(plan.steps).toMatchObject([{ action: 'adopt', address: 'a', id: (body as { id: string }).id }]);
    expect(plan.guards.map(({ name }) => name)).toEqual(['adopt:a']);
  });

  it('is looked up whatever is selected, with one request for each create in a long collection', async () => {
    const strangers = Array.from({ length: 950 }, (_, n) => ({ name: `Stranger ${n}` }));
    await world.call('POST', '/_sandbox/seed', { apis: strangers });
    await write({ a: api({ name: 'Stranger 900' }), b: api({ name: 'Free' }) });
    await world.resetRequests();
    const plan = await world.plan({ targets: ['a'] });
    expect(plan.guards.map(({ name }) => name)).toEqual(['adopt:a']);
    expect(plan.unmanaged).toEqual([{ type: 'platform:index/api:Api', count: 949 }]);
    expect((await world.requests()).total).toBeLessThanOrEqual(4);
  });

  it('is not asked for with --refresh none', async () => {
    await write({ a: api({ name: 'A' }) });
    await world.resetRequests();
    expect(actionsOf(await world.plan({ refresh: 'none' }))).toEqual(['create a']);
    expect((await world.requests()).total).toBe(0);
  });

  it('stays unknown when it cannot be looked up: no step, and the plan says so', async () => {
    await world.call('POST', '/_sandbox/seed', { apis: Array.from({ length: 250 }, (_, n) => ({ name: `S ${n}` })) });
    await write({ a: api({ name: 'A' }, {}, { guide: document('Guide') }) });
    const rule = { match: { method: 'GET', route: '/v3/apis' }, nth: 2, action: { status: 403 } };
    const answer = await world.call('PUT', '/_sandbox/faults', [rule]);
    expect(answer).toMatchObject({ status: 200 });
    const { plan } = await world.planResult();
    await world.call('DELETE', '/_sandbox/faults');
    expect(plan?.steps).toEqual([]);
    expect(plan?.notCompared).toMatchObject([{ address: 'a' }, { address: 'a/guide' }]);
  });
});

describe('a key that another stack has', () => {
  const settings = `${lenient}stacks: {default: {}, next: {}}\n`;

  it('is known from when it was taken over by its id, before any apply there', async () => {
    await write({ a: api({ name: 'A' }) }, settings);
    const made = await world.call('POST', '/v3/apis', { name: 'A' });
    const { id } = made.body as { readonly id: string };
    const taken = await world.open((project) => project.importResource('a', id), { stack: 'next' });
    expect(taken).toMatchObject({ address: 'a' });
    expect(await problemsOf()).toEqual([expect.stringMatching(/the stack next manages it as a\.$/)]);
  });

  it('is refused with its name, for a create and for an import', async () => {
    await write({ a: api({ name: 'A' }) }, settings);
    await world.apply();
    expect(await problemsOf({}, 'next')).toEqual([
      expect.stringMatching(/^managed-elsewhere: a can't have the object \S+: the stack default manages it as a\.$/),
    ]);
    await write({ b: api({ name: 'B' }, { import: await idAt('a') }) }, settings);
    expect(await problemsOf({ allow: [{ guard: 'adopt', reason: 'x' }] }, 'next')).toEqual([
      expect.stringMatching(/^managed-elsewhere: b /),
    ]);
  });
});

describe('a key that another address has', () => {
  it('is waited for when it is given up', async () => {
    await write({ a: api({ name: 'A' }) });
    await world.apply();
    await write({ a: api({ name: 'A2' }), b: api({ name: 'A' }) });
    expect(actionsOf(await world.plan())).toEqual(['update a', 'create b']);
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
  });

  it('is an error with both places when it is kept', async () => {
    await write({ a: api({ name: 'A' }) });
    await world.apply();
    await write({ a: api({ name: 'A2' }, { ignoreChanges: ['name'] }), b: api({ name: 'A' }) });
    const { diagnostics } = await world.planResult();
    expect(diagnostics).toMatchObject([
      { code: 'key-taken', address: 'b', place: { file: 'catalogue/a.yaml' }, related: [{ message: 'a stands here' }] },
    ]);
  });
});

describe('an object that two stacks have recorded', () => {
  const settings = `${lenient}stacks: {default: {}, next: {}}\n`;

  async function recordAlsoInNext(): Promise<void> {
    const state = await world.open(async (project) => (await project.state()).read());
    const resource = state.resources.get('a');
    if (resource === undefined) throw new Error('no record');
    await world.open(
      async (project) => {
        const store = await project.state();
        const lease = await store.acquire('test', { owner: 'test', waitMs: 0 });
        await store.commit(lease, [
          { kind: 'targets', targets: state.targets },
          { kind: 'put', resource },
        ]);
        await lease.release();
      },
      { stack: 'next' },
    );
  }

  const told = (address: string, stack: string, as: string): RegExp =>
    new RegExp(
      `^managed-elsewhere: ${address} can't have the object \\S+: the stack ${stack} manages it, too, as ${as}\\.$`,
    );

  it('is updated by neither: each would take back what the other one does', async () => {
    await write({ a: api({ name: 'A' }), b: api({ name: 'B' }) }, settings);
    await world.apply();
    await recordAlsoInNext();
    // Nothing is to be written: nothing is wrong.
    expect(actionsOf(await world.plan())).toEqual([]);

    await write({ c: api({ name: 'A', description: 'new' }, { aliases: ['a'] }), b: api({ name: 'C' }) }, settings);
    expect(await problemsOf()).toEqual([expect.stringMatching(told('c', 'next', 'a'))]);
    expect(await problemsOf({ targets: ['c', 'a'] })).toEqual([expect.stringMatching(told('c', 'next', 'a'))]);
    // What is left out does no harm.
    expect(actionsOf(await world.plan({ excludes: ['c', 'a'] }))).toEqual(['update b']);
    await write({ a: api({ name: 'A', description: 'new' }) }, settings);
    expect(await problemsOf({}, 'next')).toEqual([expect.stringMatching(told('a', 'default', 'a'))]);
  });

  it('is looked at by a check as ever, and put back by neither', async () => {
    await write({ a: api({ name: 'A', description: 'ours' }) }, settings);
    await world.apply();
    await recordAlsoInNext();
    await world.call('PATCH', `/v3/apis/${await idAt('a')}`, { description: 'by hand' });
    const { findings } = await world.open((project) => project.drift({ remember: false }));
    expect(findings.map(({ address }) => address)).toEqual(['a']);
    expect(await problemsOf()).toEqual([expect.stringMatching(told('a', 'next', 'a'))]);
  });
});

describe('a state that has one object twice', () => {
  it('forgets the record that left the catalogue, and refuses when both stand in it', async () => {
    await write({ a: api({ name: 'A' }) });
    await world.apply();
    const before = await ids();
    await world.open(async (project) => {
      const store = await project.state();
      const record = (await store.read()).resources.get('a');
      if (record === undefined) throw new Error('no record');
      const lease = await store.acquire('test', { owner: 'test', waitMs: 0 });
      await store.commit(lease, [{ kind: 'put', resource: { ...record, address: 'b' } }]);
      await lease.release();
    });
    expect(actionsOf(await world.plan())).toEqual(['forget b']);
    await write({ a: api({ name: 'A' }), b: api({ name: 'B' }) });
    expect(await problemsOf()).toEqual(['recorded-twice: State has one object at a and at b.']);
    await write({ a: api({ name: 'A' }) });
    await world.apply();
    expect(await ids()).toEqual(before);
  });
});
