import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApplyResult, PlanResult } from '@platform-sync/engine/api';
import { readDocument } from '@platform-sync/core/value/equality';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { paperFolder, PaperWorld, removeFolder } from '../harness/paper-world.js';
import { asResources, randomCatalogueOf } from './random-catalogue.js';
import { lawRuns, lawTimeoutMs, toTheLast } from './runs.js';

const guards = {
  ...{ maxDeletePercent: 100, maxDeletes: 1000, maxUpdatePercent: 100 },
  allow: ['emptyCatalogue', 'everythingGone'].map((guard) => ({ guard, reason: 'law' })),
};
const catalogues = randomCatalogueOf({ apis: 2, products: 1, fronts: 0 });
const api = (name: string, more: JsonObject = {}, children: JsonObject = {}): JsonObject => ({
  type: 'platform:Api',
  ...{ properties: { name, ...more }, children },
});
const page = (title: string): JsonObject => ({ type: 'platform:ApiDocument', properties: { title, content: title } });

describe('an undo', () => {
  let folder: string;
  let cwd: string;
  let world: PaperWorld;
  beforeAll(async () => {
    folder = await paperFolder({ one: { guards } });
    cwd = `${folder}/one`;
  });
  afterAll(() => removeFolder(folder));
  beforeEach(() => {
    world = new PaperWorld();
    world.env['OWNER'] = 'ann';
  });

  async function lifted(
    plan: (allow: readonly { guard: string; reason: string }[]) => Promise<PlanResult>,
  ): Promise<PlanResult> {
    const first = await plan([]);
    const blocking = first.plan?.guards.flatMap(({ name, lifted: why }) => (why === undefined ? [name] : [])) ?? [];
    return blocking.length === 0 ? first : plan(blocking.map((guard) => ({ guard, reason: 'law' })));
  }

  async function apply(resources: JsonObject): Promise<ApplyResult> {
    world.write(cwd, { resources });
    return world.open(cwd, async (project) => project.apply(await lifted((allow) => project.plan({ allow }))));
  }

  interface Undone extends PlanResult {
    readonly result: ApplyResult;
  }

  /** Of the last run. */
  async function undo(...addresses: readonly string[]): Promise<Undone> {
    const [last] = await world.store().runs({ kinds: ['begin'], limit: 1 });
    return world.open(cwd, async (project) => {
      const planned = await lifted((allow) => project.undo(last?.run ?? 0, addresses, { allow }));
      return { ...planned, result: await project.apply(planned) };
    });
  }

  /** What is recorded, with ids by the address that has them: what was deleted is made again under a new one. */
  function recorded(): Readonly<Record<string, Json>> {
    const { resources } = world.state();
    const names = new Map([...resources.values()].map(({ address, identity }) => [identity.id, `id of ${address}`]));
    const named = (value: Json): Json => {
      // Another spelling of one description is no change of it.
      if (typeof value === 'string')
        return names.get(value) ?? (value.includes('openapi') ? (readDocument(value) ?? value) : value);
      if (Array.isArray(value)) return value.map((item: Json) => named(item));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value as JsonObject).map(([key, item]) => [key, named(item)]));
    };
    const entry = ({ address, inputs }: RecordedResource): [string, Json] => [address, named(inputs)];
    return Object.fromEntries([...resources.values()].map(entry).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  it('brings back values, makes again what was deleted, ends what was made, and says where the catalogue differs', async () => {
    await apply({ pets: api('Pets', { description: 'one' }), cats: api('Cats', {}, { guide: page('Guide') }) });
    const before = recorded();
    await apply({ pets: api('Pets', { description: 'two' }), dogs: api('Dogs') });
    const { plan, diagnostics, result } = await undo();
    expect(plan?.steps.map(({ action, address }) => `${action} ${address}`).sort()).toEqual([
      ...['create cats', 'create cats/guide', 'delete dogs', 'update pets'],
    ]);
    expect(result.status).toBe('done');
    expect(recorded()).toEqual(before);
    expect(diagnostics.map(({ code, address, place }) => [code, address, place?.file])).toEqual([
      ['undo-catalogue', 'cats', undefined],
      ['undo-catalogue', 'cats/guide', undefined],
      ['undo-catalogue', 'dogs', 'catalogue/all.yaml'],
      ['undo-catalogue', 'pets', 'catalogue/all.yaml'],
    ]);
    // The catalogue says what it said: the next apply brings it again.
    await apply({ pets: api('Pets', { description: 'two' }), dogs: api('Dogs') });
    expect(Object.keys(recorded())).toEqual(['dogs', 'pets']);
  });

  it('leaves what later runs did to other fields, and what it is not asked for', async () => {
    await apply({ pets: api('Pets', { description: 'one', version: '1' }), cats: api('Cats', { description: 'one' }) });
    await apply({ pets: api('Pets', { description: 'two', version: '1' }), cats: api('Cats', { description: 'two' }) });
    const [wanted] = await world.store().runs({ kinds: ['begin'], limit: 1 });
    await apply({ pets: api('Pets', { description: 'two', version: '2' }), cats: api('Cats', { description: 'two' }) });
    await world.open(cwd, async (project) => project.apply(await project.undo(wanted?.run ?? 0, ['pets'])));
    expect(recorded()).toEqual({
      cats: { name: 'Cats', description: 'two' },
      pets: { name: 'Pets', description: 'one', version: '2' },
    });
  });

  it('undoes what a run did that was killed in the middle', async () => {
    await apply({ cats: api('Cats') });
    const before = recorded();
    world.calls = (provider) => ({
      create: async (...call) => {
        await provider.create(...call);
        throw new Error('killed');
      },
    });
    await expect(apply({ cats: api('Cats'), dogs: api('Dogs') })).rejects.toThrow('killed');
    world.calls = () => ({});
    const [killed] = await world.store().runs({ kinds: ['begin'], limit: 1 });
    await apply({ cats: api('Cats'), dogs: api('Dogs') });
    await world.open(cwd, async (project) => project.apply(await project.undo(killed?.run ?? 0, [])));
    expect(recorded()).toEqual(before);
  });

  it('names secrets, which it can not bring back, and refuses a run that changed nothing', async () => {
    const owned = (name: string): JsonObject => ({ pets: api('Pets', { description: { 'fn::env': name } }) });
    await apply(owned('OWNER'));
    world.env['OTHER'] = 'bob';
    await apply(owned('OTHER'));
    const { plan, diagnostics } = await undo();
    expect(plan?.steps).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toContain('undo-secret');
    const nothing = await world.open(cwd, (project) => project.undo(99, []));
    expect(nothing.diagnostics.map(({ code }) => code)).toEqual(['nothing-to-undo']);
  });

  it(
    'leaves what was before, whatever the run did; and the next apply brings what the catalogue says',
    async () => {
      let undone = 0;
      await fc.assert(
        fc.asyncProperty(catalogues, catalogues, async (past, next) => {
          world = new PaperWorld();
          fc.pre((await apply(asResources(past))).status === 'done');
          const before = recorded();
          const { length } = await world.store().runs({ kinds: ['begin'], limit: 9 });
          fc.pre((await apply(asResources(next))).status === 'done');
          const after = recorded();
          fc.pre((await world.store().runs({ kinds: ['begin'], limit: 9 })).length > length);
          const { result, plan } = await undo();
          expect(result.status, JSON.stringify({ result, steps: plan?.steps }, null, 1)).toBe('done');
          expect(recorded()).toEqual(before);
          expect((await apply(asResources(next))).status).toBe('done');
          expect(recorded()).toEqual(after);
          undone += 1;
        }),
        { numRuns: lawRuns(60), ...toTheLast },
      );
      expect(undone).toBeGreaterThan(3);
    },
    lawTimeoutMs,
  );
});
