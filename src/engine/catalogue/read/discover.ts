import { readdir, realpathSync } from 'node:fs';
import path from 'node:path';
import { glob, type FileSystemAdapter } from 'tinyglobby';
import { compareText } from '../../model/address.js';

interface Discovered {
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
    fs: insideOnly(root),
    ignore: ['**/node_modules/**', '**/.git/**'],
  });
}

/** Lists folders of the project only: a link may lead anywhere, and a walk through a whole machine ends late. */
function insideOnly(root: string): FileSystemAdapter {
  const real = realpathSync.native(root);
  const list = (folder: string, options: { withFileTypes: true }, done: Parameters<typeof readdir>[2]): void => {
    let place: string;
    try {
      place = realpathSync.native(folder);
    } catch (error) {
      return void done(error as NodeJS.ErrnoException, []);
    }
    if (place !== real && !place.startsWith(real.endsWith(path.sep) ? real : real + path.sep)) done(null, []);
    else readdir(folder, options, done as never);
  };
  return { readdir: list as unknown as typeof readdir };
}

function depth(file: string): number {
  return file.split('/').length;
}
