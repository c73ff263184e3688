import { setTimeout as pause } from 'node:timers/promises';

/** Waits in real time, or until the signal fires. */
export async function sleep(ms: number, until?: AbortSignal): Promise<void> {
  // Being woken up early is what `until` is for.
  await pause(ms, undefined, until === undefined ? {} : { signal: until }).catch(() => undefined);
}
