import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findRegressions, measureForCheck } from './check.js';
import { thisMachine } from './machine.js';
import { measureAll } from './measure.js';
import { readOptions, usage, UsageProblem, type BenchOptions } from './options.js';
import { startDurablePostgres, type PostgresServer } from '../test/postgres/server.js';
import { readKept, report } from './report.js';
import type { Bench } from './world.js';

async function run(options: BenchOptions): Promise<void> {
  if (options.from !== undefined) {
    const { rows, machine } = await readKept(options.from);
    return report(rows, machine, options);
  }
  requireBuilt(options.program);
  const machine = thisMachine(options.program);
  let postgres: Promise<PostgresServer> | undefined;
  const bench: Bench = {
    program: options.program,
    runs: options.runs,
    postgres: () => (postgres ??= startDurablePostgres(options.postgres)),
  };
  try {
    const rows = options.check
      ? await measureForCheck(bench, options.isFull)
      : await measureAll(bench, options, console.error);
    await report(rows, machine, options);
    if (options.check) reportRegressions(findRegressions(rows));
  } finally {
    await (await postgres)?.stop();
  }
}

function requireBuilt(program: string): void {
  const built = join(dirname(program), '../dist/cli/main.js');
  if (!existsSync(built)) throw new UsageProblem(`There is no ${built}: run npm run build there first.`);
}

function reportRegressions(found: readonly string[]): void {
  for (const line of found) console.error(`worse than it may be: ${line}`);
  if (found.length === 0) console.error('request counts and growth are as they should be');
  process.exitCode = found.length > 0 ? 1 : 0;
}

try {
  await run(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageProblem)) throw error;
  console.error(`${error.message}\n\n${usage}`);
  process.exitCode = 64;
}
