import { repeated } from '@platform-sync/core/model/attempts';
import { ReviewError } from './review-error.js';

/** How long to wait is decided here, the waiting itself is given: tests do not wait. */
export interface Patience {
  readonly wait: (ms: number, why: string) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const attempts = 4;
const createAttempts = 3;
/** Longer than this no pipeline should sit still for a comment. */
const longestWaitMs = 60_000;

/**
 * Calls again what failed for a passing reason. `repeatable: false` is for calls that must not be carried out twice:
 * they are sent again only after an answer that says that nothing was done.
 */
export function patiently<T>(
  patience: Patience,
  call: () => Promise<T>,
  { repeatable }: { readonly repeatable: boolean },
): Promise<T> {
  const isPassing = (error: ReviewError): boolean =>
    error.kind === 'rate-limited' || (repeatable && gotNoAnswer(error));
  return again(patience, { most: attempts, longestMs: longestWaitMs }, isPassing, call);
}

/** Makes something that must be there once: after an answer that leaves open whether it was made, it is looked for first. */
export function createOnce<T>(
  patience: Patience,
  create: () => Promise<T>,
  find: () => Promise<T | undefined>,
): Promise<T> {
  return again(patience, { most: createAttempts, longestMs: Number.POSITIVE_INFINITY }, isAmbiguous, async (nth) => {
    const made = nth === 1 ? undefined : await find();
    return made ?? patiently(patience, create, { repeatable: false });
  });
}

function again<T>(
  patience: Patience,
  { most, longestMs }: { readonly most: number; readonly longestMs: number },
  isPassing: (error: ReviewError) => boolean,
  call: (nth: number) => Promise<T>,
): Promise<T> {
  const rules = { most, mayWait: (ms: number) => ms <= longestMs, wait: patience.wait };
  return repeated<T>(rules, async (nth, faults) => {
    try {
      const value = await call(nth);
      return { kind: 'final', give: () => value };
    } catch (error) {
      if (!(error instanceof ReviewError) || !isPassing(error)) throw error;
      const give = (): never => {
        throw error;
      };
      const why = error.kind === 'rate-limited' ? 'rate limit' : error.message;
      return { kind: 'again', give, why, ms: error.retryAfterMs ?? 1000 * 2 ** faults };
    }
  });
}

/** A write that failed like this may have been carried out. */
function isAmbiguous(error: ReviewError): boolean {
  return gotNoAnswer(error) || error.kind === 'unusable';
}

function gotNoAnswer({ kind }: ReviewError): boolean {
  return kind === 'unavailable' || kind === 'unreachable';
}
