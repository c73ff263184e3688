import { setTimeout as pause } from 'node:timers/promises';

/** How long leases live, and the clock they live by. Replaced in tests. */
export interface Timing {
  /** A lease not seen for this long is over, milliseconds. */
  readonly ttlMs: number;
  /** Time between two signs of life, milliseconds. */
  readonly heartbeatMs: number;
  /** Time between two looks at a lease that another run holds, milliseconds. */
  readonly pollMs: number;
  /** Milliseconds since 1970. Absent: the database's clock on PostgreSQL, this process's elsewhere. */
  readonly now?: () => number;
  /** Milliseconds of a clock that nobody can set. */
  readonly steady: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Runs a task again and again until the returned function is called; doesn't keep the process alive. */
  readonly every: (ms: number, task: () => void) => () => void;
  /** Runs a task once unless the returned function is called before; doesn't keep the process alive. */
  readonly after: (ms: number, task: () => void) => () => void;
}

export const realTiming: Timing = {
  ttlMs: 30_000,
  heartbeatMs: 5_000,
  pollMs: 500,
  steady: () => performance.now(),
  sleep: async (ms) => {
    await pause(ms);
  },
  every: (ms, task) => {
    const timer = setInterval(task, ms);
    timer.unref();
    return () => {
      clearInterval(timer);
    };
  },
  after: (ms, task) => {
    const timer = setTimeout(task, ms);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};
