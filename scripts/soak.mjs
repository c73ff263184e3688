// The laws, whole tables, 1,000 damaged definitions and every field of all types, also under Pulumi's engine, for longer than a test run has time for: npm run soak -- [--minutes 5] [--runs 100000] [--seed 1] [file or folder …]
// Each law ends after so many cases or so many minutes, whichever comes first. Unless minutes are given, worlds with options
// are tried to the last of their 100,000, which takes most of an hour; all laws together take about two.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string' },
  },
});
const minutes = values.minutes ?? '5';
const seed = values.seed ?? String(Date.now() % 2 ** 31);
const files =
  positionals.length > 0
    ? positionals
    : [
        'test/laws',
        ...withPartOfTables(),
        'test/conformance/mutants.test.ts',
        'test/derived/fields.test.ts',
        'test/derived/references.test.ts',
        'test/pulumi/real-yaml.test.ts',
        'test/pulumi/real-programs.test.ts',
        'test/pulumi/sdks.test.ts',
        'test/pulumi/stand-in.test.ts',
      ];
console.log(`${files.join(' ')}: at most ${minutes} minutes and ${values.runs} cases a law, seed ${seed}`);
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...files,
    '--reporter',
    'verbose',
    '--maxWorkers',
    '1',
    '--testTimeout',
    '86400000',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      SYNC_LAW_RUNS: values.runs,
      SYNC_LAW_MINUTES: minutes,
      ...(values.minutes === undefined && { SYNC_LAW_TO_THE_LAST: '1' }),
      SYNC_LAW_SEED: seed,
      SYNC_DEFINITION_MUTANTS: '1000',
      SYNC_EVERY_FIELD: '1',
      SYNC_WHOLE_TABLES: '1',
    },
  },
);
if (status !== 0)
  console.error(
    'A law that failed names a seed and a path above. Again: SYNC_LAW_SEED=<seed> SYNC_LAW_PATH=<path> npx vitest run <file> -t <name of the law>',
  );
process.exitCode = status ?? 1;

// Worlds of nobody before, bugs that worlds must find, and small mistakes of which they find so many.
if (positionals.length === 0)
  for (const words of [['--for', `${minutes}m`], ['--planted'], ['--mutants', '100', '--for', '10s']]) {
    const simulated = spawnSync(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'scripts/simulate.ts', ...words], {
      cwd: root,
      stdio: 'inherit',
    });
    if (simulated.status !== 0) process.exitCode = 1;
  }

/** Tests that try some rows of a table in every other run. */
function withPartOfTables() {
  const names = readdirSync(`${root}test`, { recursive: true }).map((name) => `test/${name}`);
  return names.filter(
    (name) => name.endsWith('.test.ts') && readFileSync(root + name, 'utf8').includes('part-of-table.js'),
  );
}
