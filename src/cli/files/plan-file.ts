import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Diagnostic } from '../../engine/model/diagnostic.js';
import type { Plan } from '../../engine/model/plan.js';
import { requireOwnPlace } from './report-file.js';
import { parsePlan, serializePlan } from '../../engine/plan/planfile.js';

export type PlanFile =
  | { readonly plan: Plan; readonly diagnostic?: undefined }
  /** `stale`: it is a plan, but not the one that was written, or of an earlier version of the program. */
  | { readonly diagnostic: Diagnostic; readonly stale: boolean; readonly plan?: undefined };

/** Writes the plan; the file appears whole or not at all. */
export async function writePlanFile(path: string, plan: Plan): Promise<void> {
  requireOwnPlace(path);
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, serializePlan(plan), { flag: 'wx' });
  await rename(temporary, path);
}

/** Reads a plan file and checks that it is what was written. */
export async function readPlanFile(path: string): Promise<PlanFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return { diagnostic: unreadable(path, error as NodeJS.ErrnoException), stale: false };
  }
  const found = parsePlan(text);
  if ('plan' in found) return found;
  return { diagnostic: found.diagnostic, stale: found.reason === 'altered' || found.reason === 'outdated' };
}

function unreadable(path: string, error: NodeJS.ErrnoException): Diagnostic {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'it does not exist',
    EISDIR: 'it is a folder',
    EACCES: 'access was denied',
  };
  const reason = reasons[error.code ?? ''] ?? error.message;
  return {
    severity: 'error',
    code: 'plan-file-unreadable',
    summary: `The plan file ${path} can't be read: ${reason}.`,
  };
}
