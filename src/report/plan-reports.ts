import type { Plan } from '../engine/model/plan.js';
import { githubAnnotations, githubOutputs, jobSummary } from './ci/github.js';
import { planCodeQuality, planTerraformReport } from './ci/gitlab.js';
import { planHtml } from './html/plan.js';
import { planMarkdown } from './markdown/plan.js';
import type { NextStepsContext } from './words/next-steps.js';
import { PlanViews } from './view/plan-views.js';
import { planSarif } from './ci/sarif.js';
import type { ReviewPlace } from './view/review-place.js';
import type { StructuredReader } from './diff/structured-text.js';
import { plainStyle } from './text/style.js';
import { planText } from './text/plan.js';

interface ReportOptions extends NextStepsContext {
  /** See `structuredReader`; default: only JSON is compared by structure. */
  readonly read?: StructuredReader;
  /** Where readers on a review platform are. */
  readonly at?: ReviewPlace;
}

/** Every report of a plan by the name of its file. The plan document itself is not among them. */
export function planReports(plan: Plan, options: ReportOptions = {}): ReadonlyMap<string, string> {
  const { read, ...next } = options;
  const views = new PlanViews(read, plan);
  return new Map([
    ['plan.txt', planText(plan, { style: plainStyle, ...options })],
    ['plan.md', planMarkdown(plan, { ...next, views })],
    ['plan.html', planHtml(plan, { ...next, views })],
    ['plan.sarif', planSarif(plan, views, next.at)],
    ['gitlab-code-quality.json', planCodeQuality(plan, views, next.at)],
    ['gitlab-terraform.json', planTerraformReport(plan)],
    ['github-annotations.txt', githubAnnotations(plan, views, next.at)],
    ['github-summary.md', jobSummary(plan, { ...next, views })],
    ['github-output.txt', githubOutputs(plan, views)],
  ]);
}
