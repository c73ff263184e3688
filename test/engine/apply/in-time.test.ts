import { describe, expect, it } from 'vitest';
import type { ApplyContext } from '@platform-sync/engine/apply/context';
import { inTime } from '@platform-sync/engine/apply/in-time';
import type { Progress } from '@platform-sync/engine/apply/progress';
import { leavesWithinMs, leftBy } from '@platform-sync/engine/refresh/evidence';
import { NotSentError } from '@platform-sync/core/model/state-store';
import { type CallOptions, ProviderError } from '@platform-sync/core/model/provider';
import type { Intent } from '@platform-sync/core/model/state';
import { deleteObject } from '@platform-sync/engine/apply/delete';
import { LastLooks } from '@platform-sync/engine/apply/last-looks';
import { planned, recordOf, seals } from '../plan/made-up-plan.js';
import { types } from '../plan/made-up-types.js';
import { creating, productType, remote, stubProvider } from './stubs.js';

const intent = creating('shop', { name: 'Shop' });

/** Sends a create whose nth attempt waits so long before it would leave; a provider may say when its turn has come. */
async function send(
  waitsMs: readonly number[],
  { isStopping = false, hasTurns = false } = {},
): Promise<{ left: number; begun: readonly Intent[]; attempts: number }> {
  let now = Date.parse(intent.createdAt);
  let left = 0;
  const begun: Intent[] = [];
  const waits = [...waitsMs];
  let attempts = 0;
  const create = async (_type: unknown, _scope: unknown, _inputs: unknown, options: CallOptions = {}) => {
    attempts += 1;
    now += waits.shift() ?? 0;
    if (hasTurns) await options.atTurn?.();
    if (options.mayLeave?.() === false) throw new NotSentError();
    left = now;
    return remote('a', {});
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
  return { left, begun, attempts };
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

  it('leaves in time however often it had to wait', async () => {
    const { left, begun } = await send(Array.from({ length: 100 }, () => 60_000));
    expect(begun).toHaveLength(100);
    expect(left).toBeLessThanOrEqual(Date.parse(leftBy(begun.at(-1) ?? intent)));
  });

  it.each([
    [0, 0],
    [leavesWithinMs / 2, 1],
    [3_600_000, 1],
  ])('that had to wait %i ms for its turn leaves in this turn', async (waitMs, renewals) => {
    const { left, begun, attempts } = await send([waitMs], { hasTurns: true });
    expect([attempts, begun.length]).toEqual([1, renewals]);
    expect(left).toBeLessThanOrEqual(Date.parse(leftBy(begun.at(-1) ?? intent)));
  });

  it('is not sent once the run is to end', async () => {
    await expect(send([60_000], { isStopping: true })).rejects.toBeInstanceOf(NotSentError);
  });
});

/**
 * Deletes an object: `beginsMs` is how long the store takes for each intent, and each attempt waits before it would leave. The
 * answer to the first one may be lost, and that to the last one be a refusal.
 */
async function end(beginsMs: readonly number[], waitsMs: readonly number[], isFirstLost = false, last?: ProviderError) {
  let [now, read] = [0, 0];
  const told: string[] = [];
  const [begins, waits] = [[...beginsMs], [...waitsMs]];
  const { steps } = planned({ mode: 'destroy', records: [recordOf('a', 'Shelf', { name: 'a' })] });
  const [step] = steps.values();
  const [operation] = step?.operations ?? [];
  if (operation === undefined || step?.actual === undefined) throw new Error('nothing to delete');
  const { actual } = step;
  const provider = stubProvider({
    read: () => (told.push('look'), (read = now), Promise.resolve(actual)),
    delete: (_type, _identity, options) => {
      for (let isRepeat = false; ; isRepeat = true) {
        now += waits.shift() ?? 0;
        if (options?.mayLeave?.() === false) return Promise.reject(isRepeat ? lost : new NotSentError());
        told.push(`${isRepeat ? 'again' : 'sent'} ${String(now - read)} ms later`);
        if (isRepeat || !isFirstLost) return last === undefined ? Promise.resolve() : Promise.reject(last);
        isFirstLost = false;
      }
    },
  });
  const context = {
    ...{ steps, seals, typeOf: (token: string) => types.get(token), providerOf: () => Promise.resolve(provider) },
    ...{
      rest: (wait: () => unknown) => wait(),
      config: { timing: { settleMs: 0 } },
      run: '1',
      inside: { types, lists: [], lagging: new Set() },
    },
    ...{ state: { resources: new Map() }, lease: { term: { late: { aborted: false } } } },
    world: { steady: () => now, now: () => now, id: () => 'an id' },
  } as unknown as ApplyContext;
  const progress = {
    ...{ looks: new LastLooks(context), managed: new Set(), givenUp: new Set(), deleted: () => undefined },
    commit: () => Promise.resolve(void told.push('gone')),
    journal: {
      recordedInside: () => Promise.resolve([]),
      close: () => Promise.reject(new Error('closed')),
      begin: ({ id }: Intent) => ((now += begins.shift() ?? 0), Promise.resolve(void told.push(`intent ${id}`))),
      send: (_intent: Intent, work: () => Promise<void>) =>
        work().catch((error: unknown) => {
          if (error instanceof NotSentError) told.push('closed');
          throw error;
        }),
    },
  } as unknown as Progress;
  await deleteObject(context, step, operation, progress);
  return told;
}

const lost = new ProviderError('ambiguous', [{ severity: 'error', code: 'outcome-unknown', summary: 'Who knows.' }]);

describe('a delete', () => {
  it('leaves at most ten seconds after its last look, whatever it waited for', async () => {
    expect(await end([9_999], [])).toEqual(['look', 'intent an id', 'sent 9999 ms later', 'gone']);
    const twice = ['look', 'intent an id', 'closed', 'look', 'intent an id'];
    expect(await end([10_000], [])).toEqual([...twice, 'sent 0 ms later', 'gone']);
    expect(await end([], [60_000])).toEqual([...twice, 'sent 0 ms later', 'gone']);
  });

  it('that may have been carried out keeps its intent while it looks again', async () => {
    const begun = ['look', 'intent an id', 'sent 0 ms later'];
    // Whether it is gone, too.
    const again = ['look', 'look', 'intent an id'];
    expect(await end([], [0, 500], true)).toEqual([...begun, 'again 500 ms later', 'gone']);
    expect(await end([], [0, 20_000], true)).toEqual([...begun, ...again, 'sent 0 ms later', 'gone']);
    const held = [...begun, ...again, 'look', 'intent an id', 'sent 0 ms later', 'gone'];
    expect(await end([0, 60_000], [0, 20_000], true)).toEqual(held);
  });

  it('that may have been carried out stays open when the next one is refused', async () => {
    const told = { severity: 'error', code: 'unexpected-answer', summary: 'No such page.' } as const;
    const refused = new ProviderError('unexpected-answer', [told], { status: 404 });
    await expect(end([], [], false, refused)).rejects.toThrow('closed');
    await expect(end([], [0, 20_000], true, refused)).rejects.toBe(refused);
  });
});
