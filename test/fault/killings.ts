import { runChaos, type ChaosRun } from './chaos.js';
import { CrashBench, type BenchState } from './crash-bench.js';
import { killAtEveryWrite } from './every-write.js';
import type { Report } from './report.js';

export interface KillingOptions {
  /** Its name in the report. */
  readonly backend: string;
  readonly runs: number;
  readonly steps: number;
  readonly seed: number;
  readonly latencyMs: number;
  readonly everyWrite: boolean;
  /** Objects bear ownership marks; without the kills at every write, they are turned on in between. */
  readonly marks: boolean;
}

/** Kills at each point of each kind of write, then at random moments. */
export async function killings(report: Report, state: BenchState, options: KillingOptions): Promise<void> {
  const { backend, runs: count, steps, seed, latencyMs, everyWrite, marks } = options;
  const bench = await CrashBench.start(state, latencyMs);
  const start = performance.now();
  try {
    if (everyWrite) {
      bench.isMarked = marks;
      const killed = await killAtEveryWrite(bench, ({ point, write, nth, violations }) =>
        report.violation(`${backend} ${point} of ${write} ${nth}`, violations),
      );
      report.rows.push({ backend, kind: 'every write', runs: killed.length, killed: killed.length, ...seconds(start) });
      report.tell(`${backend}: killed at every write, ${killed.length} times`);
    }
    const startOfRandom = performance.now();
    const onRun = (run: ChaosRun): void => {
      report.violation(`${backend} run ${run.number}, killed after ${run.writesBegun} writes`, run.violations);
      if (run.number % 20 === 0) report.tell(`${backend}: ${run.number} runs`);
    };
    const runs = await runChaos(bench, {
      ...{ runs: count, steps, seed, onRun },
      ...(marks ? { marksFrom: everyWrite ? 1 : 3 } : {}),
    });
    report.rows.push({ backend, kind: 'random', runs: runs.length, ...summary(runs), ...seconds(startOfRandom) });
  } finally {
    await bench.close();
  }
}

function summary(runs: readonly ChaosRun[]): Record<string, number> {
  const sum = (of: (run: ChaosRun) => number): number => runs.reduce((total, run) => total + of(run), 0);
  return {
    killed: sum((run) => (run.survived ? 0 : 1)),
    'steps left': sum((run) => run.stepsLeft),
    adopted: sum((run) => run.recovered['adopted'] ?? 0),
    'not sent': sum((run) => run.recovered['not-sent'] ?? 0),
    deleted: sum((run) => run.recovered['deleted'] ?? 0),
  };
}

function seconds(since: number): { readonly seconds: number } {
  return { seconds: Math.round((performance.now() - since) / 1000) };
}
