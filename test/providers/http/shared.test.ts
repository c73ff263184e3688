import { describe, expect, it } from 'vitest';
import { Shared } from '@platform-sync/rest/session';

/** Calls that are answered when the test says so, with the number of the call. */
function calls(): {
  readonly call: () => Promise<number>;
  readonly answer: (nth: number) => void;
  readonly count: () => number;
} {
  const open: (() => void)[] = [];
  return {
    call: () => {
      const nth = open.length + 1;
      return new Promise((resolve) => open.push(() => resolve(nth)));
    },
    answer: (nth) => open[nth - 1]?.(),
    count: () => open.length,
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a shared call', () => {
  it('answers all who asked before it began, and none who asked later', async () => {
    const shared = new Shared();
    const { call, answer, count } = calls();
    const first = shared.ask('a', undefined, call);
    const later = Array.from({ length: 50 }, () => shared.ask('a', undefined, call));
    expect(count()).toBe(1);
    answer(1);
    expect(await first).toBe(1);
    await settled();
    expect(count()).toBe(2);
    const late = shared.ask('a', undefined, call);
    answer(2);
    expect(new Set(await Promise.all(later))).toEqual(new Set([2]));
    await settled();
    answer(3);
    expect(await late).toBe(3);
  });

  it('is not held up by another one, nor by one that failed', async () => {
    const shared = new Shared();
    const { call, answer, count } = calls();
    const failing = shared.ask('a', undefined, () => Promise.reject(new Error('no')));
    const next = shared.ask('a', undefined, call);
    const other = shared.ask('b', undefined, call);
    await expect(failing).rejects.toThrow('no');
    await settled();
    expect(count()).toBe(2);
    answer(1);
    answer(2);
    expect(await Promise.all([other, next])).toEqual([1, 2]);
  });

  it('is not shared by those who are called off by another signal', async () => {
    const shared = new Shared();
    const { call, answer, count } = calls();
    const signal = new AbortController().signal;
    const all = [shared.ask('a', undefined, call), shared.ask('a', undefined, call), shared.ask('a', signal, call)];
    expect(count()).toBe(2);
    answer(1);
    answer(2);
    await settled();
    answer(3);
    expect(await Promise.all(all)).toEqual([1, 3, 2]);
  });
});
