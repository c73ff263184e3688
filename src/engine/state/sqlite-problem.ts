import { StateStoreError } from '@platform-sync/core/model/state-store';
import { ownMember } from '@platform-sync/core/model/own-member';

type Code = StateStoreError['code'];

/** SQLite's result codes by their first word (`SQLITE_IOERR_FSYNC` is an `IOERR`), and the file system's. */
const codes: Readonly<Record<string, Code>> = {
  SQLITE_FULL: 'full',
  ENOSPC: 'full',
  EDQUOT: 'full',
  SQLITE_READONLY: 'read-only',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  SQLITE_CORRUPT: 'corrupt',
  SQLITE_NOTADB: 'corrupt',
  ENODATA: 'corrupt',
  // The file is shorter than its own header says.
  SQLITE_IOERR_SHORT_READ: 'corrupt',
  SQLITE_CANTOPEN: 'unreadable',
  SQLITE_IOERR: 'unreadable',
  SQLITE_PERM: 'unreadable',
  SQLITE_AUTH: 'unreadable',
  SQLITE_NOLFS: 'unreadable',
  SQLITE_PROTOCOL: 'unreadable',
  SQLITE_BUSY: 'unreadable',
  SQLITE_LOCKED: 'unreadable',
  EISDIR: 'unreadable',
  ESPIPE: 'unreadable',
  ENXIO: 'unreadable',
  ENOTDIR: 'unreadable',
  EEXIST: 'unreadable',
  ENOENT: 'unreadable',
  ELOOP: 'unreadable',
  ENAMETOOLONG: 'unreadable',
  EMFILE: 'unreadable',
  EIO: 'unreadable',
};

/** The same by their numbers, which Node's own SQLite gives, and libsql where it can't open a file. */
const resultCodes: Readonly<Record<number, string>> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  522: 'SQLITE_IOERR_SHORT_READ',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  15: 'SQLITE_PROTOCOL',
  22: 'SQLITE_NOLFS',
  23: 'SQLITE_AUTH',
  26: 'SQLITE_NOTADB',
};

/** The StateStoreError that an error of SQLite or of the file system means; any other error as it is. */
export function sqliteProblem(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error);
  const found =
    code === undefined
      ? undefined
      : (ownMember(codes, code) ?? ownMember(codes, code.split('_').slice(0, 2).join('_')));
  if (found === undefined || code === undefined) return error;
  const [problem, hint] = words(found, code);
  return new StateStoreError(found, `the state file ${path} ${problem} (${code})`, hint, { cause: error });
}

function codeOf(error: Error): string | undefined {
  if ('errcode' in error && typeof error.errcode === 'number') return codeOfNumber(error.errcode);
  // libsql leaves the code empty when opening fails.
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  const failed = /^ConnectionFailed\(.*: (\d+)"\)$/.exec(error.message);
  return failed === null ? undefined : (codeOfNumber(Number(failed[1])) ?? 'SQLITE_CANTOPEN');
}

/** A number's last byte is its first word. */
function codeOfNumber(code: number): string | undefined {
  return resultCodes[code] ?? resultCodes[code & 0xff];
}

function words(found: Code, code: string): readonly [problem: string, hint: string] {
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return ['is locked by another process', 'Wait until that process is done, or end it.'];
  }
  if (code === 'ENODATA') {
    return [
      'is empty: the state that was here is lost',
      'Restore a copy of it. If this stack was never applied, delete the file and run the command again.',
    ];
  }
  switch (found) {
    case 'full':
      return ['cannot grow: the disk is full', 'Make room and run the command again.'];
    case 'read-only':
      return ['cannot be written', 'Give this user the right to write the file and its folder.'];
    case 'corrupt':
      return [
        'is damaged, or is not a state file; it was left as it is',
        'Restore a copy of it, or move it away and run `sync adopt`.',
      ];
    default:
      return ['cannot be opened', 'Check the path under `state:` in sync.yaml.'];
  }
}
