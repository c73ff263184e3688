import { statSync } from 'node:fs';
import path from 'node:path';
import { badGlob, globOfPath, isGlob } from '@platform-sync/core/model/glob';
import type { BuildContext } from '../read/build-context.js';
import { discoverFiles } from '../read/discover.js';
import type { SourceEntry } from '../read/draft.js';

/** A source with the files there are. */
export interface FoundSource extends SourceEntry {
  /** The catalogue file that names it. */
  readonly declaredIn: string;
  /** Folder that addresses begin below, relative to the root; empty for the root itself. */
  readonly base: string;
  /** Relative to the root, in the order of their names. */
  readonly found: readonly string[];
  /** Which of them may be meant: all that a pattern names, those of the type's format in a folder. */
  readonly isFolder: boolean;
}

/** The files of a source; they are data from here on. A source without any is reported when its type is known. */
export async function findSourceFiles(
  root: string,
  source: SourceEntry,
  declaredIn: string,
  context: BuildContext,
): Promise<FoundSource | undefined> {
  const folder = path.posix.dirname(declaredIn);
  const { files } = source;
  if (path.posix.isAbsolute(files) || path.win32.isAbsolute(files) || leadsOut(path.posix.join(folder, files))) {
    context.problems.add('file-outside-project', source.at, `The source ${files} leads out of the project folder.`, {
      hint: 'Folders and patterns are relative to the file that names them.',
    });
    return undefined;
  }
  const { pattern, base, isFolder } = resolvePattern(root, folder, files);
  const bad = badGlob(pattern);
  if (bad !== undefined) {
    const summary = `The pattern ${files} of a source can't be read: ${bad.message}.`;
    context.problems.add('no-source-files', source.at, summary, { hint: bad.hint });
    return undefined;
  }
  const { files: all } = await discoverFiles(root, [pattern]);
  const found = [...all].sort().filter((file) => file !== declaredIn);
  for (const file of found) context.data.claim(file, declaredIn);
  return { ...source, declaredIn, base, found, isFolder };
}

interface Resolved {
  readonly pattern: string;
  readonly base: string;
  readonly isFolder: boolean;
}

/** A folder stands for all files in it. Of a pattern, the folders before its first `*` are the base. */
function resolvePattern(root: string, folder: string, files: string): Resolved {
  const plain = path.posix.join(folder, files).replace(/\/$/, '');
  if (!isGlob(files) || isThere(path.join(root, plain))) {
    const isFolder = isFolderAt(path.join(root, plain));
    const base = isFolder ? plain : path.posix.dirname(plain);
    const inFolder = plain === '.' ? '**/*' : `${globOfPath(plain)}/**/*`;
    return { pattern: isFolder ? inFolder : globOfPath(plain), base: base === '.' ? '' : base, isFolder };
  }
  const steps = files.split('/');
  const still = steps.slice(0, -1).findIndex((step) => isGlob(step));
  const head = path.posix.join(folder, ...steps.slice(0, still < 0 ? -1 : still));
  const tail = steps.slice(still < 0 ? -1 : still).join('/');
  const pattern = head === '.' ? tail : `${globOfPath(head)}/${tail}`;
  return { pattern, base: head === '.' ? '' : head, isFolder: false };
}

function leadsOut(file: string): boolean {
  return file === '..' || file.startsWith('../');
}

function isThere(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

function isFolderAt(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}
