import { tamperings } from './tampered-history.js';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StateStoreError, type StateStore } from '@platform-sync/core/model/state-store';
import { MemoryDatabase } from '@platform-sync/state/memory';
import { migrate } from '@platform-sync/state/migrations';
import { openStateStore } from '@platform-sync/state/open';
import { sql } from '@platform-sync/state/sql';
import { SqlStateStore } from '@platform-sync/state/sql-store';
import { openSqlite, sqliteProblem } from '@platform-sync/state/sqlite';
import { libsqlDriver, openConnection } from '@platform-sync/state/sqlite-driver';
import type { Statements } from '@platform-sync/state/database';
import type { SchemaRow } from '@platform-sync/state/tables';
import { prepareStateFile } from '@platform-sync/state/state-file';
import { realTiming } from '@platform-sync/state/lease-term';
import { openBy } from './backends.js';
import { intent, resource } from './samples.js';
import { storeFailure } from './store-failure.js';
import { backToVersionOne, olderNote, olderTake } from './older-version.js';

const me = { owner: 'me@here pid 1', waitMs: 0 };

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sync-sqlite-'));
  path = join(folder, '.sync', 'state.db');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function open(file = path): Promise<StateStore> {
  return openStateStore({ backend: 'sqlite', path: file }, 'shop', 'dev');
}

/** Writes one record and closes. */
async function seeded(file = path): Promise<void> {
  const store = await open(file);
  const lease = await store.acquire('apply', me);
  await store.commit(lease, [{ kind: 'put', resource: resource('a', { outputs: { text: 'x'.repeat(50_000) } }) }]);
  await lease.release();
  await store.close();
}

test('databases in memory have the tables of a file, and its version, the first one and those that take them over from it', async () => {
  const found = async (database: Statements): Promise<readonly unknown[]> => [
    await database.rows(sql`select type, name, sql from sqlite_master order by name`),
    await database.rows(sql`select * from sync_schema`),
  ];
  mkdirSync(dirname(path), { recursive: true });
  const file = openSqlite(path, realTiming);
  await migrate(file);
  const made = await found(file);
  await file.close();
  for (const database of [new MemoryDatabase(), new MemoryDatabase(), new MemoryDatabase()])
    expect(await found(database.connection(Date.now))).toEqual(made);
  expect(await found(new MemoryDatabase().connection(Date.now))).toEqual(made);
});

describe('the file of a state', () => {
  test('and its folder belong to their owner alone, and Git ignores them', async () => {
    await seeded();
    const mode = (name: string): string => (statSync(name).mode & 0o777).toString(8);
    expect([mode(dirname(path)), mode(path)]).toEqual(['700', '600']);
    expect(readFileSync(join(folder, '.sync', '.gitignore'), 'utf8')).toBe('*\n');
  });

  test('holds everything when it is closed, so that a copy of it is a copy of the state', async () => {
    await seeded();
    const copy = join(folder, 'copy.db');
    copyFileSync(path, copy);
    const store = await open(copy);
    expect([...(await store.read()).resources.keys()]).toEqual(['a']);
    await store.close();
  });

  test("puts nothing else into somebody's folder, and leaves an existing .gitignore", async () => {
    await seeded(join(folder, 'state.db'));
    expect(existsSync(join(folder, '.gitignore'))).toBe(false);
    mkdirSync(dirname(path));
    writeFileSync(join(folder, '.sync', '.gitignore'), 'mine\n');
    await seeded();
    expect(readFileSync(join(folder, '.sync', '.gitignore'), 'utf8')).toBe('mine\n');
  });

  test.each([
    { what: 'text', write: () => writeFileSync(path, 'this is no database\n'.repeat(500)) },
    { what: 'nothing', write: () => writeFileSync(path, '') },
    {
      what: 'nothing any more',
      write: async () => {
        await seeded();
        truncateSync(path, 0);
      },
    },
    { what: 'a few bytes', write: () => writeFileSync(path, 'x') },
    {
      what: 'a database cut in half',
      write: async () => {
        await seeded();
        truncateSync(path, statSync(path).size / 2);
      },
    },
    {
      what: 'a database with a damaged page',
      write: async () => {
        await seeded();
        const bytes = readFileSync(path);
        writeFileSync(path, bytes.fill(0xee, 4096, 12_288));
      },
    },
  ])('that holds $what is called corrupt and left as it is', async ({ write }) => {
    mkdirSync(dirname(path));
    await write();
    const before = readFileSync(path);
    const error = await storeFailure(
      open().then(async (store) => {
        try {
          return await store.read();
        } finally {
          await store.close();
        }
      }),
    );
    expect(error.code, error.message).toBe('corrupt');
    expect(error.message).toContain(path);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('appears whole: of two first runs that race one makes it, and nothing is left beside it', () => {
    const header = 'SQLite format 3\0';
    const other = (): void => prepareStateFile(path, realTiming, (draft) => writeFileSync(draft, `${header}other`));
    prepareStateFile(path, realTiming, (draft) => {
      expect(existsSync(path)).toBe(false);
      other();
      writeFileSync(draft, `${header}mine`);
    });
    expect(readFileSync(path, 'utf8')).toBe(`${header}other`);
    expect(readdirSync(dirname(path)).sort()).toEqual(['.gitignore', 'state.db']);
  });

  test('of a newer version is left as it is', async () => {
    await seeded();
    const database = openConnection(path, 0);
    database.exec('update sync_schema set version = 1000; alter table sync_stacks add column news text');
    database.exec('pragma wal_checkpoint(truncate)');
    database.close();
    const before = readFileSync(path);
    const error = await storeFailure(open());
    expect(error.code).toBe('newer-version');
    expect(error.message).toContain('version 1000');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('of an older version is upgraded, with all it holds', async () => {
    await seeded();
    const database = openConnection(path, 0);
    database.exec(backToVersionOne);
    database.close();
    const store = await open();
    expect([...(await store.read()).resources.keys()]).toEqual(['a']);
    expect(await store.driftHistory()).toMatchObject({ findings: [] });
    await store.close();
    const older = openConnection(path, 0);
    expect(() => older.exec(olderTake)).toThrow('lease_token');
    expect(() => older.exec(olderNote)).toThrow('status');
    older.close();
  });

  test('whose upgrade fails is left at its version', async () => {
    await seeded();
    const database = openConnection(path, 0);
    // In the way of the second of the two tables that the upgrade makes.
    database.exec('drop table sync_findings; update sync_schema set version = 1');
    await expect(open()).rejects.toThrow('sync_checks');
    const tables = database.prepare(`select name from sqlite_master where name = 'sync_findings'`).all([]);
    const version = database.prepare('select version from sync_schema').get<SchemaRow>([]);
    database.close();
    expect([tables, version?.version]).toEqual([[], 1]);
  });

  test.each(tamperings)('tells where its history was tampered with: %s', async (_what, tampering, number, what) => {
    await seeded();
    const database = openConnection(path, 0);
    database.exec(`delete from sync_runs; update sync_stacks set run_number = 0, run_digest = null`);
    database.close();
    const store = await open();
    const lease = await store.acquire('apply', { owner: 'me', waitMs: 0 });
    await store.commit(lease, [
      { kind: 'put', resource: resource('x') },
      { kind: 'put', resource: resource('y') },
    ]);
    expect(await store.verifyRuns()).toBeUndefined();
    const other = openConnection(path, 0);
    other.exec(tampering);
    other.close();
    expect(await store.verifyRuns()).toEqual({ number, what });
    await store.close();
  });

  test.each([
    ['the latest runs', `kind in ('begin') order by number desc limit 20`, 'sync_runs_of_kind'],
    ['runs of an address', `address = 'a' order by number desc limit 20`, 'sync_runs_of_address'],
    ['some runs', `run in (1, 2) and kind in ('plan', 'end') order by (number + 0) desc limit 20`, 'sync_runs_of_run'],
    ['all of a run', `run = 1 and (number + 0) > 5 order by (number + 0) asc limit 20`, 'sync_runs_of_run'],
  ])('finds %s by an index, however many rows there are', async (_what, where, index) => {
    await seeded();
    const database = openConnection(path, 0);
    const text = `explain query plan select body from sync_runs where project = 'shop' and stack = 'dev' and ${where}`;
    const steps = database.prepare(text).all<{ readonly detail: string }>([]);
    database.close();
    expect(steps[0]?.detail).toContain(`using index ${index}`.toUpperCase().replace(index.toUpperCase(), index));
  });

  test('with a damaged record says which', async () => {
    await seeded();
    const database = openConnection(path, 0);
    database.exec(`update sync_resources set body = '{"inputs":'`);
    database.close();
    const store = await open();
    const error = await storeFailure(store.read());
    await store.close();
    expect(error).toMatchObject({ code: 'corrupt', message: 'the record of a in the state is damaged' });
  });

  test.each([
    ['sync_stacks', 'lineage'],
    ['sync_stacks', 'targets'],
    ['sync_stacks', 'lease_owner'],
    ['sync_stacks', 'run_digest'],
    ['sync_resources', 'address'],
    ['sync_resources', 'scope'],
    ['sync_resources', 'body'],
    ['sync_runs', 'body'],
    ['sync_runs', 'digest'],
  ])('with a text that is none in %s.%s is called corrupt, and ends no process', async (table, column) => {
    await seeded();
    const database = openConnection(path, 0);
    database.exec(`update ${table} set ${column} = cast(x'61ff62' as text)`);
    database.close();
    const store = await openBy(libsqlDriver(), path, { project: 'shop', stack: 'dev' });
    const error = await storeFailure(
      (async () => {
        await store.read();
        await store.runs({ limit: 100 });
        const lease = await store.acquire('apply', me);
        await store.commit(lease, [{ kind: 'put', resource: resource('b') }]);
      })(),
    );
    await store.close();
    expect(error).toMatchObject({ code: 'corrupt', hint: expect.stringContaining('Restore a copy') });
    expect(error.message).toContain(path);
  });

  test.each<{ what: string; prepare: () => string | Promise<string> }>([
    {
      what: 'is a folder',
      prepare: () => {
        mkdirSync(path, { recursive: true });
        return path;
      },
    },
    {
      what: 'was a state until a moment ago, and is a folder now',
      prepare: async () => {
        await seeded();
        rmSync(path);
        mkdirSync(path);
        return path;
      },
    },
    {
      what: 'lies below a file',
      prepare: () => {
        writeFileSync(join(folder, 'file'), '');
        return join(folder, 'file', 'state.db');
      },
    },
  ])('whose path $what cannot be opened', async ({ prepare }) => {
    expect((await storeFailure(open(await prepare()))).code).toBe('unreadable');
  });

  test('that may only be read is not written', async () => {
    await seeded();
    // Another file under the same name: one that this process has looked at is not opened a second time.
    copyFileSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
    chmodSync(folder, 0o755);
    chmodSync(dirname(path), 0o555);
    chmodSync(path, 0o444);
    const error = await asOrdinaryUser(() => storeFailure(open()));
    chmodSync(dirname(path), 0o755);
    expect(error.code).toBe('read-only');
    expect(error.hint).toContain('right to write');
  });
});

/** Root may write everything, so a test of rights has to be somebody else for a while. */
async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

test('a full disk loses nothing that was written, and the store goes on when there is room', async () => {
  const database = openSqlite(path, realTiming);
  await migrate(database);
  const store = new SqlStateStore(database, { project: 'shop', stack: 'dev' }, realTiming);
  const lease = await store.acquire('apply', me);
  await store.commit(lease, [{ kind: 'put', resource: resource('kept') }]);
  await database.rows(sql`pragma max_page_count = 40`);
  const big = resource('big', { outputs: { text: 'x'.repeat(1_000_000) } });
  const both = await Promise.allSettled([
    store.commit(lease, [{ kind: 'put', resource: big }]),
    store.commit(lease, [{ kind: 'put', resource: resource('with it') }]),
  ]);
  expect(both).toMatchObject([{ reason: { code: 'full' } }, { reason: { code: 'full' } }]);
  expect([...(await store.read()).resources.keys()]).toEqual(['kept']);
  await database.rows(sql`pragma max_page_count = 100000`);
  expect(await store.commit(lease, [{ kind: 'put', resource: big }])).toBe(2);
  await lease.release();
  await store.close();
});

test.each<[string, StateStoreError['code']]>([
  ['SQLITE_FULL', 'full'],
  ['SQLITE_READONLY_DBMOVED', 'read-only'],
  ['SQLITE_CORRUPT_VTAB', 'corrupt'],
  ['SQLITE_NOTADB', 'corrupt'],
  ['SQLITE_CANTOPEN', 'unreadable'],
  ['SQLITE_IOERR_FSYNC', 'unreadable'],
  ['SQLITE_BUSY', 'unreadable'],
  ['SQLITE_BUSY_SNAPSHOT', 'unreadable'],
  ['ENOSPC', 'full'],
  ['EROFS', 'read-only'],
  ['EACCES', 'read-only'],
])('the code %s is told as %s', (code, told) => {
  const problem = sqliteProblem(Object.assign(new Error('as the library says it'), { code }), '/x/state.db');
  expect(problem).toBeInstanceOf(StateStoreError);
  expect(problem).toMatchObject({ code: told });
});

test('an error of our own is no problem of the file', () => {
  const bug = Object.assign(new Error('near "selct": syntax error'), { code: 'SQLITE_ERROR' });
  expect(sqliteProblem(bug, path)).toBe(bug);
});

test('an intent is on the disk before begin returns', async () => {
  const store = await open();
  const lease = await store.acquire('apply', me);
  await store.begin(lease, intent('i'));
  const other = openConnection(path, 0);
  expect(other.prepare('select id from sync_intents').all([])).toEqual([{ id: 'i' }]);
  other.close();
  await store.close();
});
