import type { Address } from './address.js';
import type { DriftClass, DriftSeverity, DriftStatus } from './drift.js';
import type { DriftNews } from './drift-news.js';

/** What a check saw of one finding; without values. */
export interface DriftObservation {
  readonly id: string;
  readonly address: Address;
  readonly field?: string;
  readonly class: DriftClass | 'not-compared';
  readonly severity: DriftSeverity;
  /** sha256 over the new value, secrets sealed: tells whether it moved again. */
  readonly digest: string;
}

export interface SeenFinding extends DriftObservation {
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** Absent: it was there at the last check that could see it. */
  readonly resolvedAt?: string;
}

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
  readonly seen: readonly DriftObservation[];
  /** Ids of open findings that are no more. */
  readonly resolved: readonly string[];
  /** Number of the check that it follows, 0 for none: where another came in between, nothing is written. Left out: any. */
  readonly after?: number;
  /** What others are to be told, if anything. */
  readonly news?: DriftNews;
}
