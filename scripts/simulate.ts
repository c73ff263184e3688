// Worlds that follow from numbers, in virtual time. docs/develop/simulate.md says what they hold, and what to do with a number that fails.
// npm run simulate -- [OPTION…] [FILE…]
//   (none)          new worlds for --for (1m; s, m, h), or --worlds N of them, from --from SEED on; --shrink keeps each failing one
//                   as the smallest world that fails alike, in test/simulator/found; --stop-at-first
//   --seed N        this one world; --trace: all that happens in it
//   FILE…           worlds as data, such as those of test/simulator/found
//   --planted       is every planted bug found, each within --for of a core? --only PATTERN: those whose name has it; --shrink
//                   keeps the smallest world that shows each
//   --mutants N     the same of N small mistakes in apply, refresh and state; other ones --from SEED
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mutants } from '../test/simulator/mutants.js';
import { planted, type PlantedBug } from '../test/simulator/planted.js';
import { bundle, bundler, root } from './simulator-bundle.mjs';

/**
 * A world leaves much behind at once, and little of it stays; and its code is wide rather than hot, so that compilers which work
 * beside it take more of a core than they give back.
 */
const roomy = ['--max-semi-space-size=64', '--single-threaded', '--interrupt-budget=2000000'];
const cache = join(root, 'node_modules/.cache/simulator');
const words = process.argv.slice(2);
const { values } = parseArgs({
  args: words,
  strict: false,
  options: {
    planted: { type: 'boolean' },
    mutants: { type: 'string' },
    shrink: { type: 'boolean' },
    only: { type: 'string' },
    for: { type: 'string' },
    from: { type: 'string' },
  },
});

if (values.planted === true)
  await allFound(planted.filter(({ name }) => new RegExp(String(values.only ?? '')).test(name)));
else if (values.mutants !== undefined) await allFound(mutants(root, Number(values.mutants), Number(values.from ?? 1)));
else
  process.exitCode =
    spawnSync(process.execPath, [...roomy, await bundle(join(cache, 'main.mjs')), ...words], {
      cwd: root,
      stdio: 'inherit',
    }).status ?? 1;

async function allFound(chosen: readonly PlantedBug[]): Promise<void> {
  const at = (name: string): string => join(cache, `${String(process.pid)}-${name}.mjs`);
  const [sound, program] = [await bundle(at('sound')), at('unsound')];
  const files = chosen.map(({ file }) => file);
  const { make, close } = await bundler(program, files);
  let found = 0;
  for (const bug of chosen) {
    const { told, seconds, seed } = firstFound(await make([bug]), sound);
    const isFound = told !== undefined && seed !== undefined;
    if (isFound) found += 1;
    if (isFound && values.shrink === true) {
      const name = bug.name.replaceAll(/\W+/g, '-');
      process.stdout.write(output(program, ['--seed', String(seed), '--shrink', '--as', name]));
    }
    const where = isFound ? `found by seed ${String(seed)}` : 'NOT FOUND';
    console.log(`${where} in ${seconds.toFixed(1)} s: ${bug.name}${told === undefined ? '' : `\n    ${told}`}`);
  }
  await close();
  for (const file of [sound, program]) rmSync(file);
  console.log(`${String(found)} of ${String(chosen.length)} found`);
  if (found < chosen.length && values.planted === true) process.exitCode = 1;
}

interface Search {
  /** Undefined: in the time that it had, no world showed it. */
  readonly seed?: number;
  readonly told?: string;
  /** Of a core, in worlds with the bug in them. */
  readonly seconds: number;
}

/** The first world that goes wrong with the bug, and right without it. One that does not end in its time shows nothing. */
function firstFound(program: string, sound: string): Search {
  const limit = secondsOf(String(values.for ?? '10m'));
  for (let [next, seconds] = [1, 0]; seconds < limit;) {
    const left = ['--for', `${String(limit - seconds)}s`, '--from', String(next), '--stop-at-first'];
    const out = output(program, left);
    const [, spent] = /in ([\d.]+) s of a core/.exec(out) ?? [];
    if (spent === undefined) return { told: 'a world does not end', seconds: limit };
    seconds += Number(spent);
    const [, at, told = ''] = /seed (\d+) FAILED\n {2}(.*)/.exec(out) ?? [];
    if (at === undefined) return { seconds };
    const right = output(sound, ['--seed', at]);
    if (right.includes('digest') && !right.includes('FAILED')) return { seed: Number(at), told, seconds };
    next = Number(at) + 1;
  }
  return { seconds: limit };
}

function output(program: string, words: readonly string[]): string {
  // On a machine that is busy, a second of a core takes many.
  const timeout = (600 + 20 * secondsOf(String(values.for ?? '10m'))) * 1000;
  return spawnSync(process.execPath, [...roomy, program, ...words], { cwd: root, encoding: 'utf8', timeout }).stdout;
}

function secondsOf(duration: string): number {
  return Number.parseFloat(duration) * ({ m: 60, h: 3600 }[duration.slice(-1)] ?? 1);
}
