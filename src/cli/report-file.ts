import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DiagnosticError } from '../engine/model/diagnostic.js';

/** Takes a report of an earlier run away; what can't be there is gone already. */
export async function removeReport(path: string): Promise<void> {
  await rm(path, { force: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw unwritable(path, error);
  });
}

/** Writes a report. The file appears whole or not at all: a collector may read at any time. */
export async function writeReport(path: string, text: string): Promise<void> {
  const passing = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(passing, text);
    await rename(passing, path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): DiagnosticError {
  const why = error instanceof Error && 'code' in error ? String(error.code) : 'it can not be written';
  return new DiagnosticError([
    { severity: 'error', code: 'report-unwritable', summary: `The report ${path} was not written: ${why}.` },
  ]);
}
