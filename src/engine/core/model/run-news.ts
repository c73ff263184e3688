import type { Diagnostic } from './diagnostic.js';

/**
 * How a run ended that somebody should hear of. `held`: another run has the stack; `unknown`: it ended without a word; `done`: all is well
 * again.
 */
export type RunStatus = 'blocked' | 'failed' | 'partly' | 'stale' | 'interrupted' | 'held' | 'unknown' | 'done';

/** News of a run, beside those of drift. */
export interface RunNews {
  readonly project: string;
  readonly stack: string;
  /** What was run: `plan`, `apply` … */
  readonly command: string;
  /** ISO 8601 UTC; of one that ended without a word, its last sign of life. */
  readonly at: string;
  readonly status: RunStatus;
  /** Who ran it, where that is another than who tells. */
  readonly owner?: string;
  /** What keeps it: a guard, a step that failed, a write that may have been sent. */
  readonly about: readonly { readonly name: string; readonly summary: string }[];
  readonly counts?: { readonly done: number; readonly failed: number; readonly skipped: number };
  readonly problems: readonly Pick<Diagnostic, 'code' | 'summary'>[];
}

export interface NumberedRunNews extends RunNews {
  readonly number: number;
}

/** A run's end, to be remembered. */
export interface RunNote {
  readonly news: RunNews;
  /** The same for two ends that are the same news. */
  readonly key: string;
}
