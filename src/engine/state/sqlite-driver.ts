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

type LibsqlDatabase = new (path: string, options: { readonly timeout: number }) => Connection;

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
  return (path, timeout) => new Database(path, { timeout });
}

/** A package of ours brings libsql where Node needs it; one beside the program does as well. */
function loadLibsql(): LibsqlDatabase {
  const load: (name: string) => LibsqlDatabase = createRequire(import.meta.url);
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
