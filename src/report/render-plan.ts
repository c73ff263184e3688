import type { Plan } from '@platform-sync/core/model/plan';
import { structuredReader } from './diff/structured-text.js';
import { fileOfFormat, type ReportFormat } from './report-files.js';
import type { NoPlan } from './document/no-plan.js';
import type { NextStepsContext } from './words/next-steps.js';

/** What `sync plan --format` takes, but for `json`: that is `serializePlan`. */
export type PlanFormat = 'text' | ReportFormat;

export interface RenderOptions extends NextStepsContext {
  /** For `markdown`; default 60,000, what the comment of a review may have. Not below 30,000. */
  readonly maxCharacters?: number;
}

/** The plan in one format, as the command line prints it without colours. What renders it is loaded when it is called. */
export async function renderPlan(plan: Plan, format: PlanFormat, options: RenderOptions = {}): Promise<string> {
  const [{ planReport }, read] = await Promise.all([import('./reports.js'), structuredReader(plan)]);
  return planReport(format === 'text' ? 'plan.txt' : fileOfFormat(format), plan, { ...options, read });
}

/** Every report of a plan by the name of its file, as `--report-dir` writes them; `plan.json` is not among them. */
export async function renderPlanReports(
  plan: Plan,
  options: NextStepsContext = {},
): Promise<ReadonlyMap<string, string>> {
  const [{ planReports }, read] = await Promise.all([import('./reports.js'), structuredReader(plan)]);
  return planReports(plan, { ...options, read });
}

/** The reports that stand in for a plan that could not be made, under the same names; `github-output.txt` is not there. */
export async function renderNoPlanReports(found: NoPlan): Promise<ReadonlyMap<string, string>> {
  return (await import('./reports.js')).noPlanReports(found);
}
