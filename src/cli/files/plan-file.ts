import type { World } from '@platform-sync/core/model/world';
import { readFile } from 'node:fs/promises';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { tellLength } from '@platform-sync/core/model/long-run';
import type { Plan } from '@platform-sync/core/model/plan';
import { fileReason } from './file-reason.js';
import { writeReport } from './report-file.js';
import { parsePlan, serializePlan } from '@platform-sync/engine/plan/saved-plan';

type PlanFile =
  | { readonly plan: Plan; readonly diagnostic?: undefined }
  /** `stale`: it is a plan, but not the one that was written, or of an earlier version of the program. */
  | { readonly diagnostic: Diagnostic; readonly stale: boolean; readonly plan?: undefined };

/** Writes the plan; the file appears whole or not at all. */
export async function writePlanFile(path: string, plan: Plan): Promise<void> {
  await writeReport(path, serializePlan(plan), 'plan file');
}

/** The same of a plan that another job of a pipeline left: what came with the checkout is none. */
export async function readHandedPlan(path: string, world: Pick<World, 'spawn'>): Promise<PlanFile> {
  const { broughtAlong } = await import('./tracked-file.js');
  const brought = await broughtAlong(path, world);
  if (brought === undefined) return readPlanFile(path);
  const summary = `The plan file ${path} ${brought}.`;
  const hint = 'Use the plan of the job before, from a folder outside of the repository.';
  return { diagnostic: { severity: 'error', code: 'plan-file-unreadable', summary, hint }, stale: false };
}

/** Reads a plan file and checks that it is what was written. */
export async function readPlanFile(path: string): Promise<PlanFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return { diagnostic: unreadable(path, error), stale: false };
  }
  tellLength(0, text.length);
  const found = parsePlan(text);
  if ('plan' in found) return found;
  return { diagnostic: found.diagnostic, stale: found.reason === 'altered' || found.reason === 'outdated' };
}

function unreadable(path: string, error: unknown): Diagnostic {
  return {
    severity: 'error',
    code: 'plan-file-unreadable',
    summary: `The plan file ${path} can't be read: ${fileReason(error)}.`,
    hint: 'Write one: sync plan --out FILE',
  };
}
