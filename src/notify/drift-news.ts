import type { DriftResult, Finding, ResolvedFinding, UncheckedFinding } from '../engine/model/drift.js';

/** What of a check is worth telling somebody who was told of the last one. */
export interface DriftNews {
  readonly appeared: readonly Finding[];
  readonly worse: readonly Finding[];
  readonly resolved: readonly ResolvedFinding[];
  /** Reads that fail since this check. */
  readonly unchecked: readonly UncheckedFinding[];
  /** The check itself could not be made. */
  readonly failed: boolean;
}

/** Undefined when there is nothing to tell. */
export function driftNews(result: DriftResult): DriftNews | undefined {
  const news: DriftNews = {
    appeared: result.findings.filter(({ trend }) => trend === 'new'),
    worse: result.findings.filter(({ trend }) => trend === 'worse'),
    resolved: result.resolved,
    unchecked: result.notCompared.filter(({ trend }) => trend === 'new'),
    failed: result.status === 'failed',
  };
  const { appeared, worse, resolved, unchecked, failed } = news;
  return failed || [appeared, worse, resolved, unchecked].some((list) => list.length > 0) ? news : undefined;
}
