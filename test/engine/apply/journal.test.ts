import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ApplyContext } from '../../../src/engine/apply/context.js';
import { Journal } from '../../../src/engine/apply/journal.js';
import type { Diagnostic } from '../../../src/engine/model/diagnostic.js';
import { LeaseLostError, StateStoreError } from '../../../src/engine/model/state-store.js';
import type { StateStore } from '../../../src/engine/model/state-store.js';
import { stateDiagnostics } from '../../../src/engine/state/diagnose.js';
import { memoryStateStore } from '../../../src/engine/state/memory.js';
import { creating } from './stubs.js';

afterEach(() => {
  vi.restoreAllMocks();
});

const intent = creating('shop', { name: 'Shop' });

async function journalOn(methods: Partial<StateStore>): Promise<{
  readonly journal: Journal;
  readonly failures: (readonly Diagnostic[])[];
  readonly waits: number[];
}> {
  const store = memoryStateStore('shop', 'dev');
  const lease = await store.acquire('apply', { owner: 'me', waitMs: 0 });
  const waits: number[] = [];
  const failures: (readonly Diagnostic[])[] = [];
  const context: Pick<ApplyContext, 'store' | 'lease' | 'explain' | 'sleep' | 'onEvent'> = {
    store: { ...methods, close: () => store.close() } as StateStore,
    lease,
    explain: stateDiagnostics,
    sleep: async (ms) => void waits.push(ms),
    onEvent: () => undefined,
  };
  return { journal: new Journal(context as ApplyContext, (found) => failures.push(found)), failures, waits };
}

describe('journal', () => {
  it('writes an intent once more when writing it took so long that the lease may have been lost meanwhile', async () => {
    let now = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => now);
    let begins = 0;
    const { journal } = await journalOn({
      begin: async () => {
        begins += 1;
        now += begins === 1 ? 40_000 : 5;
      },
    });
    await journal.begin(intent);
    expect(begins).toBe(2);
  });

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

  it('lets a bug through as it is', async () => {
    const { journal, failures } = await journalOn({ commit: () => Promise.reject(new TypeError('bug')) });
    await expect(journal.close(intent)).rejects.toThrow(TypeError);
    expect(failures).toEqual([]);
  });
});
