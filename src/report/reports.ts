import { defined } from '@platform-sync/core/model/value';
import type { Plan } from '@platform-sync/core/model/plan';
import { documentAnnotations, documentOutputs, summaryCharacters } from './ci/github.js';
import { documentCodeQuality, documentCounts } from './ci/gitlab.js';
import { documentSarif } from './ci/sarif.js';
import { readJsonText, type StructuredReader } from './diff/structured-text.js';
import { applyDocument } from './document/apply.js';
import type { Document } from './document/document.js';
import { noPlanDocument, type NoPlan } from './document/no-plan.js';
import { planDocument } from './document/plan.js';
import { documentHtml } from './html/document.js';
import { documentMarkdown, type MarkdownLimits } from './markdown/document.js';
import { filesOfPlansOnly, reportFiles, type ReportFile } from './report-files.js';
import { documentText } from './text/document.js';
import { plainStyle } from './text/style.js';
import type { ApplyOutcome } from './view/apply-outcome.js';
import { compared } from './view/compared.js';
import { PlanViews } from './view/plan-views.js';
import type { ReviewPlace } from './view/review-place.js';
import { sortDiagnostics } from './words/diagnostics.js';
import { jsonText } from './words/json-text.js';
import type { NextStepsContext } from './words/next-steps.js';

interface ReportOptions extends NextStepsContext, MarkdownLimits {
  /** See `structuredReader`; default: only JSON is compared by structure. */
  readonly read?: StructuredReader;
}

type Writer = (document: Document, limits: MarkdownLimits) => string;

/** Each form of a document: it knows nothing else. */
const writers: Readonly<Record<ReportFile, Writer>> = {
  'plan.txt': (document) => documentText(document, { style: plainStyle }),
  'plan.md': documentMarkdown,
  'plan.html': (document, { at }) => documentHtml(document, at),
  'plan.sarif': (document, { at }) => documentSarif(document, at),
  'gitlab-code-quality.json': (document, { at }) => documentCodeQuality(document, at),
  'gitlab-terraform.json': documentCounts,
  'github-annotations.txt': (document, { at }) => documentAnnotations(document, at),
  'github-summary.md': (document, { at = {} }) => documentMarkdown(document, { at, maxCharacters: summaryCharacters }),
  'github-output.txt': documentOutputs,
};

type Reports = ReadonlyMap<string, string>;

/** Every report of a plan by the name of its file. The plan document itself is not among them. */
export function planReports(plan: Plan, options: ReportOptions = {}): Reports {
  const document = documentOf(plan, options);
  return new Map(reportFiles.map((name) => [name, writers[name](document, options)]));
}

/** One of them. */
export function planReport(name: ReportFile, plan: Plan, options: ReportOptions = {}): string {
  return writers[name](documentOf(plan, options), options);
}

function documentOf(plan: Plan, { read = readJsonText, ...next }: ReportOptions): Document {
  return planDocument(plan, new PlanViews(plan, read, compared), next);
}

/** The reports of a plan that could not be made, under the same names; none that counts changes. */
export function noPlanReports(found: NoPlan, at: ReviewPlace = {}): Reports {
  const { engine, project, stack, endedAt, pipeline } = found;
  const diagnostics = sortDiagnostics(found.diagnostics);
  const document = noPlanDocument({ ...found, diagnostics });
  const facts = defined({ engine, project, stack, endedAt, pipeline });
  return new Map([
    // For `sync comment` and for programs.
    ['no-plan.json', jsonText({ formatVersion: 1, kind: 'no-plan', ...facts, diagnostics })],
    ...reportFiles
      .filter((name) => !filesOfPlansOnly.includes(name))
      .map((name) => [name, writers[name](document, { at })] as const),
  ]);
}

/** Every report of an apply by the name of its file. None has the name of a plan's: both may lie in one folder. */
export function applyReports(outcome: ApplyOutcome, at: ReviewPlace = {}): Reports {
  const document = applyDocument(outcome);
  return new Map([
    ['result.json', jsonText(outcome)],
    ['result.md', documentMarkdown(document, { at })],
    ['result.html', documentHtml(document, at)],
    ['result-annotations.txt', documentAnnotations(document, at)],
    ['result-output.txt', documentOutputs(document)],
  ]);
}
