import { abortError, onAbort } from './abort.js';

/** Time as the HTTP layer sees it, so that tests can turn the hands themselves. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Calls `run` once after `ms`; the function returned calls it off. */
  readonly after: (ms: number, run: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Told when a call has to wait: milliseconds and why, for people. */
export type WaitListener = (wait: { readonly ms: number; readonly reason: string }) => void;

/** Resolves after `ms`; rejects with AbortError as soon as the signal fires. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(abortError(signal));
    const forget = onAbort(signal, () => {
      cancel();
      forget();
      if (signal !== undefined) reject(abortError(signal));
    });
    const cancel = clock.after(ms, () => {
      forget();
      resolve();
    });
  });
}
