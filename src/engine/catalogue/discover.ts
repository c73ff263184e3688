import { glob } from 'tinyglobby';
import { compareText } from '../model/address.js';

/** The files that match a project's patterns: relative to the root, forward slashes, shallow ones first. */
export async function discoverFiles(root: string, patterns: readonly string[]): Promise<readonly string[]> {
  const found = await glob([...patterns], {
    cwd: root,
    onlyFiles: true,
    expandDirectories: false,
    ignore: ['**/node_modules/**', '**/.git/**'],
  });
  // Files nearer to the root come first: they tell which files below them are read as data.
  return [...new Set(found)].sort((a, b) => depth(a) - depth(b) || compareText(a, b));
}

function depth(file: string): number {
  return file.split('/').length;
}
