// Worlds that follow from numbers, in virtual time. docs/develop/simulate.md says what they hold, and what to do with a number that fails.
// npm run simulate -- [OPTION…] [FILE…]
//   (none)          new worlds for --for (1m; s, m, h), or --worlds N of them, from --from SEED on; --shrink keeps each failing one
//                   as the smallest world that fails alike, in test/simulator/found; --stop-at-first
//   --seed N        this one world; --trace: all that happens in it
//   FILE…           worlds as data, such as those of test/simulator/found
//   --planted       is every planted bug found, each within --for of a core? --only WORD: those whose name has it
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { planted } from '../test/simulator/planted.js';
import { bundle, root } from './simulator-bundle.mjs';

const cache = join(root, 'node_modules/.cache/simulator');
const words = process.argv.slice(2);
const { values } = parseArgs({
  args: words,
  strict: false,
  options: { planted: { type: 'boolean' }, only: { type: 'string' }, for: { type: 'string' } },
});

if (values.planted === true) await allPlanted();
else
  process.exitCode =
    spawnSync(process.execPath, [await bundle(join(cache, 'main.mjs')), ...words], { cwd: root, stdio: 'inherit' })
      .status ?? 1;

async function allPlanted(): Promise<void> {
  const chosen = planted.filter(({ name }) => name.includes(String(values.only ?? '')));
  let found = 0;
  for (const bug of chosen) {
    const program = await bundle(join(cache, 'planted.mjs'), [bug]);
    const limit = ['--for', String(values.for ?? '10m'), '--from', '1', '--stop-at-first'];
    const { stdout } = spawnSync(process.execPath, [program, ...limit], { cwd: root, encoding: 'utf8' });
    const [, told] = /FAILED\n {2}(.*)/.exec(stdout) ?? [];
    if (told !== undefined) found += 1;
    const seconds = /in ([\d.]+) s of a core/.exec(stdout)?.[1] ?? '?';
    console.log(
      `${told === undefined ? 'NOT FOUND' : 'found'} in ${seconds} s: ${bug.name}\n    ${told ?? stdout.trim()}`,
    );
  }
  console.log(`${String(found)} of ${String(chosen.length)} planted bugs found`);
  if (found < chosen.length) process.exitCode = 1;
}
