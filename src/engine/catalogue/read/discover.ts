import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { compareText } from '@platform-sync/core/model/address';
import { globOf, type GlobPlace } from '@platform-sync/core/model/glob';
import { isWithin } from '@platform-sync/core/model/within';

interface Discovered {
  /** Relative to the root, forward slashes, shallow ones first. */
  readonly files: readonly string[];
  /** Patterns that no file matches. */
  readonly unmatched: readonly string[];
}

/** The files that match a project's patterns; a pattern that begins with `!` takes files away. Throws BadGlob. */
export async function discoverFiles(root: string, patterns: readonly string[]): Promise<Discovered> {
  const takenAway = patterns.filter((each) => each.startsWith('!')).map((each) => globOf(each.slice(1)));
  const wanted = patterns
    .filter((each) => !each.startsWith('!'))
    .map((pattern) => ({ pattern, glob: globOf(pattern) }));
  const real = await realpath(root);
  const found = await Promise.all(
    wanted.map(async ({ pattern, glob }) => {
      const files = await filesIn({ root, real, folder: '', above: new Set() }, glob.root);
      return { pattern, files: files.filter((file) => !takenAway.some((each) => each.test(file))) };
    }),
  );
  // Files nearer to the root come first: they tell which files below them are read as data.
  const files = [...new Set(found.flatMap((each) => each.files))];
  return {
    files: files.sort((a, b) => depth(a) - depth(b) || compareText(a, b)),
    unmatched: found.filter((each) => each.files.length === 0).map((each) => each.pattern),
  };
}

interface Folder {
  readonly root: string;
  /** Where the root is, links followed. */
  readonly real: string;
  /** Relative to the root; empty for the root itself. */
  readonly folder: string;
  /** Real paths of the folders on the way here: a link to one of them leads round in circles. */
  readonly above: ReadonlySet<string>;
}

/** Never walked: what others keep there is large, and no catalogue. */
const skipped = new Set(['node_modules', '.git']);

async function filesIn(folder: Folder, place: GlobPlace): Promise<readonly string[]> {
  const here = path.join(folder.root, folder.folder);
  const below = await belowOf(folder, here);
  if (below === undefined) return [];
  const entries = await readdir(here, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly string[]> => {
      const next = skipped.has(entry.name) ? undefined : place.into(entry.name);
      if (next === undefined) return [];
      const file = folder.folder === '' ? entry.name : `${folder.folder}/${entry.name}`;
      const kind = await kindOf(entry, path.join(here, entry.name));
      if (kind === 'folder') return filesIn({ ...folder, folder: file, above: below }, next);
      return kind === 'file' && next.isMatch ? [file] : [];
    }),
  );
  return found.flat();
}

/** The folders above what is in a folder of the project; undefined for one that is none: a link may lead anywhere. */
async function belowOf({ real, above }: Folder, here: string): Promise<ReadonlySet<string> | undefined> {
  const place = await realpath(here).catch(() => undefined);
  if (place === undefined || above.has(place)) return undefined;
  return isWithin(real, place) ? new Set([...above, place]) : undefined;
}

async function kindOf(entry: Dirent, file: string): Promise<'file' | 'folder' | undefined> {
  const told = entry.isSymbolicLink() ? await stat(file).catch(() => undefined) : entry;
  if (told?.isFile() === true) return 'file';
  return told?.isDirectory() === true ? 'folder' : undefined;
}

function depth(file: string): number {
  return file.split('/').length;
}
