import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { isOtherTarget } from '@platform-sync/core/model/trust';

/** The frozen exit codes, see docs/guides/ci.md; the gravest first. */
export const exitCodes = [64, 130, 143, 1, 7, 5, 4, 3, 2, 0] as const;
export type ExitCode = (typeof exitCodes)[number];

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** What came true in a run; several may. */
export interface Outcome {
  /** The command line makes no sense, or would write without consent. */
  readonly usage?: boolean;
  readonly signal?: StopSignal | undefined;
  readonly errors?: boolean;
  /** Some steps of an apply were done, others were not. */
  readonly partly?: boolean;
  /** The reviewed plan is not what would happen now. */
  readonly stale?: boolean;
  /** A guard that was not lifted. */
  readonly blocked?: boolean;
  /** Something could not be read, so that nothing is claimed about it. */
  readonly notCompared?: boolean;
  /** There is something to do, and the caller asked to be told by code. */
  readonly changes?: boolean;
}

/**
 * Errors that kept a plan from being made: where nothing could be read, or another target is on record, that is all that
 * came true.
 */
export function withoutPlan(diagnostics: readonly Diagnostic[]): Outcome {
  if (isOtherTarget(diagnostics)) return { stale: true };
  const isUnread = diagnostics.some(({ code }) => code === 'nothing-read');
  const others = diagnostics.some(({ code, severity }) => severity === 'error' && code !== 'nothing-read');
  return { errors: others || !isUnread, notCompared: isUnread };
}

/** The one code of a run: the gravest thing that came true. */
export function exitCode(outcome: Outcome): ExitCode {
  if (outcome.usage === true) return 64;
  if (outcome.signal !== undefined) return outcome.signal === 'SIGINT' ? 130 : 143;
  if (outcome.errors === true) return 1;
  if (outcome.partly === true) return 7;
  if (outcome.stale === true) return 5;
  if (outcome.blocked === true) return 4;
  if (outcome.notCompared === true) return 3;
  return outcome.changes === true ? 2 : 0;
}
