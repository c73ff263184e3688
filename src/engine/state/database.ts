import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { Tables } from './tables.js';

/** An open database, and the little that differs between the backends. */
export interface Database {
  readonly db: Kysely<Tables>;
  /** For people; without credentials. */
  readonly location: string;
  /** The time by which leases live, as an SQL expression. */
  readonly now: () => RawBuilder<number>;
  /** The items of a list, given as JSON, as rows with a column `value`: many rows in one statement that is always the same. */
  readonly each: (list: string) => RawBuilder<unknown>;
  /** Holds off other processes that are about to create or change the tables. */
  readonly lockSchema: (trx: Transaction<Tables>) => Promise<void>;
  /** The StateStoreError that an error of the driver means; any other error as it is. */
  readonly problem: (error: unknown) => unknown;
}
