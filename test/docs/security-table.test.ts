import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../ci/recipe.js';

const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
/** The rows of "Who can do what", without its head. */
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.slice(1, -1).split('|'))
  .filter((cells) => cells.length === 6)
  .slice(2);

/** `[ci/review, security/ways, "the listener"]` → two names. */
const testsIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/\[([^\]]+)\]/g)].flatMap(([, names = '']) => names.match(/[a-z]+(?:\/[\w-]+)+/g) ?? []);

describe('the table of who can do what', () => {
  it('names tests that are there', () => {
    const named = rows.flat().flatMap(testsIn);
    const there = (name: string): boolean =>
      existsSync(join(root, 'test', `${name}.test.ts`)) || existsSync(join(root, 'test', name));
    expect([rows.length, named.filter((name) => !there(name))]).toEqual([12, []]);
  });

  it('says of each author what they can learn, and by which test that is held', () => {
    expect(rows.filter((cells) => testsIn(cells.at(-1) ?? '').length === 0)).toEqual([]);
  });
});
