// Worlds that follow from numbers, in virtual time; test/simulator/command-line.ts says how they are asked for.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { askedFor } from '../test/simulator/command-line.js';
import { mutants } from '../test/simulator/mutants.js';
import { planted, type PlantedBug } from '../test/simulator/planted.js';
import { switched } from '../test/simulator/switches.js';
import { bundle, root } from './simulator-bundle.mjs';

/**
 * A world leaves much behind at once, and little of it stays; it comes to many functions, and to few often: optimizing these as early as
 * usual takes a third of a short search, and later than this a tenth of a long one. An engine that does not know one of these has a quick
 * compiler in its place.
 */
const engine = [
  '--max-semi-space-size=64',
  '--single-threaded-gc',
  '--always-sparkplug',
  '--interrupt-budget=200000',
].filter((option) => spawnSync(process.execPath, [option, '--version']).status === 0);
const cache = join(root, 'node_modules/.cache/simulator');
const words = process.argv.slice(2);
const { values, positionals } = askedFor(words);

const chosen = values.planted ? planted : values.mutants === undefined ? undefined : mistakes(Number(values.mutants));
if (chosen !== undefined) await allFound(chosen.filter(({ name }) => new RegExp(values.only ?? '').test(name)));
else
  process.exitCode =
    spawnSync(process.execPath, [...engine, await bundle(join(cache, 'main.mjs')), ...words], {
      cwd: root,
      stdio: 'inherit',
    }).status ?? 1;

/** Small mistakes, but for those of which is known why no world tells them. */
function mistakes(count: number): readonly PlantedBug[] {
  const all = mutants(root, count, Number(values.seed ?? 1));
  const lines = readFileSync(join(root, 'test/simulator/mutants-left.md'), 'utf8').split('\n');
  const known = new Set(lines.map((line) => /^- (`+) ?(.*?) ?\1$/.exec(line)?.[2]));
  const left = all.filter(({ name }) => !known.has(name));
  console.log(
    `${String(all.length - left.length)} of ${String(all.length)} are left out: test/simulator/mutants-left.md`,
  );
  return left;
}

interface Told {
  readonly number: number;
  readonly seconds?: number;
  readonly seed?: number;
  readonly told?: string;
  readonly file?: string;
  readonly worlds?: number;
  readonly reached?: number;
}

/** All are in one program, which looks for them in the same worlds. */
async function allFound(bugs: readonly PlantedBug[]): Promise<void> {
  const program = await bundle(join(cache, `${String(process.pid)}-planted.mjs`), (file: string) => {
    const inIt = [...bugs.entries()].filter(([, bug]) => bug.file === file);
    return inIt.length === 0 ? undefined : switched(readFileSync(join(root, file), 'utf8'), inIt);
  });
  const limits = ['--for', values.for ?? '10m', '--from', values.from ?? '1'];
  const flags = (['shrink', 'trace'] as const).flatMap((name) => (values[name] ? [`--${name}`] : []));
  const asked = [...engine, program, '--bugs', String(bugs.length), ...limits, ...flags, ...positionals];
  const child = spawn(process.execPath, asked, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const found = new Set<number>();
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith('{')) {
      console.log(line);
      continue;
    }
    const { number, seed, seconds = 0, told, file, worlds, reached } = JSON.parse(line) as Told;
    const { name } = bugs[number] as PlantedBug;
    if (seed !== undefined || told !== undefined) found.add(number);
    if (file !== undefined)
      console.log(`${told === undefined ? 'NOT SHOWN' : 'shown'} by ${file}: ${name}\n    ${told ?? ''}`);
    else
      console.log(
        seed === undefined
          ? `NOT FOUND in ${String(worlds)} worlds, of which ${String(reached)} came to its place: ${name}`
          : `found by seed ${String(seed)} in ${seconds.toFixed(1)} s: ${name}\n    ${told ?? ''}`,
      );
  }
  rmSync(program);
  console.log(`${String(found.size)} of ${String(bugs.length)} found`);
  if (found.size < bugs.length && values.planted) process.exitCode = 1;
}
