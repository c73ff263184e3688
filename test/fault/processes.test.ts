import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chaosCatalogue } from './chaos.js';
import { CrashBench } from './crash-bench.js';
import { startChild, type Child } from './child.js';
import type { ChildOrder } from './child-order.js';
import { realWorld } from '@platform-sync/core/model/world';
import { existingObjects, wantedObjects } from './inventory.js';

let bench: CrashBench;
beforeAll(async () => {
  bench = await CrashBench.start({ backend: 'sqlite' }, 0);
});
afterAll(() => bench.close());

const child = (order: Partial<ChildOrder> = {}) => startChild({ cwd: bench.folder, url: bench.url, ...order });

/** Of two units: each has a new API, a replaced one, a new page and a new product, and nothing of it waits for another. */
const parallelCreates = 8;
const allCreates = 14;

/** What the machine says of a process: `T…` for one that stands still. */
async function stateOf({ process: { pid } }: Child): Promise<string> {
  return (await promisify(execFile)('ps', ['-o', 'state=', '-p', String(pid)])).stdout.trim();
}

/** A run whose first creates are carried out and not answered yet: it stands still with nothing else to do. */
async function stoppedChild(order: Partial<ChildOrder> = {}): Promise<Child> {
  await bench.fault({ match: { method: 'POST' }, action: { delayMs: 600_000, when: 'after-commit' } });
  const stopped = child(order);
  await expect.poll(() => bench.struck(), { timeout: 60_000 }).toBe(parallelCreates);
  // One that stands still in the middle of a transaction holds the file: nobody can take the stack over from it.
  for (;;) {
    stopped.process.kill('SIGSTOP');
    await expect.poll(() => stateOf(stopped), { timeout: 60_000 }).toMatch(/^T/);
    if (bench.isStateFree()) break;
    stopped.process.kill('SIGCONT');
    await realWorld.sleep(10);
  }
  // The answers come now, to one that is asleep.
  await bench.fault();
  return stopped;
}

describe('two processes on one stack', () => {
  it('one works, the other says that the stack is held', async () => {
    const wanted = chaosCatalogue('a', 24);
    await bench.write(wanted);
    const first = await stoppedChild();
    const second = await child().ended;
    expect(second.result).toMatchObject({ status: 'failed', done: 0 });
    expect(second.result?.codes).toContain('state-lease-held');
    first.process.kill('SIGCONT');
    expect((await first.ended).result?.status).toBe('done');
    expect((await bench.finish(wanted)).violations).toEqual([]);
  });

  it('one works, the other waits, and then finds that its plan is out of date', async () => {
    const wanted = chaosCatalogue('b', 24);
    await bench.write(wanted);
    const first = await stoppedChild();
    const second = child({ lockTimeoutMs: 60_000 });
    await second.said('planned');
    first.process.kill('SIGCONT');
    expect((await first.ended).result?.status).toBe('done');
    expect((await second.ended).result).toMatchObject({ status: 'stale', done: 0 });
    expect((await bench.finish(wanted)).violations).toEqual([]);
  });
});

describe('a process that stands still for longer than its lease lasts', () => {
  it('writes nothing when it wakes up: another one has done its work', async () => {
    const wanted = chaosCatalogue('a', 24);
    await bench.write(wanted);
    await bench.resetPosts();
    const sleeper = await stoppedChild({ timing: { ttlMs: 5000, heartbeatMs: 250, pollMs: 50 } });
    const other = await child({ lockTimeoutMs: 60_000 }).ended;
    expect(other.result).toMatchObject({ status: 'done' });
    sleeper.process.kill('SIGCONT');
    const woken = await sleeper.ended;
    expect(woken.result?.status).not.toBe('done');
    // Whichever it meets first: its clocks, the next beat, or the state.
    expect(['lease-late', 'lease-refused', 'state-lease-lost']).toContain(woken.result?.codes[0]);
    // Neither in state nor on the platform: what it had under way when it fell asleep may go without its answer, nothing follows.
    const posts = await bench.posts();
    expect([posts >= allCreates - parallelCreates, posts <= allCreates]).toEqual([true, true]);
    expect(existingObjects(await bench.dump())).toEqual(wantedObjects(wanted));
    expect((await bench.finish(wanted)).violations).toEqual([]);
  });
});
