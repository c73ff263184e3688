// The laws of the engine and 1,000 damaged definitions, for longer than a test run has time for: node scripts/soak.mjs [RUNS, default 100000]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const runs = process.argv[2] ?? '100000';
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'test/laws', 'test/kit', '--testTimeout', '86400000'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SYNC_LAW_RUNS: runs, SYNC_DEFINITION_MUTANTS: '1000' },
  },
);
process.exitCode = status ?? 1;
