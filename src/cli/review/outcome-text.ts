import { basename } from 'node:path';
import { defined } from '../../engine/model/defined.js';
import { isEmptyPlan, type Plan } from '../../engine/model/plan.js';
import { endedMarkdown, type Ending } from '../../report/markdown/ended.js';
import type { ReviewPlace } from '../../report/view/review-place.js';
import { isBlocked } from '../../report/words/guards.js';
import type { ResultFile } from '../files/result-file.js';

/** A result as its comment tells it. */
export interface OutcomeText {
  readonly project?: string;
  readonly stack?: string;
  /** When it came about, ISO 8601 UTC. */
  readonly at?: string;
  /** Hex; the same for the same result. */
  readonly digest?: string;
  /** It tells what was done or found, so that no newer commit makes it untrue. */
  readonly stands: boolean;
  /** It is about what was reviewed: after the merge, when the run belongs to no request, the one that was merged is told. */
  readonly isOfRequest: boolean;
  readonly markdown: string;
  /** The same with more room, for the job summary. */
  readonly summary: string;
}

/** A plan that an apply was to follow, and that nothing kept from being carried out. */
export function isToBeApplied({ found }: Extract<ResultFile, { path: string }>): boolean {
  if (found.kind !== 'plan') return false;
  const { guards, notCompared } = found.document;
  return !isEmptyPlan(found.document) && notCompared.length === 0 && !isBlocked(guards);
}

/** The text of a run that left no result; `plan` is what an apply was to carry out. */
export function endedText(ending: Ending, stack: string, at: ReviewPlace, plan?: ResultFile): OutcomeText {
  const known = plan?.found?.kind === 'plan' ? plan.found.document : undefined;
  const text = same(endedMarkdown(ending, known?.stack ?? stack, at, known !== undefined));
  return { ...facts(defined({ project: known?.project, stack: known?.stack })), ...text };
}

/** The text of a result document; one row a kind. */
export async function outcomeText(
  { found, path }: Extract<ResultFile, { path: string }>,
  at: ReviewPlace,
): Promise<OutcomeText> {
  switch (found.kind) {
    case 'plan':
      // The reader is elsewhere: the folders of this machine mean nothing there.
      return planText(found.document, basename(path), at);
    case 'no-plan': {
      const { noPlanMarkdown } = await import('../../report/markdown/no-plan.js');
      return { ...facts(found.document), ...same(noPlanMarkdown(found.document, at)) };
    }
    case 'apply-result': {
      const { applyMarkdown } = await import('../../report/markdown/apply.js');
      const text = same(applyMarkdown(found.document, at));
      return { ...facts(found.document), stands: true, ...text };
    }
    case 'drift': {
      const { driftMarkdown } = await import('../../report/markdown/drift.js');
      const { checkedAt: endedAt, project, stack } = found.document;
      const text = same(driftMarkdown(found.document));
      return { ...facts({ project, stack, endedAt }), stands: true, isOfRequest: false, ...text };
    }
  }
}

function facts({
  project,
  stack,
  endedAt,
}: {
  readonly project?: string;
  readonly stack?: string;
  readonly endedAt?: string;
}): Pick<OutcomeText, 'project' | 'stack' | 'at' | 'stands' | 'isOfRequest'> {
  return {
    ...defined({ project, stack }),
    ...(endedAt === undefined || Number.isNaN(Date.parse(endedAt)) ? {} : { at: new Date(endedAt).toISOString() }),
    ...{ stands: false, isOfRequest: true },
  };
}

function same(markdown: string): Pick<OutcomeText, 'markdown' | 'summary'> {
  return { markdown, summary: markdown };
}

async function planText(plan: Plan, planFile: string, at: ReviewPlace): Promise<OutcomeText> {
  const [{ planMarkdown }, { jobSummary }, { PlanViews }, { structuredReader }] = await Promise.all([
    import('../../report/markdown/plan.js'),
    import('../../report/ci/github.js'),
    import('../../report/view/plan-views.js'),
    import('../../report/diff/structured-text.js'),
  ]);
  const options = { planFile, at, views: new PlanViews(await structuredReader(plan), plan) };
  const { project, stack, digest, meta } = plan;
  return {
    ...{ project, stack, digest, at: meta.createdAt, stands: false, isOfRequest: true },
    markdown: planMarkdown(plan, options),
    summary: jobSummary(plan, options),
  };
}
