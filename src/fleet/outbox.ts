import type { Database } from '@platform-sync/state/database';
import { sql, type Sql } from '@platform-sync/state/sql';

/** A row that waits to be told, by its number, and how often somebody tried. */
interface OutboxRow {
  readonly nth: number;
  readonly tries: number;
}

interface OutboxTable {
  readonly table: Sql;
  /** The column of the row's number. */
  readonly key: Sql;
  /** Milliseconds. Nobody is told for longer: after this, another worker may tell what this one took. */
  readonly sentMs: number;
}

/**
 * What all workers of a database tell from one table, a row at a time. A row is one worker's until its time (`until`) has come again; it
 * comes again until it is told, after longer and longer pauses (`tries`).
 */
export class Outbox<Row extends OutboxRow> {
  readonly #database: Database;
  readonly #table: OutboxTable;

  constructor(database: Database, table: OutboxTable) {
    this.#database = database;
    this.#table = table;
  }

  /** `first` selects the first row that is due, its number as `nth`; `told` is the statement for what was told. */
  async deliver(first: Sql, tell: (row: Row) => Promise<boolean>, told: (row: Row) => Sql): Promise<void> {
    for (let row = await this.#take(first); row !== undefined; row = await this.#take(first))
      await this.#database.run((await tell(row)) ? told(row) : this.#later(row));
  }

  #take(first: Sql): Promise<Row | undefined> {
    const { table, key, sentMs } = this.#table;
    const now = this.#database.now();
    return this.#database.first(sql`
      with due as (${first})
      update ${table} mine set until = ${now} + ${sentMs}, tries = tries + 1 from due
      where mine.${key} = due.nth and until <= ${now} returning mine.*, due.*`);
  }

  #later({ nth, tries }: Row): Sql {
    const { table, key } = this.#table;
    const pauseMs = Math.min(10_000 * 2 ** tries, 600_000);
    return sql`update ${table} set until = ${this.#database.now()} + ${pauseMs} where ${key} = ${nth}`;
  }
}
