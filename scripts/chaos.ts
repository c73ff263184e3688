// What befalls runs, far more often than the tests have time for. Each ends with an error if an object is missing, left over
// or there twice. npm run chaos -- [OPTION…]
//   (none)          kills at every write of a small change, then --runs (300) times at random in a large one of --steps (300);
//                   --backend sqlite|postgres|pgbouncer|all (default sqlite and postgres), --seed, --no-every-write;
//                   --marks: with ownership marks on the objects
//   --fencing       runs that lose their lease while their writes wait, each trouble --runs (50) times, with leases of
//                   --lease milliseconds (1500; 30000 is real time); --trouble NAME for one of them
//   --two           two processes on one SQLite file for --minutes (10)
//   --restarts      a PostgreSQL server that is restarted in the middle of --runs (20) runs
//   --clock         processes whose clock jumps back and forth, --runs (20) of them; needs libfaketime
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/postgres/server.js';
import { clockJumps } from '../test/fault/clock-jumps.js';
import { fencing } from '../test/fault/fencing-runs.js';
import { killings } from '../test/fault/killings.js';
import { hasPgbouncer, startPgbouncer } from '../test/fault/pgbouncer.js';
import { restarts } from '../test/fault/restarts.js';
import { twoProcesses } from '../test/fault/two-processes.js';
import type { Report } from '../test/fault/report.js';

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({
  options: {
    runs: text,
    steps: { ...text, default: '300' },
    backend: { ...text, default: 'sqlite,postgres' },
    seed: { ...text, default: '1' },
    latency: { ...text, default: '2' },
    'no-every-write': flag,
    marks: flag,
    fencing: flag,
    lease: { ...text, default: '1500' },
    trouble: text,
    two: flag,
    minutes: { ...text, default: '10' },
    restarts: flag,
    clock: flag,
  },
});

let violations = 0;
const report: Report = {
  rows: [],
  violation: (what, found) => {
    violations += found.length;
    for (const violation of found) console.error(`VIOLATION ${what}: ${violation}`);
  },
  tell: (line) => console.log(line),
};
const runs = (usual: number): number => Number(values.runs ?? usual);
const start = performance.now();
if (values.fencing) await fencing(report, { ...values, runs: runs(50), ttlMs: Number(values.lease) });
else if (values.two) await twoProcesses(report, Number(values.minutes));
else if (values.restarts) await restarts(report, runs(20));
else if (values.clock) await clockJumps(report, runs(20));
else for (const backend of backends(values.backend)) await onBackend(backend);
console.table(report.rows);
console.log(`${Math.round((performance.now() - start) / 1000)} s`);
console.log(violations === 0 ? 'Every run was put right by the next one.' : `${violations} violations`);
process.exitCode = violations === 0 ? 0 : 1;

function backends(given: string): readonly string[] {
  return given === 'all' ? ['sqlite', 'postgres', 'pgbouncer'] : given.split(',');
}

async function onBackend(backend: string): Promise<void> {
  const options = {
    backend,
    runs: runs(300),
    steps: Number(values.steps),
    seed: Number(values.seed),
    latencyMs: Number(values.latency),
    everyWrite: !values['no-every-write'],
    marks: values.marks,
  };
  if (backend === 'sqlite') return killings(report, { backend: 'sqlite' }, options);
  if (backend === 'pgbouncer' && !hasPgbouncer()) return report.tell('skipped: there is no pgbouncer on this machine');
  const postgres = await startPostgres();
  try {
    const database = new URL(await postgres.createDatabase());
    // A pooler passes no settings of a connection on: the public schema is it then.
    if (backend === 'pgbouncer') database.searchParams.delete('options');
    const pooler = backend === 'pgbouncer' ? await startPgbouncer(database.href) : undefined;
    await killings(report, { backend: 'postgres', url: pooler?.url ?? database.href }, options);
    await pooler?.stop();
  } finally {
    await postgres.stop();
  }
}
