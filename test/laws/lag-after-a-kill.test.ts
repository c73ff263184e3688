import fc from 'fast-check';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProviderError, type Provider } from '@platform-sync/core/model/provider';
import type { Intent, RecordedResource } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import { realWorld } from '@platform-sync/core/model/world';
import { mustPlan, paperFolder, PaperWorld, removeFolder } from '../harness/paper-world.js';
import { lawRuns, lawTimeoutMs, toTheLast } from './runs.js';

/**
 * A run is killed in the middle of its writes, and for a while the platform shows some of what was written neither in lists nor
 * alone. Nothing is made twice, nothing that exists is forgotten, and when all shows again one run makes it as the file says.
 */
interface Fate {
  /** What became of the write: carried out, or never sent. */
  readonly write: 'created' | 'not created' | 'deleted' | 'not deleted';
  /** The platform shows nothing of the object for now. */
  readonly isHidden: boolean;
}

const fate: fc.Arbitrary<Fate> = fc.record({
  write: fc.constantFrom('created', 'not created', 'deleted', 'not deleted'),
  isHidden: fc.boolean(),
});
const fates = fc.array(fate, { minLength: 1, maxLength: 5 });
const guards = { maxDeletes: 1000, maxDeletePercent: 100 };
const allow = ['adopt', 'everythingGone', 'emptyCatalogue', 'maxMissing'].map((guard) => ({ guard, reason: 'law' }));
const settling = { settleSeconds: 120 };

let folder = '';
let cwd = '';
beforeAll(async () => {
  folder = await paperFolder({ law: { guards } });
  cwd = join(folder, 'law');
});
afterAll(() => removeFolder(folder));

/** Products, which may share a name, each with a page in it. */
function catalogueOf(addresses: readonly string[]): JsonObject {
  const page = {
    type: 'platform:ApiProductDocument',
    properties: { title: 'Terms', slug: 'terms', status: 'published', content: 'x' },
  };
  const block = (address: string): JsonObject => ({
    type: 'platform:ApiProduct',
    properties: { name: address, portalIds: [] },
    children: { page },
  });
  return { resources: Object.fromEntries(addresses.map((address) => [address, block(address)])) };
}

/** Neither shows what is hidden; a delete of what is not there is fine. */
function lagging(world: PaperWorld, hidden: ReadonlySet<string>): (inner: Provider) => Partial<Provider> {
  const isShown = ({ identity: { id, scope } }: { readonly identity: Intent['identity'] & object }): boolean =>
    !hidden.has(id) && !Object.values(scope).some((each) => hidden.has(each));
  const mustBeThere = (scope: Readonly<Record<string, string>>): void => {
    if (Object.values(scope).some((id) => hidden.has(id) || !world.platform.objects.has(id)))
      throw new ProviderError('not-found', [
        { severity: 'error', code: 'not-found', summary: 'There is no such place.' },
      ]);
  };
  return (inner) => ({
    list: async (type, scope, options) => {
      mustBeThere(scope);
      const { objects } = await inner.list(type, scope, options);
      const shown = objects.filter(isShown);
      return { objects: shown, isComplete: true, total: shown.length };
    },
    read: async (type, identity, options) => (isShown({ identity }) ? inner.read(type, identity, options) : undefined),
    find: async (type, scope, inputs, options) => {
      mustBeThere(scope);
      return (await inner.find(type, scope, inputs, options)).filter(isShown);
    },
  });
}

const objectsOf = ({ platform }: PaperWorld): readonly string[] =>
  [...platform.objects.values()].map(
    ({ type, values }) => `${type.name} ${String(values['name'] ?? values['apiProductId'])}`,
  );

async function killed(world: PaperWorld, all: readonly Fate[]): Promise<ReadonlySet<string>> {
  const hidden = new Set<string>();
  const now = new Date().toISOString();
  for (const [at, { write, isHidden }] of all.entries()) {
    const record = world.state().resources.get(`shop${at}`) as RecordedResource;
    const { address, type, identity, inputs } = record;
    const common = { id: `intent ${at}`, address, type, run: 'killed', createdAt: now, scope: identity.scope };
    if (write.endsWith('deleted')) await world.leaveOpen({ ...common, action: 'delete', inputs: {}, identity });
    else {
      await world.forget(address);
      for (const page of world.platform.objects.values())
        if (page.values['apiProductId'] === identity.id) world.platform.objects.delete(page.id);
      const blank = { ...record, identity: { id: '', scope: {} }, outputs: {} };
      await world.leaveOpen({ ...common, action: 'create', inputs, record: blank });
    }
    if (write === 'deleted' || write === 'not created') world.platform.take(identity.id);
    if (isHidden) hidden.add(identity.id);
  }
  return hidden;
}

/** A run that gives others five minutes, by a clock of its own: what was hidden shows once it has waited as long as that may take. */
async function patientRun(world: PaperWorld, hidden: Set<string>): Promise<readonly number[]> {
  const waits: number[] = [];
  let late = 0;
  const sleep = async (ms: number): Promise<void> => {
    waits.push(ms);
    late += ms;
    if (late >= 119_000) hidden.clear();
  };
  await world.open(
    cwd,
    (project) =>
      project.hold({ lockTimeoutMs: 300_000 }, async () => project.apply(await mustPlan(project, { allow }))),
    { ...settling, world: { ...realWorld, now: () => Date.now() + late, sleep } },
  );
  return waits;
}

describe('after a killed run, while lists and reads lag', () => {
  it(
    'one run that waits for others, and for what they left, makes it as the file says',
    async () => {
      await fc.assert(
        fc.asyncProperty(fates, async (all) => {
          const world = new PaperWorld();
          const addresses = all.map((_, at) => `shop${at}`);
          world.write(cwd, catalogueOf(addresses));
          await world.apply(cwd, { allow });
          const hidden = new Set(await killed(world, all));
          const wanted = addresses.filter((_, at) => all[at]?.write.endsWith('deleted') !== true);
          world.write(cwd, catalogueOf(wanted));
          world.calls = lagging(world, hidden);
          const isOpen = all.some(
            ({ write, isHidden }) => write === 'not created' || (write === 'created' && isHidden),
          );
          // Nobody waits for what can be decided at once.
          expect((await patientRun(world, hidden)).length > 0).toBe(isOpen);
          expect(world.state().intents).toEqual([]);
          expect(objectsOf(world)).toHaveLength(wanted.length * 2);
          hidden.clear();
          expect((await world.plan(cwd, { allow })).plan.steps).toEqual([]);
        }),
        { numRuns: lawRuns(60), ...toTheLast },
      );
    },
    lawTimeoutMs,
  );

  it('nobody waits for less than nothing, where the look itself took longer than what was left to wait', async () => {
    const world = new PaperWorld();
    world.write(cwd, catalogueOf(['shop0']));
    await world.apply(cwd, { allow });
    const hidden = new Set(await killed(world, [{ write: 'created', isHidden: true }]));
    let late = 0;
    const lagged = lagging(world, hidden);
    world.calls = (inner) => ({
      ...lagged(inner),
      find: async (...asked) => {
        const found = await lagged(inner).find?.(...asked);
        late += 200_000;
        return found ?? [];
      },
    });
    const waits: number[] = [];
    const sleep = async (ms: number): Promise<void> => void waits.push(ms);
    await world.open(
      cwd,
      (project) => project.hold({ lockTimeoutMs: 300_000 }, async () => void (await mustPlan(project, { allow }))),
      { ...settling, world: { ...realWorld, now: () => Date.now() + late, sleep } },
    );
    expect(late).toBeGreaterThan(0);
    expect(waits.filter((ms) => ms <= 0)).toEqual([]);
  });

  it(
    'nothing is made twice, nothing that exists is forgotten, and in the end all is as the file says',
    async () => {
      await fc.assert(
        fc.asyncProperty(fates, async (all) => {
          const world = new PaperWorld();
          const addresses = all.map((_, at) => `shop${at}`);
          world.write(cwd, catalogueOf(addresses));
          await world.apply(cwd, { allow });
          const hidden = await killed(world, all);
          const isDeleted = ({ write }: Fate): boolean => write.endsWith('deleted');
          const wanted = addresses.filter((_, at) => !isDeleted(all[at] as Fate));
          world.write(cwd, catalogueOf(wanted));
          world.calls = lagging(world, hidden);
          for (let run = 0; run < 2; run += 1) {
            await world.apply(cwd, { allow, open: settling });
            const now = objectsOf(world);
            expect(new Set(now).size).toBe(now.length);
            // What exists is recorded, or the intent that made it is still open.
            const { resources, intents } = world.state();
            const known = new Set([...resources.values()].map(({ identity }) => identity.id));
            const open = new Set(intents.map(({ address }) => address));
            const unknown = [...world.platform.objects.values()].filter(
              ({ id, type, values }) =>
                !known.has(id) && !(type.name === 'ApiProduct' && open.has(String(values['name']))),
            );
            expect(unknown.map(({ id }) => id)).toEqual([]);
          }
          world.calls = () => ({});
          await world.apply(cwd, { allow });
          expect(world.state().intents).toEqual([]);
          expect((await world.plan(cwd, { allow })).plan.steps).toEqual([]);
          const products = [...world.platform.objects.values()].filter(({ type }) => type.name === 'ApiProduct');
          expect(products.map(({ values }) => values['name']).sort()).toEqual([...wanted].sort());
          expect(objectsOf(world)).toHaveLength(wanted.length * 2);
        }),
        { numRuns: lawRuns(120), ...toTheLast },
      );
    },
    lawTimeoutMs,
  );

  it(
    'a delete whose answer was lost is told as done by no denial, and is sent again',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), async (isCarriedOut) => {
          const world = new PaperWorld();
          const addresses = isCarriedOut.map((_, at) => `shop${at}`);
          world.write(cwd, catalogueOf(addresses));
          await world.apply(cwd, { allow });
          const hidden = new Set<string>();
          const lost = new ProviderError('ambiguous', [{ severity: 'error', code: 'lost', summary: 'No answer.' }]);
          world.calls = (inner) => ({
            ...lagging(world, hidden)(inner),
            delete: async (type, identity, options) => {
              if (type.name !== 'ApiProduct') return inner.delete(type, identity, options);
              hidden.add(identity.id);
              const at = addresses.indexOf(String(world.platform.objects.get(identity.id)?.values['name']));
              if (isCarriedOut[at] === true) await inner.delete(type, identity, options);
              throw lost;
            },
          });
          world.write(cwd, catalogueOf([]));
          const { result } = await world.apply(cwd, { allow, open: settling });
          const ended = result.steps.filter(({ address, outcome }) => !address.includes('/') && outcome === 'done');
          expect(ended).toEqual([]);
          const known = [...world.state().resources.values()].map(({ identity }) => identity.id);
          expect([...world.platform.objects.keys()].filter((id) => !known.includes(id))).toEqual([]);
          world.calls = lagging(world, hidden);
          await world.apply(cwd, { allow, open: settling });
          expect([world.platform.objects.size, world.state().resources.size]).toEqual([0, 0]);
        }),
        { numRuns: lawRuns(60), ...toTheLast },
      );
    },
    lawTimeoutMs,
  );
});
