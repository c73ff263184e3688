import pg from 'pg';
import { isLoopback } from '@platform-sync/core/model/loopback';
import { StateStoreError } from '@platform-sync/core/model/state-store';
import type { Database, Statements } from './database.js';
import { marginsOf, type Timing } from './lease-term.js';
import { sql, type Sql } from './sql.js';
import { ownMember } from '@platform-sync/core/model/value';

/** `int8` in the server's list of types. */
const bigintType = 20;
/** Any number will do, as long as every version of this program uses the same. */
const schemaLock = 7_261_094;

/** Opens a pool to a server; connects on first use. */
export function openPostgres(
  url: string,
  timing: Timing,
  max = 4,
  kept: Pick<pg.PoolConfig, 'min' | 'idleTimeoutMillis'> = {},
): Database {
  const location = postgresLocation(url);
  // Whatever the database does, a run must know in time that its lease was not confirmed.
  const budgetMs = timing.ttlMs / 3;
  let pool: pg.Pool;
  try {
    pool = carefulPool(
      url,
      { max, ...kept, query_timeout: budgetMs, types: { getTypeParser: safeIntegers } },
      budgetMs,
    );
  } catch (error) {
    throw postgresProblem(error, location);
  }
  return new PostgresPool(pool, location, timing);
}

/** Connections that give no password away and outlive what breaks. */
export function carefulPool(url: string, options: pg.PoolConfig, connectMs: number): pg.Pool {
  const pool = new pg.Pool({
    Client: saysHowToEncrypt(url) ? pg.Client : CarefulClient,
    application_name: 'platform-sync',
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    ...options,
  });
  // A connection that breaks while idle is replaced at the next query; unheard, the event would end the process.
  pool.on('error', () => undefined);
  // So is one that breaks between two statements of a transaction; the next of them says so.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Serials, tokens and times are far below 2^53; everything else is read the driver's way. */
function safeIntegers(type: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return type === bigintType ? Number : (pg.types.getTypeParser(type, format) as (value: string) => unknown);
}

/** True for an address that says itself whether what is sent is encrypted. */
function saysHowToEncrypt(url: string): boolean {
  return /[?&]ssl(?:mode)?=/.test(url);
}

/** Gives no server on another machine its password in the open, whoever asks for it there. */
class CarefulClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const connection: unknown = Reflect.get(this, 'connection');
    if (!(connection instanceof pg.Connection)) throw new Error('bug: the driver keeps its connection elsewhere');
    const { host } = this;
    if (host.startsWith('/') || host === '::1' || isLoopback(host)) return;
    // Of the ways to prove who one is, these two give the password away, or what serves as well.
    for (const asked of ['authenticationCleartextPassword', 'authenticationMD5Password'])
      connection.prependListener(asked, () => {
        if (!('encrypted' in connection.stream)) connection.stream.destroy(inTheOpen(host));
      });
  }
}

function inTheOpen(host: string): StateStoreError {
  return new StateStoreError(
    'unreachable',
    `the state database on ${host} asks for the password in the open`,
    'Add ?sslmode=verify-full to its address, or let the server ask by SCRAM. For a network that you trust: ?sslmode=disable.',
  );
}

/** One connection. */
class Connection implements Statements {
  readonly #client: pg.PoolClient;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  async rows<Row>(statement: Sql): Promise<readonly Row[]> {
    return (await this.#sent(statement)).rows;
  }

  async first<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0];
  }

  async run(statement: Sql): Promise<number> {
    return (await this.#sent(statement)).rowCount ?? 0;
  }

  #sent({ pieces, values }: Sql): Promise<pg.QueryResult> {
    const text = pieces.reduce((before, piece, nth) => `${before}$${String(nth)}${piece}`);
    return this.#client.query(text, [...values]);
  }
}

/** Each statement outside of a transaction, and each transaction, has a connection of its own. */
class PostgresPool implements Database {
  readonly location: string;
  readonly now: () => Sql;
  readonly #pool: pg.Pool;
  readonly #after: Timing['after'];
  /** How long closing waits for connections that swallow everything, without a word. */
  readonly #partingMs: number;
  /** How long a transaction may do nothing: longer than any of ours. */
  readonly #idleMs: number;

  constructor(pool: pg.Pool, location: string, { ttlMs, now, after }: Timing) {
    this.#pool = pool;
    this.location = location;
    this.#after = after;
    this.#partingMs = marginsOf(ttlMs).partingMs;
    this.#idleMs = Math.round((ttlMs / 3) * 2);
    this.now = () =>
      now === undefined
        ? sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
        : sql`cast(${now()} as bigint)`;
  }

  each(list: string): Sql {
    return sql`json_array_elements(cast(${list} as json))`;
  }

  rows<Row>(statement: Sql): Promise<readonly Row[]> {
    return this.#connected((connection) => connection.rows<Row>(statement));
  }

  first<Row>(statement: Sql): Promise<Row | undefined> {
    return this.#connected((connection) => connection.first<Row>(statement));
  }

  run(statement: Sql): Promise<number> {
    return this.#connected((connection) => connection.run(statement));
  }

  /**
   * Lets the server end it when the process was paused in the middle: the stack's row must not stay locked for ever. Said in
   * the same message as its begin: connection poolers refuse it as a setting of the connection.
   */
  transaction<T>(work: (trx: Statements) => Promise<T>): Promise<T> {
    return this.#within(`begin; set local idle_in_transaction_session_timeout = ${String(this.#idleMs)}`, work);
  }

  /** A reader locks nothing that others wait for. */
  snapshot<T>(work: (trx: Statements) => Promise<T>): Promise<T> {
    return this.#within('start transaction isolation level repeatable read read only', work);
  }

  lockSchema(trx: Statements): Promise<unknown> {
    return trx.rows(sql`select pg_advisory_xact_lock(${schemaLock})`);
  }

  problem(error: unknown): unknown {
    return postgresProblem(error, this.location);
  }

  #parting(): Promise<void> {
    return new Promise((resolve) => void this.#after(this.#partingMs, resolve, { ref: false }));
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await Promise.race([this.#pool.end(), this.#parting()]);
  }

  async #connected<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    try {
      return await work(new Connection(client));
    } finally {
      client.release();
    }
  }

  /** One that fails closes its connection, which undoes it: a server that does not answer is not waited for once more. */
  async #within<T>(begin: string, work: (trx: Statements) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let isDone = false;
    try {
      await client.query(begin);
      const result = await work(new Connection(client));
      await client.query('commit');
      isDone = true;
      return result;
    } finally {
      client.release(!isDone);
    }
  }
}

type Problem = readonly [code: StateStoreError['code'], problem: string, hint: string];

const unreachable: Problem = [
  'unreachable',
  'does not answer',
  'Check the address, the network, and that the server runs.',
];
const refused: Problem = [
  'unreachable',
  'refuses the user',
  'Check the user and the password in the address under `state:` in sync.yaml.',
];

/** SQLSTATEs, whole or by their class of two characters, and errors of the network. */
const problems: Readonly<Record<string, Problem>> = {
  '08': unreachable,
  '57P01': unreachable,
  '57P02': unreachable,
  '57P03': unreachable,
  '57P05': unreachable,
  '25P03': unreachable,
  '28': refused,
  '3D': ['unreachable', 'has no such database', 'Create it, or correct its name in the address.'],
  '3F': [
    'unreachable',
    'has no schema for its tables',
    'Name one that there is in the search_path of the user (ALTER ROLE … SET search_path), or in the address: ?options=-c%20search_path=public.',
  ],
  '53': ['unreachable', 'is out of resources or connections', 'Try again later, or give the server more.'],
  '53100': ['full', 'has no space left', 'Make room on the server and run the command again.'],
  '42501': ['read-only', 'does not let this user write', 'Grant the user the rights to create and write tables.'],
  '25006': ['read-only', 'can only be read', 'Use the address of the primary server.'],
  XX001: ['corrupt', 'has damaged data', 'Restore a copy of the database.'],
  XX002: ['corrupt', 'has a damaged index', 'Rebuild the index (`REINDEX`) or restore a copy of the database.'],
  '58': ['unreadable', 'cannot read or write its files', 'See the log of the server.'],
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EPIPE: unreachable,
  ENOENT: unreachable,
  EACCES: unreachable,
};

const badAddress: Problem = [
  'unreachable',
  'cannot be used: its address is not a valid one',
  'Write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters percent-encoded.',
];
const badTls: Problem = [
  'unreachable',
  'cannot be reached over TLS',
  'Check `sslmode` and `sslrootcert` in the address against what the server offers.',
];

/** What the driver says without a code. */
const sentences: readonly (readonly [RegExp, Problem])[] = [
  [/invalid url|invalid port|invalid connection/i, badAddress],
  [/ssl|tls|certificate/i, badTls],
  [/sasl|password/i, refused],
  [/connection terminated|timeout|connection ended|not queryable|cannot use a pool/i, unreachable],
];

/**
 * The StateStoreError that an error of the driver means; any other error as it is. The message is our own, and the
 * cause stays behind: the driver's errors may quote the address, and with it the password.
 */
export function postgresProblem(error: unknown, location: string): unknown {
  if (!(error instanceof Error) || error instanceof StateStoreError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // The driver's own complaints are plain errors; the sentences must not be looked for in anything else.
  const found = byCode(code) ?? (error.name === 'Error' ? bySentence(error.message) : undefined);
  if (found === undefined) return error;
  const [kind, problem, hint] = found;
  return new StateStoreError(
    kind,
    `the state database ${location} ${problem}${code === undefined ? '' : ` (${code})`}`,
    hint,
  );
}

function byCode(code: string | undefined): Problem | undefined {
  if (code === undefined) return undefined;
  if (/^(CERT|ERR_TLS|ERR_SSL|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/.test(code)) return badTls;
  if (code === 'ERR_INVALID_URL') return badAddress;
  return ownMember(problems, code) ?? (/^[0-9A-Z]{5}$/.test(code) ? ownMember(problems, code.slice(0, 2)) : undefined);
}

function bySentence(message: string): Problem | undefined {
  return sentences.find(([pattern]) => pattern.test(message))?.[1];
}

/** Server and database of an address; no user, no password, no parameters. */
export function postgresLocation(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return /^postgres(ql)?:$/.test(protocol) ? `postgres://${host}${pathname}` : 'postgres';
  } catch {
    return 'postgres';
  }
}
