import type { DriftStatus, SeenFinding } from './drift.js';
import type { DriftNews } from './drift-news.js';

/** A check among all of its stack. */
interface CheckMark {
  readonly at: string;
  readonly status: DriftStatus;
  /** 1, 2 … */
  readonly number: number;
}

/** What earlier checks of a stack saw. */
export interface DriftHistory {
  /** By id; resolved ones are kept for ninety days. */
  readonly findings: readonly SeenFinding[];
  readonly lastCheck?: CheckMark;
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
  /** Number of the check that it follows, 0 for none: where another came in between, nothing is written. Left out: any. */
  readonly after?: number;
  /** What others are to be told, if anything. */
  readonly news?: DriftNews;
}
