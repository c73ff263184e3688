import { createRequire } from 'node:module';
import type LibsqlDatabase from 'libsql';

/**
 * The driver of SQLite. It asks Node for a whole diagnostic report only to tell one C library from another, and corrects what
 * it took from that by a look at the system: so it gets no report the first time. Loaded as what it is, CommonJS.
 */
export const Libsql: typeof LibsqlDatabase = withoutFirstReport(
  () => createRequire(import.meta.url)('libsql') as typeof LibsqlDatabase,
);

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
