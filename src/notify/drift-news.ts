import type { DriftResult, Finding, ResolvedFinding, UncheckedFinding } from '../engine/model/drift.js';

/** What of a check is worth telling somebody who was told of the last one. */
export interface DriftNews {
  readonly appeared: readonly Finding[];
  readonly worse: readonly Finding[];
  readonly resolved: readonly ResolvedFinding[];
  /** Reads that fail since this check. */
  readonly unchecked: readonly UncheckedFinding[];
  /** The check itself can not be made any more; told when that begins. */
  readonly failed: boolean;
  /** It could be made again, after one or more that could not. */
  readonly recovered: boolean;
}

/** Undefined when there is nothing to tell. */
export function driftNews(result: DriftResult): DriftNews | undefined {
  const news: DriftNews = {
    appeared: result.findings.filter(({ trend }) => trend === 'new'),
    worse: result.findings.filter(({ trend }) => trend === 'worse'),
    resolved: result.resolved,
    unchecked: result.notCompared.filter(({ trend }) => trend === 'new'),
    failed: result.status === 'failed' && result.before !== 'failed',
    recovered: result.status !== 'failed' && result.before === 'failed',
  };
  const { appeared, worse, resolved, unchecked, failed, recovered } = news;
  return failed || recovered || [appeared, worse, resolved, unchecked].some((list) => list.length > 0)
    ? news
    : undefined;
}
