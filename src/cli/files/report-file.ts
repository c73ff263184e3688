import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DiagnosticError } from '../../engine/model/diagnostic.js';
import { isLedAway } from '../../engine/trust/paths.js';

/** Throws where a link inside the project would take what is written out of it: the link may be part of a proposal. */
export function requireOwnPlace(path: string): void {
  if (!isLedAway(path)) return;
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'path-leaves-project',
      summary: `${path} leads out of the project through a link: nothing was written there.`,
      hint: 'Take the link away, or name the place it leads to.',
    },
  ]);
}

/** Takes a report of an earlier run away; what can't be there is gone already. */
export async function removeReport(path: string): Promise<void> {
  await rm(path, { force: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw unwritable(path, error);
  });
}

/** Writes a report. The file appears whole or not at all: a collector may read at any time. */
export async function writeReport(path: string, text: string): Promise<void> {
  const passing = `${path}.${process.pid}.tmp`;
  requireOwnPlace(path);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(passing, text, { flag: 'wx' });
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
