import { ReviewError } from './review-error.js';

/** How long to wait is decided here, the waiting itself is given: tests do not wait. */
export interface Patience {
  readonly wait: (ms: number, why: string) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const attempts = 4;
/** Longer than this no pipeline should sit still for a comment. */
const longestWaitMs = 60_000;

/**
 * Calls again what failed for a passing reason. `repeatable: false` is for calls that must not be carried out twice:
 * they are sent again only after an answer that says that nothing was done.
 */
export async function patiently<T>(
  patience: Patience,
  call: () => Promise<T>,
  { repeatable }: { readonly repeatable: boolean },
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ReviewError) || attempt === attempts) throw error;
      const passing = error.kind === 'rate-limited' || (repeatable && gotNoAnswer(error));
      const ms = waitBefore(attempt, error);
      if (!passing || ms > longestWaitMs) throw error;
      await patience.wait(ms, error.kind === 'rate-limited' ? 'rate limit' : error.message);
    }
  }
}

/** A write that failed like this may have been carried out. */
export function isAmbiguous(error: ReviewError): boolean {
  return gotNoAnswer(error) || error.kind === 'unusable';
}

function gotNoAnswer({ kind }: ReviewError): boolean {
  return kind === 'unavailable' || kind === 'unreachable';
}

export function waitBefore(attempt: number, error: ReviewError): number {
  return error.retryAfterMs ?? 1000 * 2 ** (attempt - 1);
}
