import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { after, before, product } from './catalogues.js';
import { startChild } from './child.js';
import type { KillPoint } from './child-order.js';
import { makeFaultWorld, type FaultWorld } from './fault-world.js';
import type { Resources } from './inventory.js';

let faulty: FaultWorld;
beforeAll(async () => {
  faulty = await makeFaultWorld('sqlite');
});
beforeEach(async () => {
  await faulty.reset();
  await faulty.write(before);
  expect((await faulty.run()).status).toBe('done');
  await faulty.write(after);
});
afterAll(() => faulty.world.close());

const order = () => ({ cwd: faulty.world.folder, url: faulty.world.sandbox.url });

/** The dead run's lease lives on for a while; who knows that it is dead breaks it. */
async function unlock(): Promise<void> {
  await faulty.world.open(async (project) => {
    const store = await project.state();
    const holder = await store.holder();
    expect(holder?.purpose).toBe('apply');
    expect(await store.unlock(holder?.id ?? '', { now: true })).toBe(true);
  });
}

const settleSeconds = 120;

async function expectNextRunToFinish(wanted: Resources = after, seconds = settleSeconds): Promise<void> {
  await unlock();
  // All was written a moment ago: what the killed run deleted is gone all the same.
  const { status, steps } = await faulty.run({}, { settleSeconds: seconds });
  expect([status, steps.filter((step) => step.outcome !== 'done')]).toEqual(['done', []]);
  await faulty.expectConverged(wanted, { settleSeconds: seconds });
}

const writes: readonly KillPoint['write'][] = ['create', 'update', 'delete'];

describe('a run that is killed', () => {
  const points: readonly KillPoint['point'][] = ['before sending', 'after the answer', 'after the state write'];
  it.each(points.flatMap((point) => writes.map((write) => [point, write] as const)))(
    '%s of a %s is finished by the next one',
    async (point, write) => {
      const child = startChild({ ...order(), kill: { point, write, nth: 2 } });
      expect((await child.ended).signal).toBe('SIGKILL');
      await expectNextRunToFinish();
    },
  );

  const methods = { create: 'POST', update: 'PATCH', delete: 'DELETE' } as const;
  it.each(writes)(
    'while a %s was carried out and before its answer came is finished by the next one',
    async (write) => {
      await faulty.fault({
        match: { method: methods[write] },
        nth: 1,
        action: { delayMs: 60_000, when: 'after-commit' },
      });
      const child = startChild(order());
      await expect.poll(() => struck(), { timeout: 60_000 }).toBe(1);
      // The rule struck when the request came in; the work is done before another one is answered.
      await faulty.dump();
      child.process.kill('SIGKILL');
      expect((await child.ended).signal).toBe('SIGKILL');
      await faulty.fault();
      await expectNextRunToFinish();
    },
  );
});

describe('a replacement that creates first', () => {
  const options: JsonObject = { replaceOnChanges: ['name'], deleteBeforeReplace: false };
  const shop = (name: string): Resources => ({ shop: { ...product(name), options } });

  it.each<KillPoint>([
    { point: 'before sending', write: 'create', nth: 1 },
    { point: 'after the answer', write: 'create', nth: 1 },
    { point: 'after the state write', write: 'create', nth: 1 },
    { point: 'before sending', write: 'delete', nth: 1 },
    { point: 'after the answer', write: 'delete', nth: 1 },
    { point: 'after the state write', write: 'delete', nth: 1 },
  ])('and is killed $point of its $write leaves neither two objects nor none', async (kill) => {
    await faulty.reset();
    await faulty.write(shop('Old'));
    await faulty.run();
    await faulty.write(shop('New'));
    expect((await startChild({ ...order(), kill }).ended).signal).toBe('SIGKILL');
    // What nobody sees may only not show yet, where the platform would take a second one: that takes the settling time.
    const isSeen = kill.write !== 'create' || kill.point !== 'before sending';
    await expectNextRunToFinish(shop('New'), isSeen ? settleSeconds : 0);
  });
});

async function struck(): Promise<number> {
  const { body } = await faulty.world.call('GET', '/_sandbox/faults');
  return (body as { rules: { struck: number }[] }).rules.reduce((sum, rule) => sum + rule.struck, 0);
}
