import { abortError, onAbort } from '@platform-sync/rest/http/abort';
import type { Clock } from '@platform-sync/rest/http/clock';

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
  let giveUp: (reason: Error) => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    giveUp = (reason) => {
      reject(reason);
      end.abort();
    };
  });
  const callOff = clock.after(ms, () => giveUp(new OutOfTime()));
  const forget = onAbort(signal, () => {
    if (signal !== undefined) giveUp(abortError(signal));
  });
  try {
    // The first to end decides; the race itself takes note of what the other one ends with.
    return await Promise.race([stopped, run(end.signal)]);
  } finally {
    callOff();
    forget();
  }
}
