import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { globSync } from 'tinyglobby';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundle, root } from '../../scripts/simulator-bundle.mjs';
import { droppedParts } from './dropped-parts.js';
import { openQuestions } from './open-questions.js';
import { planted } from './planted.js';
import { switched } from './switches.js';

let program = '';
beforeAll(async () => {
  program = await bundle(join(root, 'node_modules/.cache/simulator/test.mjs'));
});

async function simulated(...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], { cwd: root });
  return stdout;
}

interface Failed {
  readonly code: number;
  readonly stderr: string;
}

describe('simulated worlds', () => {
  it('hold what must be true, and follow from their numbers: two processes give the same digests', async () => {
    const worlds = async (): Promise<string | undefined> =>
      /^.* 0 failed; digest \w+$/m
        .exec(await simulated('--worlds', '5', '--from', '1'))?.[0]
        .replace(/ in [\d.]+ s of a core, [\d.]+ a second/, '');
    const first = await worlds();
    expect(first).toMatch(/^5 worlds from seed 1/);
    expect(await worlds()).toBe(first);
  });

  it('that once went wrong go right', async () => {
    const found = globSync('test/simulator/found/*.json', { cwd: root });
    if (found.length > 0) expect(await simulated(...found)).not.toContain('FAILED');
  });
});

describe('a command line of the simulator', () => {
  it.each([
    [['--seed', 'seven'], '--seed seven: not a whole number. Write one, such as --seed 7.'],
    [['--for', 'ten'], '--for ten: not a time. Write one, such as --for 90s, --for 10m or --for 2h.'],
    [['--sed', '7'], "Unknown option '--sed'"],
    [['missing.json'], 'missing.json: no world: ENOENT'],
  ])('%j is told what is wrong with it, and how it is written', async (words, told) => {
    const { code, stderr } = await simulated(...words).then(
      (): Failed => ({ code: 0, stderr: '' }),
      (error: unknown) => error as Failed,
    );
    expect(code).toBe(2);
    expect(stderr.startsWith(told)).toBe(true);
    expect(stderr).toContain('npm run simulate -- [OPTION…] [FILE…]');
    expect(stderr).not.toContain('    at ');
  });

  it('may ask how it is written', async () => {
    expect(await simulated('--help')).toContain('npm run simulate -- [OPTION…] [FILE…]');
  });
});

describe.each([
  ['what became of a write that a killed run left open is told by evidence alone', openQuestions],
  ['what runs wrote and no file says any more is taken away, however old the answers', droppedParts],
])('%s,', (_what, worlds) => {
  it('whatever somebody does meanwhile', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sync-worlds-'));
    const files = [...worlds].map(([name, world]) => {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(world));
      return file;
    });
    const told = await simulated(...files).catch((error: unknown) => String((error as { stdout?: string }).stdout));
    await rm(folder, { recursive: true });
    expect(told.match(/.* FAILED\n.*/g) ?? []).toEqual([]);
    expect(told.match(/: digest /g)).toHaveLength(worlds.size);
  });
});

describe('planted bugs', () => {
  it.each(planted)('$name: the text that it replaces stands in $file once, in a function', (bug) => {
    expect(switched(readFileSync(join(root, bug.file), 'utf8'), [[0, bug]])).toContain('__planted(0,0)');
  });
});
