import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { isWithin } from '@platform-sync/core/model/within';

/**
 * Where a file really is, or would be made: every link on the way followed, whether or not it leads to something. A ring
 * of links counts as the root of the file system, which lies in no project.
 */
export function realPlace(file: string, links = 40): string {
  const absolute = path.resolve(file);
  const { root } = path.parse(absolute);
  const parts = absolute.slice(root.length).split(path.sep);
  let place = root;
  for (const [at, part] of parts.entries()) {
    const next = path.join(place, part);
    if (lstatSync(next, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      const target = path.resolve(place, readlinkSync(next));
      return links === 0 ? root : realPlace(path.join(target, ...parts.slice(at + 1)), links - 1);
    }
    place = next;
  }
  return place;
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

/**
 * True when a file is named inside a project or repository, and a link on the way, which a proposal may bring along, leads
 * out of it. A place outside is left to whoever names it.
 */
export function isLedAway(file: string): boolean {
  const absolute = path.resolve(file);
  for (let at = path.dirname(absolute); ; at = path.dirname(at)) {
    const isTree = existsSync(path.join(at, '.git')) || existsSync(path.join(at, 'sync.yaml'));
    if (isTree && !isWithin(treeOf(at), realPlace(absolute))) return true;
    if (at === path.dirname(at)) return false;
  }
}
