import {
  type BigIntStats,
  accessSync,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { World } from '@platform-sync/core/model/world';

/**
 * Makes the folder and the file of a new state: readable by their owner only, and ignored by Git. What exists is left
 * as it is. Errors of the file system come with their own codes here, which the database library would hide. `found`: writes a
 * database without tables into an empty file.
 */
export function prepareStateFile(path: string, world: Pick<World, 'id'>, found: (file: string) => void): void {
  prepareStateFolder(dirname(path));
  if (statSync(path, { throwIfNoEntry: false }) === undefined) makeFile(path, world, found);
  checkHeader(path);
}

/** A new file appears whole: one of 0 bytes is never the first moment of another run, but a state that was lost. */
function makeFile(path: string, { id }: Pick<World, 'id'>, found: (file: string) => void): void {
  const draft = `${path}.${id()}.new`;
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    found(draft);
    linkSync(draft, path);
  } catch (error) {
    // Somebody else was first, or the file system has no links.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS') renameSync(draft, path);
    else if (code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Makes a folder for what is kept beside a project: for its owner's eyes only, and ignored by Git. */
export function prepareStateFolder(folder: string): void {
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Only in a folder of our own: a state file may have been asked for in the middle of somebody's project.
  if (made !== undefined || basename(folder) === '.sync') ignoreFolder(folder);
}

const header = 'SQLite format 3\0';

/**
 * Files whose header was read. Closing any descriptor of a file gives up all locks that this process has on it, also
 * those of a database that is open elsewhere in it (or closed, but not collected yet): so each is looked at once only.
 */
const checked = new Set<string>();

/** SQLite takes a file of a few bytes for an empty one and would write over it. */
function checkHeader(path: string): void {
  const existing = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (existing?.isFile() === true && existing.size === 0n)
    throw Object.assign(new Error('0 bytes'), { code: 'ENODATA' });
  if (existing?.isFile() === true && checked.has(identity(existing))) {
    accessSync(path, constants.R_OK | constants.W_OK);
    return;
  }
  // A pipe or a device would hang, or swallow everything.
  if (existing !== undefined && !existing.isFile() && !existing.isDirectory()) {
    throw Object.assign(new Error('no regular file'), { code: 'ESPIPE' });
  }
  const file = openSync(path, 'a+', 0o600);
  try {
    const bytes = Buffer.alloc(header.length);
    const length = readSync(file, bytes, 0, bytes.length, 0);
    if (length > 0 && bytes.toString('latin1', 0, length) !== header) {
      throw Object.assign(new Error('no database header'), { code: 'SQLITE_NOTADB' });
    }
    checked.add(identity(fstatSync(file, { bigint: true })));
  } finally {
    closeSync(file);
  }
}

/** The number of a file alone does not tell it: a file system gives that of a deleted file to a new one. */
function identity(file: BigIntStats): string {
  return `${file.dev}:${file.ino}:${file.birthtimeNs}`;
}

function ignoreFolder(folder: string): void {
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
