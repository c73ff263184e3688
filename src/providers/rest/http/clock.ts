import { realWorld, type World } from '@platform-sync/core/model/world';

/** What the waits of the HTTP layer go by. */
export type Clock = Pick<World, 'now' | 'after'>;

/** A provider that somebody starts without an engine lives in this machine's. */
export function worldOf({ world = realWorld }: { readonly world?: World | undefined }): World {
  return world;
}

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

/** What a fired signal turns into: always a DOMException named AbortError, whatever reason it was given. */
export function abortError(signal: AbortSignal): DOMException {
  const reason: unknown = signal.reason;
  if (reason instanceof DOMException && reason.name === 'AbortError') return reason;
  return new DOMException('the call was cancelled', 'AbortError');
}

interface Listeners {
  readonly all: Set<() => void>;
  readonly hear: () => void;
}

const listeners = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls `run` when the signal fires; the function returned calls it off. A run's one signal serves hundreds of
 * calls at a time, and more than ten listeners on it make the runtime warn of a leak: here it gets one for all,
 * and none when nobody waits: the runtime keeps a combined signal, with all that hears of it, as long as it has one.
 */
export function onAbort(signal: AbortSignal | undefined, run: () => void): () => void {
  if (signal === undefined) return () => undefined;
  const { all, hear } = listeners.get(signal) ?? listenersOf(signal);
  if (all.size === 0) signal.addEventListener('abort', hear, { once: true });
  all.add(run);
  return () => {
    if (all.delete(run) && all.size === 0) signal.removeEventListener('abort', hear);
  };
}

function listenersOf(signal: AbortSignal): Listeners {
  const all = new Set<() => void>();
  const made = { all, hear: () => [...all].forEach((each) => each()) };
  listeners.set(signal, made);
  return made;
}
