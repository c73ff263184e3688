import { describe, expect, test } from 'vitest';
import { growths } from '../../bench/growth.js';
import { row } from './measurements.js';

describe('growth', () => {
  test('is between sizes that are tenfold, of the same command, latency and backend', () => {
    const rows = [
      row('plan', { size: 100, wall: 10 }),
      row('plan', { size: 5000, wall: 20 }),
      row('plan', { size: 1000, wall: 100 }),
      row('plan', { size: 1000, wall: 1, latencyMs: 86 }),
      row('plan', { size: 1000, wall: 1, backend: 'postgres' }),
      row('apply', { size: 1000, wall: 1 }),
      row('plan', { size: 10_000, wall: 10_000 }),
    ];
    expect(growths(rows).map(({ from, to, wall }) => [from, to, wall])).toEqual([
      [100, 1000, expect.closeTo(1) as number],
      [1000, 10_000, expect.closeTo(2) as number],
    ]);
  });

  test('tells the work from the start of the process', () => {
    const [found] = growths([row('plan', { size: 10, cpu: 110 }), row('plan', { size: 100, cpu: 200 })], 100);
    expect(found?.cpu).toBeCloseTo(0.26, 2);
    expect(found?.cpuBeyondStart).toBeCloseTo(1);
  });

  test('says nothing of work that took less than the start itself', () => {
    const [found] = growths([row('show', { size: 10, cpu: 90 }), row('show', { size: 100, cpu: 200 })], 100);
    expect(found).not.toHaveProperty('cpuBeyondStart');
  });

  test('of requests is told where there were any', () => {
    const at = (size: number, requests: number): ReturnType<typeof row> => row('plan', { size, requests });
    expect(growths([at(10, 11), at(100, 101)])[0]?.requests).toBeCloseTo(0.96, 2);
    expect(growths([at(10, 0), at(100, 0)])[0]).not.toHaveProperty('requests');
  });
});
