import type { Clock } from '@platform-sync/rest/http/clock';

/**
 * A clock that leaps to the next moment somebody waits for, one turn of the event loop a leap: waits cost next to nothing,
 * keep their order, and last as long on a busy machine as on an idle one.
 */
export function leapingClock(): Clock {
  let now = Date.now();
  let isLeaping = false;
  const waiting = new Set<{ readonly at: number; readonly run: () => void }>();
  const leap = (): void => {
    const [next] = [...waiting].sort((a, b) => a.at - b.at);
    isLeaping = next !== undefined;
    if (next === undefined) return;
    waiting.delete(next);
    now = Math.max(now, next.at);
    next.run();
    setImmediate(leap);
  };
  return {
    now: () => now,
    after: (ms, run) => {
      const timer = { at: now + ms, run };
      waiting.add(timer);
      if (!isLeaping) setImmediate(leap);
      isLeaping = true;
      return () => void waiting.delete(timer);
    },
  };
}
