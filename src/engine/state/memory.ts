import type { StateStore } from '@platform-sync/core/model/state-store';
import type { Database } from './database.js';
import { currentVersion, migrate } from './migrations.js';
import { SqlStateStore } from './sql-store.js';
import { sql } from './sql.js';
import { openSqliteMemory } from './sqlite.js';
import { momentOf, realTiming, type Timing } from './lease-term.js';

/** What makes the tables as all migrations left them in the first database: each other one has them at once, not step by step. */
let tables: string | undefined;

async function migrateFirst(database: Database): Promise<void> {
  await migrate(database);
  const made = await database.rows<{ readonly sql: string }>(
    sql`select sql from sqlite_master where sql is not null order by rowid`,
  );
  const version = `insert into sync_schema (id, version) values (1, ${currentVersion})`;
  tables = [...made.map((one) => one.sql), version].join(';\n');
}

/** An SQLite database in memory; it lasts as long as this object. Stores opened on one see each other's writes and leases. */
export class MemoryDatabase {
  // Each connection has a clock of its own; a table that nobody has written yet needs none.
  readonly #database = openSqliteMemory(() => 0, tables);
  readonly #tables = tables === undefined ? migrateFirst(this.#database) : Promise.resolve();

  /** A connection with its own clock; closing it leaves the database as it is. */
  connection(now: () => number): Database {
    const database = this.#database;
    return {
      location: database.location,
      now: () => sql`cast(${now()} as bigint)`,
      each: (list) => database.each(list),
      rows: (statement) => this.#tables.then(() => database.rows(statement)),
      first: (statement) => this.#tables.then(() => database.first(statement)),
      run: (statement) => this.#tables.then(() => database.run(statement)),
      transaction: (work) => this.#tables.then(() => database.transaction(work)),
      snapshot: (work) => this.#tables.then(() => database.snapshot(work)),
      lockSchema: async () => undefined,
      problem: (error) => database.problem(error),
      close: async () => undefined,
    };
  }
}

/** One stack without a file, by the code of the durable store: for tests and trial runs. */
export function memoryStateStore(
  project: string,
  stack: string,
  database: Pick<MemoryDatabase, 'connection'> = new MemoryDatabase(),
  timing: Partial<Timing> = {},
): StateStore {
  const times = { ...realTiming, ...timing };
  return new SqlStateStore(
    database.connection(() => momentOf(times).wall),
    { project, stack },
    times,
  );
}
