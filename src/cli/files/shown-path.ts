import nodePath from 'node:path';

/** A file or folder as it is named to people and in files: seen from the project's folder, with `/` on every system. */
export function shownPath(from: string, to: string, path: typeof nodePath.posix = nodePath): string {
  return path.relative(from, to).replaceAll(path.sep, '/') || '.';
}
