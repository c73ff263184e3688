import { abortError } from '../http/abort.js';
import type { Clock } from '../http/clock.js';

/** What `within` rejects with when time is up. */
export class OutOfTime extends Error {
  constructor() {
    super('out of time');
    this.name = 'OutOfTime';
  }
}

/**
 * Runs something that may take `ms` at most. The signal it gets fires when time is up or the caller's does; work that does
 * not listen is left behind. Rejects with OutOfTime or AbortError then.
 */
export async function within<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted === true) throw abortError(signal);
  const end = new AbortController();
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    const late = clock.after(ms, () => {
      reject(new OutOfTime());
      end.abort();
    });
    const givenUp = (): void => {
      if (signal !== undefined) reject(abortError(signal));
      end.abort();
    };
    signal?.addEventListener('abort', givenUp, { once: true });
    stop = () => {
      late();
      signal?.removeEventListener('abort', givenUp);
    };
  });
  const work = run(end.signal);
  // Whoever loses the race may still fail; nobody waits for it any more.
  work.catch(() => undefined);
  stopped.catch(() => undefined);
  try {
    return await Promise.race([stopped, work]);
  } finally {
    stop();
  }
}
