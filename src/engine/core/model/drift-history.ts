import type { DriftStatus, SeenFinding } from './drift.js';
import type { DriftNews } from './drift-news.js';

/** The last check of a stack. */
interface CheckMark {
  readonly at: string;
  readonly status: DriftStatus;
}

/** What earlier checks of a stack saw. */
export interface DriftHistory {
  /** By id; resolved ones are kept for ninety days. */
  readonly findings: readonly SeenFinding[];
  readonly lastCheck?: CheckMark;
  /** Of the last check, or of the last run that was told of; 0: neither. A check follows it. */
  readonly number: number;
  /** The last check that compared everything. */
  readonly lastSuccess?: string;
}

/** One check, to be remembered. */
export interface DriftNote {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly status: DriftStatus;
  /** When they were seen is when the check was. */
  readonly seen: readonly Omit<SeenFinding, 'firstSeen' | 'lastSeen' | 'resolvedAt'>[];
  /** Ids of open findings that are no more. */
  readonly resolved: readonly string[];
  /** Those of them that flapped and are quiet now. */
  readonly quiet?: readonly string[];
  /** See `DriftHistory.number`: where another check or run came in between, nothing is written. Left out: any. */
  readonly after?: number;
  /** What others are to be told, if anything. */
  readonly news?: DriftNews;
}
