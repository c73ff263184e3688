import { glob } from 'tinyglobby';
import { compareText } from '../model/address.js';

export interface Discovered {
  /** Relative to the root, forward slashes, shallow ones first. */
  readonly files: readonly string[];
  /** Patterns that no file matches. */
  readonly unmatched: readonly string[];
}

/** The files that match a project's patterns; a pattern that begins with `!` takes files away. */
export async function discoverFiles(root: string, patterns: readonly string[]): Promise<Discovered> {
  const takenAway = patterns.filter((pattern) => pattern.startsWith('!'));
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const found = await Promise.all(
    wanted.map(async (pattern) => ({ pattern, files: await matching(root, [pattern, ...takenAway]) })),
  );
  // Files nearer to the root come first: they tell which files below them are read as data.
  const files = [...new Set(found.flatMap((each) => each.files))];
  return {
    files: files.sort((a, b) => depth(a) - depth(b) || compareText(a, b)),
    unmatched: found.filter((each) => each.files.length === 0).map((each) => each.pattern),
  };
}

function matching(root: string, patterns: readonly string[]): Promise<readonly string[]> {
  return glob([...patterns], {
    cwd: root,
    onlyFiles: true,
    expandDirectories: false,
    ignore: ['**/node_modules/**', '**/.git/**'],
  });
}

function depth(file: string): number {
  return file.split('/').length;
}
