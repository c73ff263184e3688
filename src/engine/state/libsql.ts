import { createRequire } from 'node:module';
import { errorCode } from '@platform-sync/core/model/error-code';
import { StateStoreError } from '@platform-sync/core/model/state-store';
import type { Value } from './sql.js';

/** What is used of the driver: it carries each statement out at once. */
export interface LibsqlDatabase {
  prepare(text: string): Prepared;
  pragma(text: string): unknown;
  close(): void;
}

export interface Prepared {
  run(values: readonly Value[]): { readonly changes: number };
  get<Row>(values: readonly Value[]): Row | undefined;
  all<Row>(values: readonly Value[]): readonly Row[];
}

type Driver = new (path: string, options: { readonly timeout: number }) => LibsqlDatabase;

/**
 * The driver of SQLite. It asks Node for a whole diagnostic report only to tell one C library from another, and corrects what
 * it took from that by a look at the system: so it gets no report the first time. Loaded as what it is, CommonJS.
 */
export const Libsql: Driver = withoutFirstReport(driver);

function driver(): Driver {
  try {
    return createRequire(import.meta.url)('libsql') as Driver;
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error;
    throw new StateStoreError(
      'unreadable',
      'a state in a file needs the package libsql, which is not installed beside the program',
      'Keep state in PostgreSQL (state: {backend: postgres}), or install libsql.',
      { cause: error },
    );
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
