import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { errorSections } from '../../scripts/generate/errors.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const explained = new Set(errorSections.flatMap(({ codes }) => Object.keys(codes)));

/** The codes that the files write beside a severity. */
function reportedCodes(): readonly string[] {
  const files = globSync('src/**/*.ts', { cwd: root, ignore: ['src/sandbox/**', '**/generated/**'] });
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...text.matchAll(/severity: '[a-z]+',\s+code: '([^']+)'/g)].map(([, code = '']) => code);
  });
}

test('Every code that a diagnostic is written with is explained in docs/errors.yaml.', () => {
  const reported = reportedCodes();
  expect(reported.length).toBeGreaterThan(50);
  expect(reported.filter((code) => !explained.has(code))).toEqual([]);
});

test('Every section of docs/errors.yaml belongs to a folder of src, and to a type of its own.', () => {
  const rooms = errorSections.filter(({ room }) => globSync(`${room}/**/*.ts`, { cwd: root }).length === 0);
  expect(rooms.map(({ room }) => room)).toEqual([]);
  const types = errorSections.map(({ type }) => type);
  expect(types).toEqual([...new Set(types)]);
});
