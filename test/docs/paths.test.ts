import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const pages = globSync(['docs/**/*.md', 'README.md', 'CONTRIBUTING.md'], { cwd: root }).sort();
/** What the pages on adding something have a reader make. */
const madeByReaders = /state-count|\bdns\b|csv\.ts$/;

it('every page names only files and folders of the project that are there', () => {
  const named = pages.flatMap((page) =>
    [
      ...readFileSync(path.join(root, page), 'utf8').matchAll(/`((?:src|test|scripts|schemas|bench|ci)\/[\w./-]+)`/g),
    ].map(([, file = '']) => ({ page, file })),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ file }) => !madeByReaders.test(file) && !existsSync(path.join(root, file)))).toEqual([]);
});
