import type { Intent } from '@platform-sync/core/model/state';

/** Where in the life of a write the process dies. */
export interface KillPoint {
  readonly point: 'before sending' | 'after the answer' | 'after the state write';
  readonly write: Intent['action'];
  /** Counted from 1, among the writes of its kind. */
  readonly nth: number;
}

/** What the child is told, as JSON in its first argument. */
export interface ChildOrder {
  readonly cwd: string;
  /** The platform. */
  readonly url: string;
  readonly kill?: KillPoint;
  /** Life of the lease, milliseconds; as in earnest unless given. */
  readonly timing?: { readonly ttlMs: number; readonly heartbeatMs: number; readonly pollMs: number };
  readonly lockTimeoutMs?: number;
  /** Breaks the lease of the run before, which is dead, and looks afterwards whether all is well. */
  readonly afterCrash?: boolean;
}

/** What the child tells. */
export type ChildMessage =
  | { readonly type: 'planned'; readonly steps: number }
  | { readonly type: 'started' }
  | { readonly type: 'begun'; readonly write: Intent['action'] }
  | ChildResult
  | ChildCheck;

export interface ChildResult {
  readonly type: 'ended';
  readonly status: string;
  readonly done: number;
  readonly stepsLeft: number;
  /** Codes of the run's and the steps' diagnostics. */
  readonly codes: readonly string[];
  /** What became of writes that an earlier run left open. */
  readonly recovered: Readonly<Record<string, number>>;
}

/** How things stand after the run. */
export interface ChildCheck {
  readonly type: 'checked';
  /** What the next plan would do, and what it says. */
  readonly next: readonly string[];
  readonly openIntents: number;
  /** Ids in state, sorted. */
  readonly managed: readonly string[];
}
