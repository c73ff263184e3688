import type { DriftResult } from '@platform-sync/core/model/drift';
import type { Plan } from '@platform-sync/core/model/plan';
import { documentAnnotations, documentOutputs, summaryCharacters } from '@platform-sync/report/ci/github';
import { documentCodeQuality, documentCounts } from '@platform-sync/report/ci/gitlab';
import { documentSarif } from '@platform-sync/report/ci/sarif';
import { applyDocument } from '@platform-sync/report/document/apply';
import type { Document } from '@platform-sync/report/document/document';
import { driftDocument } from '@platform-sync/report/document/drift';
import { planDocument } from '@platform-sync/report/document/plan';
import { documentHtml } from '@platform-sync/report/html/document';
import { documentMarkdown, type MarkdownLimits } from '@platform-sync/report/markdown/document';
import type { ApplyOutcome } from '@platform-sync/report/view/apply-outcome';
import { readJsonText } from '@platform-sync/report/diff/structured-text';
import { compared } from '@platform-sync/report/view/compared';
import { PlanViews } from '@platform-sync/report/view/plan-views';
import type { ReviewPlace } from '@platform-sync/report/view/review-place';
import type { NextStepsContext } from '@platform-sync/report/words/next-steps';

/** Each form of what a plan, a check or an apply tells, as the command line writes it. */
interface FormOptions extends NextStepsContext, MarkdownLimits {
  readonly views?: PlanViews;
}

function told(plan: Plan, options: FormOptions = {}): Document {
  return planDocument(plan, options.views ?? new PlanViews(plan, readJsonText, compared), options);
}

export const planHtml = (plan: Plan, options: FormOptions = {}): string =>
  documentHtml(told(plan, options), options.at ?? {});
export const planMarkdown = (plan: Plan, options: FormOptions = {}): string =>
  documentMarkdown(told(plan, options), options);
export const jobSummary = (plan: Plan, options: FormOptions = {}): string =>
  planMarkdown(plan, { ...options, maxCharacters: summaryCharacters });
export const githubAnnotations = (plan: Plan, views?: PlanViews): string =>
  documentAnnotations(told(plan, views === undefined ? {} : { views }));
export const planCodeQuality = (plan: Plan, views?: PlanViews): string =>
  documentCodeQuality(told(plan, views === undefined ? {} : { views }));
export const planSarif = (plan: Plan, views?: PlanViews): string =>
  documentSarif(told(plan, views === undefined ? {} : { views }));
export const planTerraformReport = (plan: Plan): string => documentCounts(told(plan));
export const githubOutputs = (plan: Plan): string => documentOutputs(told(plan));
export const driftHtml = (result: DriftResult): string => documentHtml(driftDocument(result));
export const applyHtml = (outcome: ApplyOutcome, at: ReviewPlace = {}): string =>
  documentHtml(applyDocument(outcome), at);
export const applyMarkdown = (outcome: ApplyOutcome, at: ReviewPlace = {}): string =>
  documentMarkdown(applyDocument(outcome), { at });
