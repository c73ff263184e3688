// Kills runs of `apply` and looks whether the next run puts everything right: at every write of a small change, then at
// random moments of a large one. npm run chaos -- --runs 300 --steps 300 --backend sqlite|postgres|both --seed 1
// With --fencing: runs that lose their lease while their writes wait, each trouble --runs times (default 50), with leases of
// --lease milliseconds (30000 is real time).
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/engine/state/postgres-server.js';
import { runChaos } from '../test/fault/chaos.js';
import type { ChaosRun } from '../test/fault/chaos.js';
import { CrashBench } from '../test/fault/crash-bench.js';
import type { BenchState } from '../test/fault/crash-bench.js';
import { killAtEveryWrite } from '../test/fault/every-write.js';
import { objects, runFencing, troubles } from '../test/fault/fencing.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    steps: { type: 'string', default: '300' },
    backend: { type: 'string', default: 'both' },
    seed: { type: 'string', default: '1' },
    latency: { type: 'string', default: '2' },
    'no-every-write': { type: 'boolean', default: false },
    fencing: { type: 'boolean', default: false },
    lease: { type: 'string', default: '1500' },
  },
});

const backends = values.backend === 'both' ? ['sqlite', 'postgres'] : [values.backend];
let violations = 0;
const rows: Record<string, string | number>[] = [];
if (values.fencing) await fencing();
else
  for (const backend of backends) {
    const postgres = backend === 'postgres' ? await startPostgres() : undefined;
    try {
      const state: BenchState =
        postgres === undefined ? { backend: 'sqlite' } : { backend: 'postgres', url: await postgres.createDatabase() };
      await measure(backend, state);
    } finally {
      await postgres?.stop();
    }
  }
console.table(rows);
console.log(violations === 0 ? 'Every run was put right by the next one.' : `${violations} violations`);
process.exitCode = violations === 0 ? 0 : 1;

async function measure(backend: string, state: BenchState): Promise<void> {
  const bench = await CrashBench.start(state, Number(values.latency));
  const start = performance.now();
  try {
    if (!values['no-every-write']) {
      const killed = await killAtEveryWrite(bench, ({ point, write, nth, violations: found }) =>
        report(`${backend} ${point} of ${write} ${nth}`, found),
      );
      rows.push({ backend, kind: 'every write', runs: killed.length, killed: killed.length, ...seconds(start) });
    }
    const startOfRandom = performance.now();
    const runs = await runChaos(bench, {
      runs: Number(values.runs ?? 300),
      steps: Number(values.steps),
      seed: Number(values.seed),
      onRun: (run) => {
        report(`${backend} run ${run.number}, killed after ${run.writesBegun} writes`, run.violations);
        if (run.number % 20 === 0) console.log(`${backend}: ${run.number} runs`);
      },
    });
    rows.push({ backend, kind: 'random moment', runs: runs.length, ...summary(runs), ...seconds(startOfRandom) });
  } finally {
    await bench.close();
  }
}

async function fencing(): Promise<void> {
  const postgres = await startPostgres();
  try {
    for (const trouble of troubles) {
      const needsServer = trouble === 'partition' || trouble === 'black-holed database';
      const ended: number[] = [];
      const runs = Number(values.runs ?? 50);
      for (let nth = 1; nth <= runs; nth += 1) {
        const database = needsServer ? { database: await postgres.createDatabase() } : {};
        const { names, second, stepsLeft, endedAfterMs } = await runFencing({
          trouble,
          ttlMs: Number(values.lease),
          ...database,
        });
        ended.push(Math.round(endedAfterMs));
        const isRight = names.length === objects && new Set(names).size === objects && stepsLeft === 0;
        report(
          `${trouble} ${nth}`,
          isRight && second.status === 'done' ? [] : [`${names.length} objects, ${second.status}`],
        );
      }
      rows.push({ trouble, runs, 'first run ended after at most (ms)': Math.max(...ended) });
    }
  } finally {
    await postgres.stop();
  }
}

function report(what: string, found: readonly string[]): void {
  violations += found.length;
  for (const violation of found) console.error(`VIOLATION ${what}: ${violation}`);
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
