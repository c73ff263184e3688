import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { ResolvedFinding, UncheckedFinding } from '@platform-sync/core/model/drift';
import type { CheckSummary, DriftChange, DriftNews, NewsFinding } from '@platform-sync/core/model/drift-news';

/** News by what they are about, as messages have them. */
export interface SortedNews {
  readonly check: CheckSummary;
  readonly appeared: readonly NewsFinding[];
  readonly worse: readonly NewsFinding[];
  readonly resolved: readonly ResolvedFinding[];
  readonly unread: readonly UncheckedFinding[];
  /** Why checks could not be made. */
  readonly problems: readonly Diagnostic[];
  /** After one or more that could not, a check could be made again. */
  readonly recovered: boolean;
}

export function sortedNews({ check, changes }: DriftNews): SortedNews {
  const foundAs = (kind: 'new' | 'worse'): readonly NewsFinding[] =>
    changes.flatMap((change) => (change.kind === kind ? [change.finding] : []));
  return {
    check,
    appeared: foundAs('new'),
    worse: foundAs('worse'),
    resolved: changes.flatMap((change) => (change.kind === 'resolved' ? [change.finding] : [])),
    unread: changes.flatMap((change) => (change.kind === 'unread' ? [change.read] : [])),
    problems: changes.flatMap((change) => (change.kind === 'failed' ? change.problems : [])),
    recovered: check.status !== 'failed' && changes.some(({ kind }) => kind === 'recovered'),
  };
}

/** A check that could not even ask what was told before. */
export function failureNews(check: CheckSummary, diagnostics: readonly Diagnostic[]): DriftNews {
  const failed: DriftChange = { kind: 'failed', problems: diagnostics.filter(({ severity }) => severity === 'error') };
  return { check, changes: [failed] };
}
