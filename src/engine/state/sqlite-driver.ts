import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';
import { errorCode } from '@platform-sync/core/model/diagnostic';
import { StateStoreError } from '@platform-sync/core/model/state-store';
import type { Value } from './sql.js';

/** An open database, by whichever driver: it carries each statement out at once. */
export interface Connection {
  prepare(text: string): Prepared;
  /** Carries out statements that give no rows. */
  exec(text: string): void;
  close(): void;
}

export interface Prepared {
  run(values: readonly Value[]): { readonly changes: number };
  get<Row>(values: readonly Value[]): Row | undefined;
  all<Row>(values: readonly Value[]): readonly Row[];
}

/** Opens a file, or ':memory:'. A statement waits for another process's transaction, so long. */
export type Driver = (path: string, busyTimeoutMs: number) => Connection;

interface NodeDatabase {
  prepare(text: string): {
    run(...values: readonly Value[]): { readonly changes: number };
    get<Row>(...values: readonly Value[]): Row | undefined;
    all<Row>(...values: readonly Value[]): readonly Row[];
  };
  exec(text: string): void;
  close(): void;
}

interface LibsqlDatabase extends Connection {
  prepare(text: string): Prepared & { columns(): readonly { readonly name: string }[] };
}

type Libsql = new (path: string, options: { readonly timeout: number }) => LibsqlDatabase;

/** Node's own SQLite, which is there without a flag from 22.13 and 23.4 on. */
export function nodeDriver(): Driver | undefined {
  const found = withoutWarning(() => process.getBuiltinModule('node:sqlite'));
  if (found === undefined) return undefined;
  const { DatabaseSync } = found as { readonly DatabaseSync: new (path: string) => NodeDatabase };
  return (path, busyTimeoutMs) => {
    const database = new DatabaseSync(path);
    database.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
    return new NodeConnection(database);
  };
}

class NodeConnection implements Connection {
  readonly #database: NodeDatabase;
  #isOpen = true;

  constructor(database: NodeDatabase) {
    this.#database = database;
  }

  prepare(text: string): Prepared {
    const statement = this.#database.prepare(text);
    return {
      run: (values) => statement.run(...values),
      get: (values) => statement.get(...values),
      all: (values) => statement.all(...values),
    };
  }

  exec(text: string): void {
    this.#database.exec(text);
  }

  /** A second time it does nothing, as libsql. */
  close(): void {
    if (this.#isOpen) this.#database.close();
    this.#isOpen = false;
  }
}

/** Node 22 calls its SQLite an experiment on everybody's terminal; what is used of it is tried on each line of Node. */
function withoutWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * The package for older Nodes. It asks Node for a whole diagnostic report only to tell one C library from another, and corrects
 * what it took from that by a look at the system: so it gets no report the first time. Loaded as what it is, CommonJS.
 */
export function libsqlDriver(): Driver {
  const Database = withoutFirstReport(loadLibsql);
  return (path, timeout) => new LibsqlConnection(new Database(path, { timeout }));
}

/** It ends the process at a text that is none, as damage makes one: what a statement would give is looked at as bytes before. */
class LibsqlConnection implements Connection {
  readonly #database: LibsqlDatabase;

  constructor(database: LibsqlDatabase) {
    this.#database = database;
  }

  prepare(text: string): Prepared {
    const statement = this.#database.prepare(text);
    let look: ((values: readonly Value[]) => void) | undefined;
    const looked = (values: readonly Value[]): void => (look ??= this.#looking(text))(values);
    return {
      run: (values) => statement.run(values),
      get: (values) => {
        looked(values);
        return statement.get(values);
      },
      all: (values) => {
        looked(values);
        return statement.all(values);
      },
    };
  }

  /** At all that it would give with these values; of one that writes, once, at the table it writes. */
  #looking(text: string): (values: readonly Value[]) => void {
    if (/^\s*select\b/.test(text)) return this.#lookAt(text);
    const [, table] = /^\s*(?:insert into|update) (\w+)[^]* returning /.exec(text) ?? [];
    if (table !== undefined) this.#lookAt(`select * from ${table}`)([]);
    return () => undefined;
  }

  #lookAt(text: string): (values: readonly Value[]) => void {
    const columns = this.#database.prepare(text).columns();
    const cells = columns.map(({ name }) => `coalesce("${name}", '')`);
    const bytes = `select cast(group_concat(${cells.join(' || ')}, '') as blob) as bytes from (${text})`;
    const prepared = this.#database.prepare(bytes);
    return (values) => {
      const found = prepared.get<{ readonly bytes: Uint8Array | null }>(values)?.bytes ?? new Uint8Array();
      if (!isUtf8(found)) throw Object.assign(new Error('a text is no UTF-8'), { code: 'SQLITE_CORRUPT' });
    };
  }

  exec(text: string): void {
    this.#database.exec(text);
  }

  close(): void {
    this.#database.close();
  }
}

/** A package of ours brings libsql where Node needs it; one beside the program does as well. */
function loadLibsql(): Libsql {
  const load: (name: string) => Libsql = createRequire(import.meta.url);
  try {
    return orElse(
      () => load('@platform-sync/libsql'),
      () => load('libsql'),
    );
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error;
    throw new StateStoreError(
      'unreadable',
      `a state in a file needs Node.js 22.13 or later, or the package libsql beside the program; this is Node.js ${process.versions.node}`,
      'Take a newer Node.js, keep state in PostgreSQL (state: {backend: postgres}), or install libsql.',
      { cause: error },
    );
  }
}

function orElse<T>(first: () => T, second: () => T): T {
  try {
    return first();
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error;
    return second();
  }
}

function withoutFirstReport<T>(load: () => T): T {
  const { report } = process;
  const real = report.getReport;
  report.getReport = () => {
    report.getReport = real;
    return {};
  };
  try {
    return load();
  } finally {
    report.getReport = real;
  }
}

export const openConnection: Driver = nodeDriver() ?? libsqlDriver();
