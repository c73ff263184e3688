import type { Plan } from '@platform-sync/core/model/plan';
import type { Json } from '@platform-sync/core/model/value';
import { PlanViews } from '../view/plan-views.js';
import { findingRules, type FindingLevel } from '../view/finding-rules.js';
import { reviewFindings, type ReviewFinding } from '../view/review-finding.js';
import { inRepository, type ReviewPlace } from '../view/review-place.js';
import { jsonText } from '../words/json-text.js';

const severities: Readonly<Record<FindingLevel, string>> = { error: 'critical', warning: 'major', note: 'info' };
// What has no line of its own is shown at the project file.
const projectFile = 'sync.yaml';

/** The findings as a code quality report (`artifacts:reports:codequality`). */
export function planCodeQuality(plan: Plan, views: PlanViews = new PlanViews(), at: ReviewPlace = {}): string {
  return codeQuality(reviewFindings(plan, views), at);
}

/** Findings as the entries of a code quality report. */
export function codeQuality(findings: readonly ReviewFinding[], at: ReviewPlace = {}): string {
  const entries = findings.map((found): Json => ({
    description: `${findingRules[found.rule].title}: ${found.message}`,
    check_name: found.rule,
    fingerprint: found.fingerprint,
    severity: severities[found.level],
    location: { path: inRepository(found.place?.file ?? projectFile, at), lines: { begin: found.place?.line ?? 1 } },
  }));
  return jsonText(entries);
}

/** The three numbers of the plan widget (`artifacts:reports:terraform`). A replacement is a delete and a create. */
export function planTerraformReport(plan: Plan): string {
  const { create, update, replace, delete: deletes } = plan.summary;
  return `${JSON.stringify({ create: create + replace, update, delete: deletes + replace })}\n`;
}
