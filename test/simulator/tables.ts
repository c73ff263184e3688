import type { Database, Statements } from '@platform-sync/state/database';
import { migrate } from '@platform-sync/state/migrations';
import { sql, Sql } from '@platform-sync/state/sql';
import { statementOf, type Statement } from './statements.js';

/** What a cell holds; a list only while a statement is under way. */
export type Cell = string | number | null | readonly unknown[];
export type Row = Readonly<Record<string, Cell>>;

export interface Column {
  readonly isWhole: boolean;
  readonly isNeeded: boolean;
  readonly usual: Cell;
}

/** Rows by their keys, in the order in which they came. */
export interface Table {
  readonly name: string;
  readonly columns: Map<string, Column>;
  key: readonly string[];
  readonly rows: Map<string, Row>;
}

export class Constraint extends Error {
  readonly code = 'SQLITE_CONSTRAINT';
}

/** Stands in a statement for the moment at which it is carried out, as a server's clock does: what comes late is of no earlier moment. */
const moment = '\u0000moment';

/**
 * The database of simulated worlds: tables in memory that carry out the statements of the real stores as SQLite does. The contract of
 * all stores holds it; worlds that come one after the other share it, so that a statement is read once.
 */
export class Tables {
  readonly #tables = new Map<string, Table>();
  readonly #statements = new Map<string, Statement>();
  readonly #made: Promise<void>;
  /** What takes back the changes of the transaction that is open, the last first. */
  #undo: (() => void)[] | undefined;
  #transaction: Promise<void> | undefined;
  /** A statement of it is not answered yet. */
  #isAsked = false;

  constructor() {
    // A table that nobody has written yet needs no clock.
    this.#made = migrate(this.#connected(() => 0, Promise.resolve()));
  }

  /** A connection with its own clock; closing it leaves the tables as they are. */
  connection(now: () => number): Database {
    return this.#connected(now, this.#made);
  }

  /** What stands in a table now. */
  rows<R>(table: string): readonly R[] {
    const all: readonly Row[] = [...(this.#tables.get(table)?.rows.values() ?? [])];
    return all as readonly R[];
  }

  /** Leaves the tables, and nothing in them. */
  async empty(): Promise<void> {
    await this.#made;
    for (const { name, rows } of this.#tables.values()) if (name !== 'sync_schema') rows.clear();
  }

  #connected(now: () => number, made: Promise<void>): Database {
    const at = ({ pieces, values }: Sql): Sql =>
      new Sql(
        pieces,
        values.map((value) => (value === moment ? now() : value)),
      );
    const timed = (inner: Statements): Statements => ({
      rows: (statement) => inner.rows(at(statement)),
      first: (statement) => inner.first(at(statement)),
      run: (statement) => inner.run(at(statement)),
    });
    const [own, inTransaction] = [timed(this.#own), timed(this.#oneByOne)];
    return {
      location: 'memory',
      now: () => sql`cast(${moment} as bigint)`,
      each: (list) => sql`json_each(${list})`,
      rows: <R>(statement: Sql) => made.then(() => this.#alone(() => own.rows<R>(statement))),
      first: <R>(statement: Sql) => made.then(() => this.#alone(() => own.first<R>(statement))),
      run: (statement) => made.then(() => this.#alone(() => own.run(statement))),
      transaction: (work) => made.then(() => this.#alone(() => this.#within(() => work(inTransaction)))),
      snapshot: (work) => made.then(() => this.#alone(() => this.#within(() => work(inTransaction)))),
      lockSchema: async () => undefined,
      problem: (error) => error,
      close: async () => undefined,
    };
  }

  readonly #own: Statements = {
    rows: async <R>(statement: Sql) => this.#carryOut(statement).rows as readonly R[],
    first: async <R>(statement: Sql) => this.#carryOut(statement).rows[0] as R | undefined,
    run: async (statement) => this.#carryOut(statement).changed,
  };

  /** Of one transaction each statement waits for the one before it, as on a connection. */
  readonly #oneByOne: Statements = {
    rows: (statement) => this.#next(() => this.#own.rows(statement)),
    first: (statement) => this.#next(() => this.#own.first(statement)),
    run: (statement) => this.#next(() => this.#own.run(statement)),
  };

  async #next<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#undo === undefined) throw new Error('a statement comes after the end of its transaction');
    if (this.#isAsked) throw new Error('a statement of a transaction does not wait for the one before it');
    this.#isAsked = true;
    try {
      return await ask();
    } finally {
      this.#isAsked = false;
    }
  }

  #carryOut({ pieces, values }: Sql): { readonly rows: readonly Row[]; readonly changed: number } {
    const text = pieces.join('?');
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = statementOf(text, this.#tables);
      this.#statements.set(text, statement);
    }
    return statement(values, (table, key, row) => this.#write(table, key, row));
  }

  /** Undefined: the row goes. */
  #write({ rows }: Table, key: string, row: Row | undefined): void {
    const before = rows.get(key);
    this.#undo?.push(() => (before === undefined ? rows.delete(key) : rows.set(key, before)));
    if (row === undefined) rows.delete(key);
    else rows.set(key, row);
  }

  /** What is asked for during a transaction, and is no part of it, waits for its end. */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#transaction !== undefined) await this.#transaction;
    return work();
  }

  async #within<T>(work: () => Promise<T>): Promise<T> {
    let end = (): void => undefined;
    this.#transaction = new Promise((resolve) => (end = resolve));
    const undo: (() => void)[] = [];
    this.#undo = undo;
    try {
      return await work();
    } catch (error) {
      for (const step of undo.toReversed()) step();
      throw error;
    } finally {
      this.#undo = undefined;
      this.#transaction = undefined;
      end();
    }
  }
}
