import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery, Kysely, PostgresDialect, PostgresDriver, sql } from 'kysely';
import type { DatabaseConnection, Driver, PostgresDialectConfig, TransactionSettings } from 'kysely';
import pg from 'pg';
import type { Database } from './database.js';
import { postgresLocation, postgresProblem } from './postgres-problem.js';
import type { Tables } from './tables.js';
import { marginsOf } from './lease-term.js';
import type { Timing } from './timing.js';

/** `int8` in the server's list of types. */
const bigintType = 20;
/** Any number will do, as long as every version of this program uses the same. */
const schemaLock = 7_261_094;

/** Opens a pool to a server; connects on first use. */
export function openPostgres(url: string, timing: Timing): Database {
  const location = postgresLocation(url);
  // Whatever the database does, a run must know in time that its lease was not confirmed.
  const budgetMs = timing.ttlMs / 3;
  const problem = (error: unknown): unknown => postgresProblem(error, location);
  let pool: pg.Pool;
  try {
    pool = new pg.Pool({
      application_name: 'platform-sync',
      connectionString: url,
      connectionTimeoutMillis: budgetMs,
      keepAlive: true,
      max: 4,
      query_timeout: budgetMs,
      types: { getTypeParser: safeIntegers },
    });
  } catch (error) {
    throw problem(error);
  }
  // A connection that breaks while idle is replaced at the next query; unheard, the event would end the process.
  pool.on('error', () => undefined);
  // So is one that breaks between two statements of a transaction; the next of them says so.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const { now } = timing;
  return {
    db: new Kysely<Tables>({
      dialect: new BoundedPostgresDialect({ pool }, budgetMs * 2, marginsOf(timing.ttlMs).partingMs),
    }),
    location,
    now: () =>
      now === undefined
        ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
        : sql<number>`cast(${now()} as bigint)`,
    each: (list) => sql`json_array_elements(cast(${list} as json))`,
    lockSchema: async (trx) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(schemaLock)})`.execute(trx);
    },
    problem,
  };
}

/** Serials, tokens and times are far below 2^53; everything else is read the driver's way. */
function safeIntegers(type: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return type === bigintType ? Number : (pg.types.getTypeParser(type, format) as (value: string) => unknown);
}

/**
 * Lets the server end a transaction whose process was paused in the middle of it. Said with each transaction, in the
 * same message as its begin: connection poolers refuse it as a setting of the connection.
 */
class BoundedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  readonly #idleMs: number;

  readonly #closeMs: number;

  /**
   * `idleMs`: longer than any of our transactions; a paused process must not keep the stack's row locked for ever.
   * `closeMs`: for connections that swallow everything, without a word, when the pool is closed.
   */
  constructor(config: PostgresDialectConfig, idleMs: number, closeMs: number) {
    super(config);
    this.#config = config;
    this.#idleMs = idleMs;
    this.#closeMs = closeMs;
  }

  override createDriver(): Driver {
    return new BoundedPostgresDriver(this.#config, this.#idleMs, this.#closeMs);
  }
}

class BoundedPostgresDriver extends PostgresDriver {
  readonly #idleMs: number;
  readonly #closeMs: number;

  constructor(config: PostgresDialectConfig, idleMs: number, closeMs: number) {
    super(config);
    this.#idleMs = idleMs;
    this.#closeMs = closeMs;
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    // A reader locks nothing that others wait for.
    if (settings.accessMode === 'read only') return super.beginTransaction(connection, settings);
    const bound = `set local idle_in_transaction_session_timeout = ${String(Math.round(this.#idleMs))}`;
    await connection.executeQuery(CompiledQuery.raw(`begin; ${bound}`));
  }

  override async destroy(): Promise<void> {
    await Promise.race([super.destroy(), pause(this.#closeMs, undefined, { ref: false })]);
  }
}
