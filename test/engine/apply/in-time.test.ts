import { describe, expect, it } from 'vitest';
import type { ApplyContext } from '@platform-sync/engine/apply/context';
import { inTime } from '@platform-sync/engine/apply/create-deadline';
import type { Progress } from '@platform-sync/engine/apply/progress';
import { leavesWithinMs, leftBy } from '@platform-sync/engine/refresh/evidence';
import { NotSentError } from '@platform-sync/core/model/state-store';
import type { CallOptions } from '@platform-sync/core/model/provider';
import type { Intent } from '@platform-sync/core/model/state';
import { creating, productType, remote, stubProvider } from './stubs.js';

const intent = creating('shop', { name: 'Shop' });

/** Sends a create whose nth attempt waits so long before it would leave. */
async function send(
  waitsMs: readonly number[],
  isStopping = false,
): Promise<{ left: number; begun: readonly Intent[] }> {
  let now = Date.parse(intent.createdAt);
  let left = 0;
  const begun: Intent[] = [];
  const waits = [...waitsMs];
  const create = (_type: unknown, _scope: unknown, _inputs: unknown, options: CallOptions = {}) => {
    now += waits.shift() ?? 0;
    if (options.mayLeave?.() === false) return Promise.reject(new NotSentError());
    left = now;
    return Promise.resolve(remote('a', {}));
  };
  const context = {
    world: { now: () => now },
    drain: { aborted: isStopping },
    lease: { term: { late: { aborted: false } } },
    rest: (wait: () => unknown) => wait(),
  } as unknown as ApplyContext;
  const progress = { journal: { begin: async (each: Intent) => void begun.push(each) } } as unknown as Progress;
  const provider = stubProvider({ create: create as never });
  await inTime(context, progress, { provider, type: productType, scope: {}, inputs: {}, intent })();
  return { left, begun };
}

describe('a create', () => {
  it.each<[string, readonly number[], number]>([
    ['leaves at once', [0], 0],
    ['leaves a little later', [leavesWithinMs - 1], 0],
    ['had to wait', [leavesWithinMs], 1],
    ['had to wait twice', [60_000, 60_000], 2],
  ])('%s: it leaves soon after its intent, which is renewed if need be', async (_what, waits, renewals) => {
    const { left, begun } = await send(waits);
    expect(begun.map(({ id }) => id)).toEqual(Array.from({ length: renewals }, () => intent.id));
    const last = begun.at(-1) ?? intent;
    expect(left).toBeGreaterThanOrEqual(Date.parse(last.renewedAt ?? last.createdAt));
    // What the first one made is not older than its intent.
    expect(last.createdAt).toBe(intent.createdAt);
    expect(left).toBeLessThanOrEqual(Date.parse(leftBy(last)));
  });

  it('is not held back for ever where the platform asks to slow down again and again', async () => {
    const { begun } = await send(Array.from({ length: 100 }, () => 60_000));
    expect(begun).toHaveLength(20);
  });

  it('is not sent once the run is to end', async () => {
    await expect(send([60_000], true)).rejects.toBeInstanceOf(NotSentError);
  });
});
