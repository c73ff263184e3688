import type { Database, Statements } from './database.js';
import { sql, type Sql } from './sql.js';
import { type Connection, type Driver, openConnection, type Prepared } from './sqlite-driver.js';
import { prepareStateFile } from './state-file.js';
import { momentOf, type Timing } from './lease-term.js';
import { StateStoreError } from '@platform-sync/core/model/state-store';
import { ownMember } from '@platform-sync/core/model/value';

/** Opens, or makes, a database file. Throws StateStoreError; a file that is no database is left as it is. */
export function openSqlite(path: string, timing: Timing, open: Driver = openConnection): Database {
  // How long a statement waits for another process's transaction.
  const busyTimeoutMs = Math.round(timing.ttlMs / 3);
  try {
    prepareStateFile(path, timing, (draft) => writeHeader(draft, open));
    const connection = open(path, busyTimeoutMs);
    // Readers see one snapshot while a run writes, and a commit is one flush.
    connection.exec('pragma journal_mode = WAL');
    // An intent must be on the disk before its write is sent: after a power cut it is what finds the object again.
    connection.exec('pragma synchronous = FULL');
    return new SqliteFile(connection, path, () => momentOf(timing).wall);
  } catch (error) {
    throw sqliteProblem(error, path);
  }
}

/** Opens a database that no other process sees and no file keeps: with the tables that `script` makes, or empty. */
export function openSqliteMemory(now: () => number, script = ''): Database {
  const connection = openConnection(':memory:', 0);
  connection.exec(script);
  return new SqliteFile(connection, 'memory', now);
}

/** A version is written with the first page, even that of a database that has none. */
function writeHeader(path: string, open: Driver): void {
  const connection = open(path, 0);
  connection.exec('pragma user_version = 0');
  connection.close();
}

/** Statements that are kept: a run sends the same few again and again, and preparing one takes as long as carrying it out. */
const mostPrepared = 60;

/** The one connection, as its transaction has it. */
class KeptStatements implements Statements {
  readonly #connection: Connection;
  readonly #prepared = new Map<string, Prepared>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Prepared anew: rows hold their statement until they are collected, and the next to use it would have it with them. */
  async rows<Row>({ pieces, values }: Sql): Promise<readonly Row[]> {
    return this.#connection.prepare(pieces.join('?')).all(values);
  }

  /** Ends the statement at its first row, so that nobody hears how it would have ended outside of a transaction. */
  async first<Row>({ pieces, values }: Sql): Promise<Row | undefined> {
    return this.#keeping(pieces.join('?'), (prepared) => prepared.get<Row>(values));
  }

  async run({ pieces, values }: Sql): Promise<number> {
    return this.#keeping(pieces.join('?'), (prepared) => prepared.run(values).changes);
  }

  close(): void {
    this.#prepared.clear();
    this.#connection.close();
  }

  #keeping<T>(text: string, carryOut: (prepared: Prepared) => T): T {
    const known = this.#prepared.get(text);
    const prepared = known ?? this.#connection.prepare(text);
    if (known === undefined && this.#prepared.size < mostPrepared) this.#prepared.set(text, prepared);
    try {
      return carryOut(prepared);
    } catch (error) {
      // One that has failed stands where it failed, and takes no other values.
      this.#prepared.delete(text);
      throw error;
    }
  }
}

/** What is asked for during a transaction, and is no part of it, waits for its end. */
class SqliteFile implements Database {
  readonly location: string;
  readonly now: () => Sql;
  readonly #statements: KeptStatements;
  #transaction: Promise<void> | undefined;

  constructor(connection: Connection, path: string, now: () => number) {
    this.#statements = new KeptStatements(connection);
    this.location = path;
    this.now = () => sql`cast(${now()} as bigint)`;
  }

  each(list: string): Sql {
    return sql`json_each(${list})`;
  }

  rows<Row>(statement: Sql): Promise<readonly Row[]> {
    return this.#alone(() => this.#statements.rows<Row>(statement));
  }

  async first<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0];
  }

  run(statement: Sql): Promise<number> {
    return this.#alone(() => this.#statements.run(statement));
  }

  /**
   * Takes the write lock when it begins. One that reads first and then wants to write fails at once when another process has
   * written in between, whatever the busy timeout.
   */
  transaction<T>(work: (trx: Statements) => Promise<T>): Promise<T> {
    return this.#alone(() => this.#within(sql`begin immediate`, work));
  }

  snapshot<T>(work: (trx: Statements) => Promise<T>): Promise<T> {
    return this.#alone(() => this.#within(sql`begin`, work));
  }

  /** A write transaction holds off all others already. */
  async lockSchema(): Promise<void> {
    return undefined;
  }

  problem(error: unknown): unknown {
    return sqliteProblem(error, this.location);
  }

  /**
   * The library keeps the file open until its statements are collected, so SQLite's own tidying up at close may not
   * come: fold the log in, so that the one file holds everything. Another process may be using it: then that one does.
   */
  async close(): Promise<void> {
    await this.rows(sql`pragma wal_checkpoint(truncate)`).catch(() => undefined);
    this.#statements.close();
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#transaction !== undefined) await this.#transaction;
    return work();
  }

  async #within<T>(begin: Sql, work: (trx: Statements) => Promise<T>): Promise<T> {
    let end = (): void => undefined;
    this.#transaction = new Promise((resolve) => (end = resolve));
    try {
      await this.#statements.run(begin);
      try {
        const result = await work(this.#statements);
        await this.#statements.run(sql`commit`);
        return result;
      } catch (error) {
        // A full disk makes SQLite roll back by itself; complaining about that would hide the reason.
        await this.#statements.run(sql`rollback`).catch(() => undefined);
        throw error;
      }
    } finally {
      this.#transaction = undefined;
      end();
    }
  }
}

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
        'Restore a copy of it, or move it away, and record what exists: sync adopt',
      ];
    default:
      return ['cannot be opened', 'Check the path under `state:` in sync.yaml.'];
  }
}
