import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sqliteProblem } from '@platform-sync/state/sqlite';
import { drivers } from './backends.js';

test.each(Object.entries(drivers))('a file that %s itself can not open is a problem of its path', (_name, open) => {
  const folder = mkdtempSync(join(tmpdir(), 'sync-problem-'));
  const path = join(folder, 'state.db');
  mkdirSync(path);
  let error: unknown;
  try {
    open(path, 0);
  } catch (thrown) {
    error = thrown;
  }
  rmSync(folder, { recursive: true });
  expect(sqliteProblem(error, path)).toMatchObject({
    code: 'unreadable',
    message: `the state file ${path} cannot be opened (SQLITE_CANTOPEN)`,
  });
});
