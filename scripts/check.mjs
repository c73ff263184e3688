// Everything that must hold before a change goes in. `--fast` runs the fast tests alone, `--no-tests` none.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';

const root = fileURLToPath(new URL('..', import.meta.url));
const tool = (path, ...args) => [process.execPath, `node_modules/${path}`, ...args];
const isFast = process.argv.includes('--fast');
const [tests, files] = isFast ? ['fast tests', ['--project', 'fast']] : ['tests', ['--project', '!longest']];

const checks = [
  ['lint', tool('eslint/bin/eslint.js', '.', '--max-warnings', '0')],
  ['types', tool('typescript/bin/tsc', '--noEmit')],
  ['format', tool('prettier/bin/prettier.cjs', '--check', '.', '--log-level', 'warn')],
  // `npm test` looks at them, too.
  ...(isFast ? [['generated files', tool('tsx/dist/cli.mjs', 'scripts/generate.ts', '--check')]] : []),
];
const suites = process.argv.includes('--no-tests') ? [] : [[tests, tool('vitest/vitest.mjs', 'run', ...files)]];

/** Runs one step and says how it went. Beside another one, what it prints comes out in one piece. */
async function run([name, [command, ...args]], { isAlone = false } = {}) {
  const startedAt = Date.now();
  const child = spawn(command, args, { cwd: root, stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
  const [status] = await once(child, 'close');
  process.stdout.write(Buffer.concat(printed));
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  return status === 0 ? [] : [name];
}

// Each of the checks has one thread, so two of them run at a time; the tests use all cores.
const two = pLimit(2);
const failed = [...(await Promise.all(checks.map((step) => two(() => run(step))))).flat()];
for (const suite of suites) failed.push(...(await run(suite, { isAlone: true })));
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exit(1);
}
