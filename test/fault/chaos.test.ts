import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runChaos } from './chaos.js';
import { CrashBench } from './crash-bench.js';

let bench: CrashBench;
beforeAll(async () => {
  bench = await CrashBench.start({ backend: 'sqlite' }, 2);
});
afterAll(() => bench.close());

describe('runs of sixty mixed steps, killed at a random moment', () => {
  // `npm run chaos` does this hundreds of times, with larger runs and on both databases.
  it('are finished by the next run: all equal, nothing twice, nothing left over', async () => {
    const runs = await runChaos(bench, { runs: 6, steps: 60, seed: 5 });
    expect(runs.flatMap(({ violations }) => violations)).toEqual([]);
    expect(runs.some(({ survived }) => !survived)).toBe(true);
  });

  it('the same while ownership marks are turned on, and with them: each object says whose it is', async () => {
    const runs = await runChaos(bench, { runs: 5, steps: 24, seed: 6, marksFrom: 3 });
    expect(runs.flatMap(({ violations }) => violations)).toEqual([]);
    expect(runs.some(({ survived }) => !survived)).toBe(true);
  });
});
