import { defined } from '../engine/model/defined.js';
import { diagnosticFindings } from './view/diagnostic-findings.js';
import { sortDiagnostics } from './words/diagnostics.js';
import { diagnosticsText } from './text/diagnostics.js';
import { annotations, outputs } from './ci/github.js';
import { codeQuality } from './ci/gitlab.js';
import { noPlanHtml } from './html/no-plan.js';
import { jsonText } from './words/json-text.js';
import { noPlanMarkdown } from './markdown/no-plan.js';
import { noPlanSummary, noPlanTitle, type NoPlan } from './view/no-plan.js';
import type { ReviewFinding } from './view/review-finding.js';
import type { ReviewPlace } from './view/review-place.js';
import { sarifLog } from './ci/sarif.js';
import { plainStyle } from './text/style.js';

/** The reports of a plan that could not be made, under the names that `planReports` uses; none that counts changes. */
export function noPlanReports(found: NoPlan, at: ReviewPlace = {}): ReadonlyMap<string, string> {
  const sorted = { ...found, diagnostics: sortDiagnostics(found.diagnostics) };
  const findings = diagnosticFindings(sorted.diagnostics);
  const markdown = noPlanMarkdown(sorted, at);
  return new Map([
    ['no-plan.json', noPlanDocument(sorted)],
    ['plan.txt', diagnosticsText(sorted.diagnostics, plainStyle)],
    ['plan.md', markdown],
    ['plan.html', noPlanHtml(sorted, at)],
    ['plan.sarif', noPlanSarif(sorted, findings, at)],
    ['gitlab-code-quality.json', codeQuality(findings, at)],
    ['github-annotations.txt', annotations(findings, at)],
    ['github-summary.md', markdown],
    ['github-output.txt', outputs({ verdict: 'failed', 'verdict-text': noPlanTitle, summary: noPlanSummary(sorted) })],
  ]);
}

/** The document of a plan that could not be made, for `sync comment` and for programs. */
function noPlanDocument({ diagnostics, engine, project, stack, endedAt, pipeline }: NoPlan): string {
  const facts = defined({ engine, project });
  const more = defined({ stack, endedAt, pipeline });
  return jsonText({ formatVersion: 1, kind: 'no-plan', ...facts, ...more, diagnostics });
}

function noPlanSarif(found: NoPlan, findings: readonly ReviewFinding[], at: ReviewPlace): string {
  const properties = { verdict: 'failed', summary: noPlanSummary(found) };
  return sarifLog(findings, { ...found, isPlanned: false, at, properties });
}
