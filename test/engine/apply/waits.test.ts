import { describe, expect, it, vi } from 'vitest';
import type { ApplyContext } from '@platform-sync/engine/apply/context';
import type { Rest } from '@platform-sync/engine/apply/slots';
import { NewParents, type Progress } from '@platform-sync/engine/apply/progress';
import { sendCreate } from '@platform-sync/engine/apply/create';
import { ProviderError, type Provider, type ProviderErrorKind } from '@platform-sync/core/model/provider';
import { NotSentError } from '@platform-sync/core/model/state-store';
import { realWorld } from '@platform-sync/core/model/world';
import { creating, productType, remote, stubProvider } from './stubs.js';

/** The only stack of its store. */
const alone = {
  state: { targets: {}, intents: [] },
  store: { managedElsewhere: () => Promise.resolve([]), runs: () => Promise.resolve([]) },
};

/** Sends one create and counts its waits: those in which others may work, and those in which nobody does. */
async function send(
  calls: Partial<Provider>,
  pass: (ms: number) => Promise<void> = () => Promise.resolve(),
): Promise<{ readonly rested: number; readonly held: number }> {
  let [rested, held, resting] = [0, 0, 0];
  const rest: Rest = async (wait) => {
    resting += 1;
    try {
      return await wait();
    } finally {
      resting -= 1;
    }
  };
  const sleep = (ms: number): Promise<void> => {
    if (resting > 0) rested += 1;
    else held += 1;
    return pass(ms);
  };
  // What a create looks at of its run.
  const context = {
    ...alone,
    strangers: new Set(),
    config: { timing: { settleMs: 0 } },
    rest,
    world: { ...realWorld, sleep },
    onEvent: () => undefined,
  } as unknown as ApplyContext;
  const progress = {
    created: new Set(['parent']),
    newParents: new NewParents(),
    managed: new Set(),
    halt: { isStopped: false },
    journal: { open: new Map(), begin: () => undefined, send: (_intent: unknown, write: () => unknown) => write() },
  } as unknown as Progress;
  const inputs = { name: 'Shop', portalIds: [] };
  const intent = creating('shop', inputs);
  const provider = stubProvider(calls);
  await sendCreate(context, progress, { provider, type: productType, scope: { apiId: 'parent' }, inputs, intent });
  return { rested, held };
}

const forbidden = new ProviderError('forbidden', [{ severity: 'error', code: 'forbidden', summary: 'no' }]);

function failing(times: number, kind: ProviderErrorKind): Provider['create'] {
  let left = times;
  return () => {
    left -= 1;
    if (left < 0) return Promise.resolve(remote('made', { name: 'Shop' }));
    return Promise.reject(
      new ProviderError(kind, [{ severity: 'error', code: 'outcome-unknown', summary: 'no answer' }]),
    );
  };
}

describe('the waits of one create', () => {
  it('for an object that may appear late leave the place to others', async () => {
    const create = failing(2, 'ambiguous');
    expect(await send({ create, find: () => Promise.resolve([]) })).toEqual({ rested: 6, held: 0 });
  });

  it('for a parent that is not visible yet do so, too', async () => {
    expect(await send({ create: failing(3, 'forbidden') })).toEqual({ rested: 3, held: 0 });
  });
});

describe('a run that is stopped after the answer to a create was lost', () => {
  it('tells of the lost answer, and not of a create that was never sent', async () => {
    const [first, later] = [failing(1, 'ambiguous'), (): Promise<never> => Promise.reject(new NotSentError())];
    let calls = 0;
    const create: Provider['create'] = (...call) => ((calls += 1) === 1 ? first(...call) : later());
    await expect(send({ create, find: () => Promise.resolve([]) })).rejects.toMatchObject({ kind: 'ambiguous' });
    await expect(send({ create: later })).rejects.toBeInstanceOf(NotSentError);
  });
});

describe('thirty children of a parent that is not visible for a second and a half', () => {
  it('ask 33 times in all: one of them finds out, the others wait for it', async () => {
    let [time, asked, made] = [0, 0, 0];
    const context = {
      ...alone,
      rest: (wait: () => Promise<unknown>) => wait(),
      world: { ...realWorld, sleep: async (ms: number) => void (time += ms) },
      onEvent: () => undefined,
    } as unknown as ApplyContext;
    const progress = {
      created: new Set(['parent']),
      newParents: new NewParents(),
      managed: new Set(),
      halt: { isStopped: false },
      journal: { open: new Map(), begin: () => undefined, send: (_intent: unknown, write: () => unknown) => write() },
    } as unknown as Progress;
    const provider = stubProvider({
      create: async () => {
        asked += 1;
        await Promise.resolve();
        if (time < 1_500) throw forbidden;
        made += 1;
        return remote(`made ${made}`, {});
      },
    });
    const children = Array.from({ length: 30 }, (_, at) => {
      const intent = creating(`shop${at}`, { name: `Shop ${at}` });
      const sending = { provider, type: productType, scope: { apiId: 'parent' }, inputs: intent.inputs, intent };
      return sendCreate(context, progress, sending);
    });
    await Promise.all(children);
    expect([asked, made]).toEqual([33, 30]);
  });
});

describe.each([0, 100, 600, 2_400, 9_000])('looks that take %i ms', (lookMs) => {
  it('are part of the wait for an object that may appear late: the last one begins when all of it has passed', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const pass = (ms: number): Promise<void> => Promise.resolve(void vi.advanceTimersByTime(ms));
      const begun: number[] = [];
      let sentAgainAt = 0;
      const lost = failing(1, 'ambiguous');
      const start = performance.now();
      await send(
        {
          create: (...call) => {
            sentAgainAt = performance.now() - start;
            return lost(...call);
          },
          find: async () => {
            begun.push(performance.now() - start);
            await pass(lookMs);
            return [];
          },
        },
        pass,
      );
      expect(begun[0]).toBe(0);
      expect(begun.at(-1)).toBeGreaterThanOrEqual(2_500);
      expect(sentAgainAt).toBe((begun.at(-1) ?? 0) + lookMs);
      expect(sentAgainAt).toBeLessThanOrEqual(Math.max(2_500, 2 * lookMs) + lookMs);
      expect(begun.length).toBeLessThanOrEqual(4);
    } finally {
      vi.useRealTimers();
    }
  });
});
