import type { World } from '@platform-sync/core/model/world';
import { abortError, onAbort } from './abort.js';

/** What the waits of the HTTP layer go by. */
export type Clock = Pick<World, 'now' | 'after'>;

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
