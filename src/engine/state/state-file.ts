import {
  type BigIntStats,
  accessSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Makes the folder and the file of a new state: readable by their owner only, and ignored by Git. What exists is left
 * as it is. Errors of the file system come with their own codes here, which the database library would hide.
 */
export function prepareStateFile(path: string): void {
  prepareStateFolder(dirname(path));
  checkHeader(path);
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
