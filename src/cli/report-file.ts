import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DiagnosticError } from '../engine/model/diagnostic.js';

/** Writes a report. The file appears whole or not at all: a collector may read at any time. */
export async function writeReport(path: string, text: string): Promise<void> {
  const passing = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(passing, text);
    await rename(passing, path);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'it can not be written';
    throw new DiagnosticError([
      { severity: 'error', code: 'report-unwritable', summary: `The report ${path} was not written: ${why}.` },
    ]);
  }
}
