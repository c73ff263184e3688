// Everything that must hold before a change goes in. `--fast` runs the fast tests alone, `--no-tests` none but the
// architecture's.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tool = (path, ...args) => [process.execPath, `node_modules/${path}`, ...args];
const [suite, tests] = process.argv.includes('--no-tests')
  ? ['architecture', ['test/architecture.test.ts']]
  : process.argv.includes('--fast')
    ? ['fast tests', ['--project', 'fast']]
    : ['tests', []];

const steps = [
  ['types', tool('typescript/bin/tsc', '--noEmit')],
  ['lint', tool('eslint/bin/eslint.js', '.', '--max-warnings', '0')],
  ['format', tool('prettier/bin/prettier.cjs', '--check', '.', '--log-level', 'warn')],
  ['generated files', tool('tsx/dist/cli.mjs', 'scripts/generate.ts', '--check')],
  ['error codes page', tool('tsx/dist/cli.mjs', 'scripts/generate-errors.ts', '--check')],
  [suite, tool('vitest/vitest.mjs', 'run', ...tests)],
];

const failed = [];
for (const [name, [command, ...args]] of steps) {
  const startedAt = Date.now();
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exit(1);
}
