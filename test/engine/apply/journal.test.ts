import { describe, expect, it } from 'vitest';
import type { ApplyContext } from '@platform-sync/engine/apply/context';
import { Journal } from '@platform-sync/engine/apply/journal';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { OutboxWrite, Outbox } from '@platform-sync/core/model/outbox';
import { LeaseLostError, StateStoreError, type StateStore } from '@platform-sync/core/model/state-store';
import { realWorld } from '@platform-sync/core/model/world';
import { stateDiagnostics } from '@platform-sync/state/diagnose';
import { memoryStateStore } from '@platform-sync/state/memory';
import { creating, recorded, stackState } from './stubs.js';

const intent = creating('shop', { name: 'Shop' });

async function journalOn(
  methods: Partial<StateStore>,
  keep: Outbox['add'] = () => Promise.reject(new Error('not expected to keep anything')),
  ttlMs = 30_000,
): Promise<{
  readonly journal: Journal;
  readonly failures: (readonly Diagnostic[])[];
  readonly waits: number[];
}> {
  const store = memoryStateStore('shop', 'dev', undefined, { ttlMs });
  const lease = await store.acquire('apply', { owner: 'me', waitMs: 0 });
  const waits: number[] = [];
  const failures: (readonly Diagnostic[])[] = [];
  const context: Pick<ApplyContext, 'store' | 'lease' | 'state' | 'outbox' | 'explain' | 'world' | 'onEvent'> = {
    store: { ...methods, close: () => store.close() } as StateStore,
    lease,
    state: stackState([], []),
    outbox: { location: 'here', add: keep, read: () => Promise.resolve([]), clear: () => Promise.resolve() },
    explain: stateDiagnostics,
    world: { ...realWorld, sleep: async (ms) => void waits.push(ms) },
    onEvent: () => undefined,
  };
  return { journal: new Journal(context as ApplyContext, (found) => failures.push(found)), failures, waits };
}

describe('journal', () => {
  it('waits out an outage for a while, longer each time', async () => {
    let refusals = 3;
    const { journal, waits, failures } = await journalOn({
      begin: async () => {
        if (refusals-- > 0) throw new StateStoreError('unreachable', 'away', 'Wait.');
      },
    });
    await journal.begin(intent);
    expect([waits, failures]).toEqual([[500, 1000, 2000], []]);
  });

  it.each<[string, Error, string]>([
    ['an outage that lasts', new StateStoreError('unreachable', 'away', 'Wait.'), 'state-unreachable'],
    ['a full disk', new StateStoreError('full', 'full', 'Make room.'), 'state-full'],
    ['a lost lease', new LeaseLostError(), 'state-lease-lost'],
  ])('gives up after %s, for good', async (_name, error, code) => {
    let attempts = 0;
    const { journal, failures } = await journalOn({
      commit: () => {
        attempts += 1;
        return Promise.reject(error);
      },
    });
    await expect(journal.close(intent)).rejects.toMatchObject({ diagnostics: [{ code }] });
    const before = attempts;
    await expect(journal.close(intent)).rejects.toMatchObject({ diagnostics: [{ code }] });
    expect(attempts).toBe(before);
    expect(failures.map(([found]) => found?.code)).toEqual([code]);
  });

  it('asks what other stacks have in homes once for all that wait for an answer', async () => {
    const asked: string[] = [];
    const { journal } = await journalOn({
      recordedInside: async (homes) => {
        asked.push([...homes].join());
        await Promise.resolve();
        return [];
      },
    });
    const first = journal.recordedInside(new Set(['a']));
    await Promise.resolve();
    await Promise.all([first, ...['b', 'c', 'd'].map((home) => journal.recordedInside(new Set([home])))]);
    await journal.recordedInside(new Set(['e']));
    expect(asked).toEqual(['a', 'b,c,d', 'e']);
  });

  it('waits for no answer of the store when its lease is over', async () => {
    const never = (): Promise<never> => new Promise(() => undefined);
    const methods = { recordedInside: never, managedElsewhere: never, runs: never };
    const { journal } = await journalOn(methods, undefined, 60);
    const asked = [
      journal.recordedInside(new Set(['a'])),
      journal.records.managedElsewhere(['a']),
      journal.records.runs({ limit: 1 }),
    ];
    const diagnostics = [{ code: 'state-unreachable' }];
    await Promise.all(asked.map((answer) => expect(answer).rejects.toMatchObject({ diagnostics })));
  });

  const away = new StateStoreError('unreachable', 'away', 'Wait.');

  it('keeps what became of a write on this machine while the store is away, once, and calls it done', async () => {
    const kept: OutboxWrite[] = [];
    let attempts = 0;
    const commit = (): Promise<never> => {
      attempts += 1;
      return Promise.reject(away);
    };
    const { journal, failures } = await journalOn({ commit }, async (write) => void kept.push(write));
    const put = { kind: 'put', resource: recorded('shop', '1') } as const;
    const close = { kind: 'close-intent', id: intent.id } as const;
    await journal.commit([put, close]);
    expect(kept).toEqual([{ lineage: 'lineage', intent: intent.id, changes: [put, close] }]);
    expect([journal.hasOutbox, failures.flat().map(({ code }) => code)]).toEqual([true, ['state-unreachable']]);

    const before = attempts;
    await journal.close({ ...intent, id: 'later' });
    expect([attempts, kept.at(-1)?.intent]).toEqual([before, 'later']);
    // Nothing tells what became of it later, so it is not called done.
    await expect(journal.commit([put])).rejects.toMatchObject({ diagnostics: [{ code: 'state-unreachable' }] });
    await expect(journal.begin(intent)).rejects.toMatchObject({ diagnostics: [{ code: 'state-unreachable' }] });
    expect(kept).toHaveLength(2);
  });

  it('calls nothing done that neither the store nor this machine could keep', async () => {
    const { journal } = await journalOn({ commit: () => Promise.reject(away) }, () =>
      Promise.reject(new Error('full')),
    );
    await expect(journal.close(intent)).rejects.toMatchObject({ diagnostics: [{ code: 'state-unreachable' }] });
    expect(journal.hasOutbox).toBe(false);
  });

  it('keeps nothing of a run whose lease is lost: another one decides now', async () => {
    const { journal } = await journalOn({ commit: () => Promise.reject(new LeaseLostError()) });
    await expect(journal.close(intent)).rejects.toMatchObject({ diagnostics: [{ code: 'state-lease-lost' }] });
    expect(journal.hasOutbox).toBe(false);
  });

  it('lets a bug through as it is', async () => {
    const { journal, failures } = await journalOn({ commit: () => Promise.reject(new TypeError('bug')) });
    await expect(journal.close(intent)).rejects.toThrow(TypeError);
    expect(failures).toEqual([]);
  });
});
