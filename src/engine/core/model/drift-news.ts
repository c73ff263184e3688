import { defined } from './defined.js';
import type { Diagnostic } from './diagnostic.js';
import type { NumberedRunNews } from './run-news.js';
import type { DriftResult, DriftSeverity, Finding, ResolvedFinding, UncheckedFinding } from './drift.js';

/** A finding as somebody is told of it: long values only by their beginning, secrets sealed. */
export interface NewsFinding extends Finding {
  /** Values of which only the beginning is there. */
  readonly cut?: readonly ('old' | 'new')[];
}

/** What one check saw that the check before it did not. */
export type DriftChange =
  | { readonly kind: 'new' | 'worse'; readonly finding: NewsFinding }
  | { readonly kind: 'resolved'; readonly finding: ResolvedFinding }
  /** A read that fails since this check. */
  | { readonly kind: 'unread'; readonly read: UncheckedFinding }
  /** The check could not be made; the one before could. */
  | { readonly kind: 'failed'; readonly problems: readonly Diagnostic[] }
  /** It could be made again. */
  | { readonly kind: 'recovered' };

/** How a check ended, in numbers. */
export interface CheckSummary extends Pick<
  DriftResult,
  'project' | 'stack' | 'targets' | 'checkedAt' | 'status' | 'unrecorded'
> {
  readonly findings: Readonly<Record<DriftSeverity, number>>;
  readonly notCompared: number;
  readonly compared: number;
}

/** The changes of one check. */
export interface DriftNews {
  readonly check: CheckSummary;
  readonly changes: readonly DriftChange[];
}

/** News with its place among the checks and told runs of a stack: 1, 2 … */
interface NumberedNews extends DriftNews {
  readonly number: number;
}

/** What news can be about. */
export interface NewsOf {
  readonly drift: NumberedNews;
  readonly run: NumberedRunNews;
}

/** What a receiver has not acknowledged yet, and the right to tell it: nobody else does meanwhile. */
export interface TakenNews<About extends keyof NewsOf = 'drift'> {
  /** False: it was never told anything, and is told what is so now. */
  readonly isKnown: boolean;
  /** By number. Of runs, one that was never told anything gets the last. */
  readonly news: readonly NewsOf[About][];
}

/** Who tells whom of what. */
export interface NewsClaim<About extends keyof NewsOf = keyof NewsOf> {
  /** Names the receiver; no address, which may let anybody post. */
  readonly receiver: string;
  readonly about: About;
  /** Names the one who tells. */
  readonly by: string;
}

export function summaryOf(result: DriftResult): CheckSummary {
  const { project, stack, targets, checkedAt, status, findings, notCompared, compared, unrecorded } = result;
  return {
    ...{ project, stack, targets, checkedAt, status, compared, notCompared: notCompared.length },
    ...defined({ unrecorded }),
    findings: countBySeverity(findings),
  };
}

function countBySeverity(findings: readonly { readonly severity: DriftSeverity }[]): CheckSummary['findings'] {
  const counts = { high: 0, medium: 0, low: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}
