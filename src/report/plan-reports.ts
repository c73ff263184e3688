import { defined } from '@platform-sync/core/model/defined';
import type { Plan } from '@platform-sync/core/model/plan';
import { annotations, githubAnnotations, githubOutputs, outputs, summaryCharacters } from './ci/github.js';
import { codeQuality, planCodeQuality, planTerraformReport } from './ci/gitlab.js';
import { planSarif, sarifLog } from './ci/sarif.js';
import type { StructuredReader } from './diff/structured-text.js';
import type { Document } from './document/document.js';
import { noPlanDocument } from './document/no-plan.js';
import { planDocument } from './document/plan.js';
import { documentHtml } from './html/document.js';
import { documentMarkdown } from './markdown/document.js';
import { filesOfPlansOnly, reportFiles, type ReportFile } from './report-files.js';
import { documentText } from './text/document.js';
import { plainStyle } from './text/style.js';
import { diagnosticFindings } from './view/diagnostic-findings.js';
import { noPlanSummary, noPlanTitle, type NoPlan } from './view/no-plan.js';
import { PlanViews } from './view/plan-views.js';
import type { ReviewFinding } from './view/review-finding.js';
import type { ReviewPlace } from './view/review-place.js';
import { sortDiagnostics } from './words/diagnostics.js';
import { jsonText } from './words/json-text.js';
import type { NextStepsContext } from './words/next-steps.js';

interface ReportOptions extends NextStepsContext {
  /** See `structuredReader`; default: only JSON is compared by structure. */
  readonly read?: StructuredReader;
  /** Where readers on a review platform are. */
  readonly at?: ReviewPlace;
  /** Of the Markdown; default 60,000, what the comment of a review may have. Not below 30,000. */
  readonly maxCharacters?: number;
}

/** A plan, or why there is none, as its writers take it. */
interface Told {
  readonly document: Document;
  readonly at: ReviewPlace;
  readonly maxCharacters?: number;
}

interface PlanTold extends Told {
  readonly plan: Plan;
  readonly views: PlanViews;
}

interface NoPlanTold extends Told {
  readonly found: NoPlan;
  readonly findings: readonly ReviewFinding[];
}

/** Writes both: of a document there is nothing else to know. */
interface Writer {
  readonly plan: (told: PlanTold) => string;
  readonly noPlan: (told: NoPlanTold) => string;
}

function ofDocument(write: (told: Told) => string): Writer {
  return { plan: write, noPlan: write };
}

const failed = { verdict: 'failed', 'verdict-text': noPlanTitle };

const writers: Readonly<Record<ReportFile, Writer>> = {
  'plan.txt': ofDocument(({ document }) => documentText(document, { style: plainStyle })),
  'plan.md': ofDocument(({ document, ...limits }) => documentMarkdown(document, limits)),
  'plan.html': ofDocument(({ document, at }) => documentHtml(document, at)),
  'plan.sarif': {
    plan: ({ plan, views, at }) => planSarif(plan, views, at),
    noPlan: ({ found, findings, at }) => {
      const properties = { verdict: failed.verdict, summary: noPlanSummary(found) };
      return sarifLog(findings, { ...found, isPlanned: false, at, properties });
    },
  },
  'gitlab-code-quality.json': {
    plan: ({ plan, views, at }) => planCodeQuality(plan, views, at),
    noPlan: ({ findings, at }) => codeQuality(findings, at),
  },
  'gitlab-terraform.json': { plan: ({ plan }) => planTerraformReport(plan), noPlan: () => '' },
  'github-annotations.txt': {
    plan: ({ plan, views, at }) => githubAnnotations(plan, views, at),
    noPlan: ({ findings, at }) => annotations(findings, at),
  },
  'github-summary.md': ofDocument(({ document, at }) =>
    documentMarkdown(document, { at, maxCharacters: summaryCharacters }),
  ),
  'github-output.txt': {
    plan: ({ plan, views }) => githubOutputs(plan, views),
    noPlan: ({ found }) => outputs({ ...failed, summary: noPlanSummary(found) }),
  },
};

/** Every report of a plan by the name of its file. The plan document itself is not among them. */
export function planReports(plan: Plan, options: ReportOptions = {}): ReadonlyMap<string, string> {
  const told = planTold(plan, options);
  return new Map(reportFiles.map((name) => [name, writers[name].plan(told)]));
}

/** One of them. */
export function planReport(name: ReportFile, plan: Plan, options: ReportOptions = {}): string {
  return writers[name].plan(planTold(plan, options));
}

function planTold(plan: Plan, { read, at = {}, maxCharacters, ...next }: ReportOptions): PlanTold {
  const views = new PlanViews(read, plan);
  return { document: planDocument(plan, views, next), at, ...defined({ maxCharacters }), plan, views };
}

/** The reports of a plan that could not be made, under the same names; none that counts changes. */
export function noPlanReports(found: NoPlan, at: ReviewPlace = {}): ReadonlyMap<string, string> {
  const sorted = { ...found, diagnostics: sortDiagnostics(found.diagnostics) };
  const findings = diagnosticFindings(sorted.diagnostics);
  const told = { document: noPlanDocument(sorted), at, found: sorted, findings };
  const own = reportFiles.filter((name) => !filesOfPlansOnly.includes(name));
  return new Map([
    ['no-plan.json', noPlanJson(sorted)],
    ...own.map((name) => [name, writers[name].noPlan(told)] as const),
  ]);
}

/** The document of a plan that could not be made, for `sync comment` and for programs. */
function noPlanJson({ diagnostics, engine, project, stack, endedAt, pipeline }: NoPlan): string {
  return jsonText({
    formatVersion: 1,
    kind: 'no-plan',
    ...defined({ engine, project, stack, endedAt, pipeline }),
    diagnostics,
  });
}
