import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** True when a path lies in a folder, or is it; both absolute, taken as they are written. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/**
 * Where a file really is, or would be made: links of every folder above it followed, and the link that the name itself
 * may be. A ring of links counts as the root of the file system, which lies in no project.
 */
export function realPlace(file: string, hops = 40): string {
  if (hops === 0) return path.parse(path.resolve(file)).root;
  const above = path.dirname(file);
  if (above === file) return file;
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink() === true)
    return realPlace(path.resolve(realPlace(above, hops - 1), readlinkSync(file)), hops - 1);
  return stat === undefined ? path.join(realPlace(above, hops - 1), path.basename(file)) : realpathSync.native(file);
}

/** The top of the git repository that a folder lies in, else the folder itself; symbolic links followed. */
export function treeOf(folder: string): string {
  const real = realPlace(path.resolve(folder));
  for (let at = real; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at;
    if (at === path.dirname(at)) return real;
  }
}

/** What a database file brings along; each may be a link of its own. */
const companions = ['', '-wal', '-shm', '-journal'];

/** True when writing a state file would write outside all of these folders, symbolic links followed. */
export function stateLeaves(folders: readonly string[], file: string): boolean {
  const real = folders.map((folder) => realPlace(path.resolve(folder)));
  return companions.some((companion) => {
    const place = realPlace(`${file}${companion}`);
    return !real.some((folder) => isWithin(folder, place));
  });
}
