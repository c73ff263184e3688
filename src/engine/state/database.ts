import type { Sql } from './sql.js';

/** What carries statements out, one after the other. */
export interface Statements {
  /** The rows that a statement gives; who wrote its text knows what is in them. */
  rows<Row>(statement: Sql): Promise<readonly Row[]>;
  first<Row>(statement: Sql): Promise<Row | undefined>;
  /** For statements that give no rows: how many they changed. */
  run(statement: Sql): Promise<number>;
}

/** An open database, and the little that differs between the backends. */
export interface Database extends Statements {
  /** For people; without credentials. */
  readonly location: string;
  /** The time by which leases live, as a part of a statement. */
  readonly now: () => Sql;
  /** The items of a list, given as JSON, as rows with a column `value`: many rows in one statement that is always the same. */
  readonly each: (list: string) => Sql;
  /** All that `work` does by the statements it gets comes about, or nothing. */
  transaction<T>(work: (trx: Statements) => Promise<T>): Promise<T>;
  /** All that `work` reads is of one moment. */
  snapshot<T>(work: (trx: Statements) => Promise<T>): Promise<T>;
  /** Holds off other processes that are about to create or change the tables. */
  readonly lockSchema: (trx: Statements) => Promise<unknown>;
  /** The StateStoreError that an error of the driver means; any other error as it is. */
  readonly problem: (error: unknown) => unknown;
  close(): Promise<void>;
}
