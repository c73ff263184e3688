import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, it } from 'vitest';
import { workspaces } from '../../scripts/workspaces.mjs';
import { sectionsOf } from './sections.js';

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

it('every link within the project leads to a file and a heading that are there', () => {
  const links = pages.flatMap((page) => {
    const text = readFileSync(path.join(root, page), 'utf8').replaceAll(/^( *)```[^]*?^\1```$|`[^`\n]+`/gm, '');
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => ({ page, to }));
  });
  const inside = links.filter(({ to }) => !/^\w+:/.test(to));
  expect(inside.length).toBeGreaterThan(200);
  expect(inside.filter(({ page, to }) => !isThere(page, to))).toEqual([]);
});

function isThere(page: string, to: string): boolean {
  const [file = '', anchor] = to.split('#');
  const target = file === '' ? path.join(root, page) : path.join(root, path.dirname(page), file);
  if (!existsSync(target)) return false;
  return anchor === undefined || sectionsOf(readFileSync(target, 'utf8')).has(anchor);
}

it('the README of every package names only what lies in it', () => {
  const named = [...workspaces.values()].flatMap(({ folder }) =>
    [
      ...readFileSync(path.join(root, folder, 'README.md'), 'utf8').matchAll(/`([\w-]+(?:\/[\w.-]*)+|[\w-]+\.ts)`/g),
    ].map(([, file = '']) => path.join(folder, file)),
  );
  expect(named.length).toBeGreaterThan(60);
  expect(
    named.filter((file) => !file.endsWith('platform-sync/provider') && !existsSync(path.join(root, file))),
  ).toEqual([]);
});
