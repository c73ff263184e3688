import { basename } from 'node:path';
import { defined } from '@platform-sync/core/model/value';
import { isEmptyPlan, type Plan } from '@platform-sync/core/model/plan';
import type { Document } from '@platform-sync/report/document/document';
import { endedDocument, type Ending, supersededDocument } from '@platform-sync/report/document/ended';
import { documentMarkdown } from '@platform-sync/report/markdown/document';
import { documentRow } from '@platform-sync/report/markdown/row';
import type { ReviewPlace } from '@platform-sync/report/view/review-place';
import { isBlocked } from '@platform-sync/report/words/guards';
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
  /** Something was written, or may have been: what was planned before is old. */
  readonly isChanged: boolean;
  readonly row: ReturnType<typeof documentRow>;
  readonly markdown: string;
  /** The same with more room, for the job summary. */
  readonly summary: string;
}

type Facts = Omit<OutcomeText, 'row' | 'markdown' | 'summary'>;

/** A plan that an apply was to follow, and that nothing kept from being carried out. */
export function isToBeApplied({ found }: Extract<ResultFile, { path: string }>): boolean {
  if (found.kind !== 'plan') return false;
  const { guards, notCompared } = found.document;
  return !isEmptyPlan(found.document) && notCompared.length === 0 && !isBlocked(guards);
}

/** The text of a run that left no result; `plan` is what an apply was to carry out. */
export function endedText(ending: Ending, named: string | undefined, at: ReviewPlace, plan?: ResultFile): OutcomeText {
  const known = plan?.found?.kind === 'plan' ? plan.found.document : undefined;
  const stack = known?.stack ?? named;
  const of = { project: known?.project, stack };
  return told(facts(of), endedDocument(ending, of, known !== undefined), at);
}

/** What is told in the stead of a text whose request has moved on. */
export function supersededText(
  { row, stack }: Pick<OutcomeText, 'row' | 'stack'>,
  at: ReviewPlace,
): (head: string) => Pick<OutcomeText, 'row' | 'markdown'> {
  return (head) => {
    const document = supersededDocument(head, stack);
    const named = defined({ project: row.project, stack: row.stack });
    return { row: { ...documentRow(document), ...named }, markdown: documentMarkdown(document, { at }) };
  };
}

/** The text of a result document; one row a kind. */
export async function outcomeText(
  { found, path }: Pick<Extract<ResultFile, { path: string }>, 'found' | 'path'>,
  at: ReviewPlace,
): Promise<OutcomeText> {
  switch (found.kind) {
    case 'plan':
      // The reader is elsewhere: the folders of this machine mean nothing there.
      return planText(found.document, basename(path), at);
    case 'no-plan': {
      const { noPlanDocument } = await import('@platform-sync/report/document/no-plan');
      return told(facts(found.document), noPlanDocument(found.document), at);
    }
    case 'apply-result': {
      const { applyDocument } = await import('@platform-sync/report/document/apply');
      const { status, steps } = found.document;
      const isChanged = status === 'unknown' || steps.some(({ outcome }) => outcome === 'done');
      return told({ ...facts(found.document), stands: true, isChanged }, applyDocument(found.document), at);
    }
    case 'drift': {
      const { driftDocument } = await import('@platform-sync/report/document/drift');
      const { checkedAt: endedAt, project, stack } = found.document;
      const ofCheck = { ...facts({ project, stack, endedAt }), stands: true, isOfRequest: false };
      return told(ofCheck, driftDocument(found.document), {});
    }
  }
}

function facts({
  project,
  stack,
  endedAt,
}: {
  readonly project?: string | undefined;
  readonly stack?: string | undefined;
  readonly endedAt?: string;
}): Facts {
  return {
    ...defined({ project, stack }),
    ...(endedAt === undefined || Number.isNaN(Date.parse(endedAt)) ? {} : { at: new Date(endedAt).toISOString() }),
    ...{ stands: false, isOfRequest: true, isChanged: false },
  };
}

function told(known: Facts, document: Document, at: ReviewPlace): OutcomeText {
  const markdown = documentMarkdown(document, { at });
  return { ...known, row: documentRow(document), markdown, summary: markdown };
}

async function planText(plan: Plan, planFile: string, at: ReviewPlace): Promise<OutcomeText> {
  const [{ planDocument }, { summaryCharacters }, { planViews }] = await Promise.all([
    import('@platform-sync/report/document/plan'),
    import('@platform-sync/report/ci/github'),
    import('@platform-sync/report/view/plan-views'),
  ]);
  const { project, stack, digest, meta } = plan;
  const document = planDocument(plan, await planViews(plan), { planFile });
  return {
    ...told({ ...facts({ project, stack }), digest, at: meta.createdAt }, document, at),
    summary: documentMarkdown(document, { at, maxCharacters: summaryCharacters }),
  };
}
