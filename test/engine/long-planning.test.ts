import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApplyResult, Project } from '@platform-sync/engine/api';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { paperFolder, PaperWorld, removeFolder } from '../harness/paper-world.js';
import { FakeTime } from './state/fake-time.js';

let folder: string;
beforeAll(async () => (folder = await paperFolder({ shop: {} })));
afterAll(() => removeFolder(folder));

let world: PaperWorld;
let time: FakeTime;
let database: MemoryDatabase;
beforeEach(() => {
  [world, time, database] = [new PaperWorld(), new FakeTime(), new MemoryDatabase()];
  world.write(cwd(), { resources: { pets: { type: 'platform:Api', properties: { name: 'Pets' } } } });
});

const cwd = (): string => `${folder}/shop`;
const timing = () => ({ ...time.timing, steady: () => time.time });
const store = () => memoryStateStore('test', 'default', database, timing());

/** Takes the stack, plans, stands still, and applies: no beat goes out while planning keeps the process busy. */
const apply = (standsStillMs: number, meanwhile = async (): Promise<void> => undefined): Promise<ApplyResult> =>
  world.open(
    cwd(),
    (project: Project) =>
      project.hold({}, async () => {
        const planned = await project.plan();
        time.time += standsStillMs;
        await meanwhile();
        return project.apply(planned);
      }),
    { openState: () => Promise.resolve(store()) },
  );

/** Another run has the stack for a moment, and gives it back. */
const another = (write: boolean) => async (): Promise<void> => {
  const other = store();
  const lease = await other.acquire('apply', { owner: 'another', waitMs: 0 });
  if (write) await other.commit(lease, [{ kind: 'outputs', outputs: { a: 1 } }]);
  await lease.release();
};

describe('a plan that takes longer than a lease is sure', () => {
  it.each([1000, 21_000, 29_999, 30_000, 3_600_000])(
    'is applied after %i ms, when nobody wanted the stack',
    async (ms) => {
      expect(await apply(ms)).toMatchObject({ status: 'done', diagnostics: [] });
      expect(await store().holder()).toBeUndefined();
      expect((await store().read()).resources.size).toBe(1);
    },
  );

  it('is applied when another run had the stack in between, and wrote nothing', async () => {
    expect(await apply(31_000, another(false))).toMatchObject({ status: 'done' });
  });

  it('is refused before the first write when another run wrote', async () => {
    const result = await apply(31_000, another(true));
    expect([result.status, result.mismatches?.map(({ what }) => what)]).toEqual(['stale', ['state serial']]);
    expect((await store().read()).resources.size).toBe(0);
  });

  it('is refused when another run has the stack', async () => {
    const result = await apply(31_000, async () => {
      await store().acquire('apply', { owner: 'another', waitMs: 0 });
    });
    expect([result.status, result.diagnostics.map(({ code }) => code)]).toEqual(['failed', ['state-lease-held']]);
    expect(await store().holder()).toMatchObject({ owner: 'another' });
  });
});
