import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { alone, lives, longRooms } from '../vitest.config.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The file, and all of the tests' own files that it imports. */
function reach(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, specifier = ''] of textOf(file).matchAll(/from '(\.[^']+)'/g)) {
    const target = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
    if (target.startsWith('test/') && existsSync(join(root, target))) reach(target, seen);
  }
  return seen;
}

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

const isLong = (file: string): boolean =>
  lives.includes(file) || longRooms.some((room) => file.startsWith(`test/${room}/`));
const fast = globSync('test/**/*.test.ts', { cwd: root }).filter((file) => !isLong(file));

/** The fast files that do, or import of the tests' own what does, something that a file of this text does. */
const fastThat = (does: (text: string, file: string) => boolean): readonly string[] =>
  fast.filter((file) => [...reach(file)].some((one) => does(textOf(one), one)));

test('what starts a process or a browser stands in a room of the long tests', () => {
  expect(fastThat((text) => /from '(node:child_process|playwright-core|.*\/process-tree\.js)'/.test(text))).toEqual([]);
});

test('what runs commands against a platform that listens stands in a room of the long tests', () => {
  const parts = [
    /from '@platform-sync\/cli\/(?:program|main)'/,
    /from '(?:@platform-sync\/sandbox\/server|node:https?)'/,
  ];
  const does = (file: string, part: RegExp): boolean => [...reach(file)].some((one) => part.test(textOf(one)));
  expect(fast.filter((file) => parts.every((part) => does(file, part)))).toEqual([]);
});

test('what the soak tries for longer stands in a room of the long tests, mostly with the laws', () => {
  expect(fastThat((_text, file) => file === 'test/laws/runs.ts')).toEqual([]);
});

test('a law that is left beside its unit tries a few hundred cases at most', () => {
  const runs = (text: string): readonly number[] =>
    [...text.matchAll(/numRuns: ([\d_]+)/g)].map(([, count = '']) => Number(count.replaceAll('_', '')));
  expect(fastThat((text) => runs(text).some((count) => count > 300))).toEqual([]);
});

test('every room of the long tests is there', () => {
  expect(longRooms.filter((room) => globSync(`test/${room}/**/*.test.ts`, { cwd: root }).length === 0)).toEqual([]);
});

test('whole lives of fast rooms are there, and each is one of a fast room', () => {
  const inLongRooms = lives.filter((file) => longRooms.some((room) => file.startsWith(`test/${room}/`)));
  expect([inLongRooms, lives.filter((file) => !existsSync(join(root, file)))]).toEqual([[], []]);
});

test('the page for contributors names every room of the long tests', () => {
  const [, named = ''] = /rooms that `vitest\.config\.ts`\s+lists: ([^.]+)\./.exec(textOf('CONTRIBUTING.md')) ?? [];
  expect([...named.matchAll(/`(\w+)`/g)].map(([, room]) => room)).toEqual(longRooms);
});

test('what puts a module in the place of another runs alone', () => {
  const mocking = globSync('test/**/*.test.ts', { cwd: root }).filter((file) =>
    /^vi\.(?:do)?[mM]ock\(/m.test(textOf(file)),
  );
  expect(mocking.sort()).toEqual(alone);
});
