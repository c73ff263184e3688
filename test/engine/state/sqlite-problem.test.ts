import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { expect, test } from 'vitest';
import { sqliteProblem } from '@platform-sync/state/sqlite-problem';

test('a file that the library itself cannot open is a problem of its path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sync-problem-'));
  const path = join(folder, 'state.db');
  mkdirSync(path);
  let error: unknown;
  try {
    new Libsql(path);
  } catch (thrown) {
    error = thrown;
  }
  rmSync(folder, { recursive: true });
  expect(sqliteProblem(error, path)).toMatchObject({
    code: 'unreadable',
    message: `the state file ${path} cannot be opened (SQLITE_CANTOPEN)`,
  });
});
