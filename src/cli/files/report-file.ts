import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import nodePath, { dirname } from 'node:path';
import { DiagnosticError, errorCode } from '@platform-sync/core/model/diagnostic';
import { isLedAway } from '@platform-sync/engine/trust/paths';
import { fileReason } from './file-reason.js';
import { passingName } from '@platform-sync/core/model/process-identity';

/** Throws where a link inside the project would take what is written out of it: the link may be part of a proposal. */
export function requireOwnPlace(path: string): void {
  if (!isLedAway(path)) return;
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'path-leaves-project',
      summary: `${path} leads out of the project through a link: nothing was written there.`,
      hint: 'Remove the link, or name the place it leads to.',
    },
  ]);
}

/** A device or a pipe (`/dev/null`, `/dev/stdout`, `>(…)`) is written to; it is never replaced or taken away. */
async function isNoFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/** Takes a report of an earlier run away; what can't be there is gone already, and nothing outside the project is touched. */
export async function removeReport(path: string): Promise<void> {
  if (isLedAway(path) || (await isNoFile(path))) return;
  await rm(path, { force: true }).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOTDIR') throw unwritable('report', path, error);
  });
}

/** Writes a report or a plan. The file appears whole or not at all: a collector may read at any time. */
export async function writeReport(path: string, text: string, what = 'report'): Promise<void> {
  const passing = passingName(path);
  requireOwnPlace(path);
  try {
    if (await isNoFile(path)) return await writeFile(path, text);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(passing, text, { flag: 'wx' });
    await rename(passing, path);
  } catch (error) {
    throw unwritable(what, path, error);
  }
}

function unwritable(what: string, path: string, error: unknown): DiagnosticError {
  const summary = `The ${what} ${path} was not written: ${fileReason(error)}.`;
  return new DiagnosticError([
    { severity: 'error', code: 'report-unwritable', summary, hint: 'Remove the cause, or name another place for it.' },
  ]);
}

/** A file or folder as it is named to people and in files: seen from the project's folder, with `/` on every system. */
export function shownPath(from: string, to: string, path: typeof nodePath.posix = nodePath): string {
  return path.relative(from, to).replaceAll(path.sep, '/') || '.';
}
