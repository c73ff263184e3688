import { Kysely, SqliteDialect, SqliteDriver, CompiledQuery, sql } from 'kysely';
import type { DatabaseConnection, Driver, SqliteDatabase, SqliteStatement, TransactionSettings } from 'kysely';
import { Libsql } from './libsql.js';
import type { Database } from './database.js';
import { sqliteProblem } from './sqlite-problem.js';
import { prepareStateFile } from './state-file.js';
import type { Tables } from './tables.js';
import type { Timing } from './timing.js';

/** Opens, or makes, a database file. Throws StateStoreError; a file that is no database is left as it is. */
export function openSqlite(path: string, timing: Timing): Database {
  // How long a statement waits for another process's transaction.
  const busyTimeoutMs = Math.round(timing.ttlMs / 3);
  try {
    prepareStateFile(path);
    const libsql = new Libsql(path, { timeout: busyTimeoutMs });
    // Readers see one snapshot while a run writes, and a commit is one flush.
    libsql.pragma('journal_mode = WAL');
    // An intent must be on the disk before its write is sent: after a power cut it is what finds the object again.
    libsql.pragma('synchronous = FULL');
    const now = timing.now ?? Date.now;
    return {
      db: new Kysely<Tables>({ dialect: new ImmediateSqliteDialect({ database: preparedOnce(libsql) }) }),
      location: path,
      now: () => sql<number>`cast(${now()} as bigint)`,
      each: (list) => sql`json_each(${list})`,
      // A write transaction holds off all others already.
      lockSchema: async () => undefined,
      problem: (error) => sqliteProblem(error, path),
    };
  } catch (error) {
    throw sqliteProblem(error, path);
  }
}

/** Statements that are kept: a run sends the same few again and again, and preparing one takes as long as carrying it out. */
const mostPrepared = 30;

/**
 * The same database, which prepares each statement once. What gives rows is left out: they hold their statement until they are
 * collected, and the next to use it would have it with them.
 */
function preparedOnce(database: SqliteDatabase): SqliteDatabase {
  const known = new Map<string, SqliteStatement>();
  return {
    prepare: (text) => {
      const before = known.get(text);
      if (before !== undefined) return before;
      const statement = database.prepare(text);
      if (!statement.reader && known.size < mostPrepared) known.set(text, statement);
      return statement;
    },
    close: () => {
      known.clear();
      database.close();
    },
  };
}

/**
 * Takes the write lock when a transaction begins. One that reads first and then wants to write fails at once when
 * another process has written in between, whatever the busy timeout.
 */
class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: ConstructorParameters<typeof SqliteDialect>[0];

  constructor(config: ConstructorParameters<typeof SqliteDialect>[0]) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new ImmediateSqliteDriver(this.#config);
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const begin = settings?.accessMode === 'read only' ? 'begin' : 'begin immediate';
    await connection.executeQuery(CompiledQuery.raw(begin));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk makes SQLite roll back by itself; complaining about that would hide the reason.
    await super.rollbackTransaction(connection).catch(() => undefined);
  }

  override async destroy(): Promise<void> {
    // The library keeps the file open until its statements are collected, so SQLite's own tidying up at close may not
    // come: fold the log in, so that the one file holds everything. Another process may be using it: then that one does.
    const connection = await this.acquireConnection();
    await connection.executeQuery(CompiledQuery.raw('pragma wal_checkpoint(truncate)')).catch(() => undefined);
    await super.destroy();
  }
}
