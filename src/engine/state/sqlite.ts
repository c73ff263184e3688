import { realWorld } from '@platform-sync/core/model/world';
import type { Database, Statements } from './database.js';
import { sql, type Sql } from './sql.js';
import { openConnection, type Connection, type Driver, type Prepared } from './sqlite-driver.js';
import { sqliteProblem } from './sqlite-problem.js';
import { prepareStateFile } from './state-file.js';
import type { Timing } from './timing.js';

/** Opens, or makes, a database file. Throws StateStoreError; a file that is no database is left as it is. */
export function openSqlite(path: string, timing: Timing, open: Driver = openConnection): Database {
  // How long a statement waits for another process's transaction.
  const busyTimeoutMs = Math.round(timing.ttlMs / 3);
  try {
    prepareStateFile(path, (draft) => writeHeader(draft, open));
    const connection = open(path, busyTimeoutMs);
    // Readers see one snapshot while a run writes, and a commit is one flush.
    connection.exec('pragma journal_mode = WAL');
    // An intent must be on the disk before its write is sent: after a power cut it is what finds the object again.
    connection.exec('pragma synchronous = FULL');
    return new SqliteFile(connection, path, timing.now ?? realWorld.now);
  } catch (error) {
    throw sqliteProblem(error, path);
  }
}

/** Opens an empty database that no other process sees and no file keeps. */
export function openSqliteMemory(): Database {
  return new SqliteFile(openConnection(':memory:', 0), 'memory', realWorld.now);
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
