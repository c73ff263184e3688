import type { Plan } from '../engine/model/plan.js';
import type { NextStepsContext } from './words/next-steps.js';
import type { NoPlan } from './view/no-plan.js';
import { structuredReader } from './diff/structured-text.js';

/** What `sync plan --format` takes, but for `json`: that is `serializePlan`. */
export type PlanFormat = 'text' | 'markdown' | 'html' | 'sarif' | 'gitlab';

export interface RenderOptions extends NextStepsContext {
  /** For `markdown`; default 60,000, what the comment of a review may have. Not below 30,000. */
  readonly maxCharacters?: number;
}

/** The plan in one format, as the command line prints it without colours. What renders it is loaded when it is called. */
export async function renderPlan(plan: Plan, format: PlanFormat, options: RenderOptions = {}): Promise<string> {
  const read = await structuredReader(plan);
  if (format === 'text') {
    const [{ planText }, { plainStyle }] = await Promise.all([import('./text/plan.js'), import('./text/style.js')]);
    return planText(plan, { ...options, read, style: plainStyle });
  }
  const { PlanViews } = await import('./view/plan-views.js');
  const views = new PlanViews(read, plan);
  switch (format) {
    case 'markdown':
      return (await import('./markdown/plan.js')).planMarkdown(plan, { ...options, views });
    case 'html':
      return (await import('./html/plan.js')).planHtml(plan, { ...options, views });
    case 'sarif':
      return (await import('./ci/sarif.js')).planSarif(plan, views);
    case 'gitlab':
      return (await import('./ci/gitlab.js')).planCodeQuality(plan, views);
  }
}

/** Every report of a plan by the name of its file, as `--report-dir` writes them; `plan.json` is not among them. */
export async function renderPlanReports(
  plan: Plan,
  options: NextStepsContext = {},
): Promise<ReadonlyMap<string, string>> {
  const [{ planReports }, read] = await Promise.all([import('./plan-reports.js'), structuredReader(plan)]);
  return planReports(plan, { ...options, read });
}

/** The reports that stand in for a plan that could not be made, under the same names; `github-output.txt` is not there. */
export async function renderNoPlanReports(found: NoPlan): Promise<ReadonlyMap<string, string>> {
  return (await import('./no-plan-reports.js')).noPlanReports(found);
}
