import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { longRooms } from '../vitest.config.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Fast all the same: a server or a tool that starts once in a moment. */
const known = new Set(['test/engine/state/process-identity.test.ts', 'test/engine/plan-base/plan-base.test.ts']);

/** The file, and all of the tests' own files that it imports. */
function reach(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file) || known.has(file)) return seen;
  seen.add(file);
  for (const [, specifier = ''] of textOf(file).matchAll(/from '(\.[^']+)'/g)) {
    const target = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
    if (target.startsWith('test/') && existsSync(join(root, target))) reach(target, seen);
  }
  return seen;
}

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

test('what starts a process or a browser stands in a room of the long tests', () => {
  const isLong = (file: string): boolean => longRooms.some((room) => file.startsWith(`test/${room}/`));
  const fast = globSync('test/**/*.test.ts', { cwd: root }).filter((file) => !isLong(file));
  const wrong = fast.filter((file) =>
    [...reach(file)].some((one) => /from '(node:child_process|playwright-core)'/.test(textOf(one))),
  );
  expect(wrong).toEqual([]);
});

test('every room of the long tests is there', () => {
  expect(longRooms.filter((room) => globSync(`test/${room}/**/*.test.ts`, { cwd: root }).length === 0)).toEqual([]);
});
