import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Processes, realProcesses } from './process-identity.js';
import type { Spawned, SpawnOptions } from './spawn.js';

/**
 * Time, ids, chance and the processes around it as a run gets them. Nothing in the sources takes them from the runtime but `realWorld`, so that a
 * test may hand down a world of its own, in which every run repeats itself.
 */
export interface World {
  /** Milliseconds since 1970, by a clock that may be set. */
  readonly now: () => number;
  /** Milliseconds of a clock that nobody can set. */
  readonly steady: () => number;
  /** Resolves after `ms`, or as soon as `until` fires. */
  readonly sleep: (ms: number, until?: AbortSignal) => Promise<void>;
  /** Runs a task once unless the returned function is called before. Without `ref` it doesn't keep the process alive. */
  readonly after: (ms: number, task: () => void, how?: { readonly ref: boolean }) => () => void;
  /** Runs a task again and again until the returned function is called; doesn't keep the process alive. */
  readonly every: (ms: number, task: () => void) => () => void;
  /** Lets everything else that is due have its turn. */
  readonly turn: () => Promise<void>;
  /** A new UUID. */
  readonly id: () => string;
  /** A new secret, hexadecimal. */
  readonly secret: (bytes: number) => string;
  /** At least 0, below 1. */
  readonly random: () => number;
  readonly processes: Processes;
  /** Runs another program to its end. */
  readonly spawn: (program: string, args: readonly string[], how: SpawnOptions) => Promise<Spawned>;
}

/** This machine's. */
export const realWorld: World = {
  now: () => Date.now(),
  steady: () => performance.now(),
  sleep: (ms, until) =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        until?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      if (until?.aborted === true) end();
      else until?.addEventListener('abort', end);
    }),
  after: (ms, task, { ref } = { ref: true }) => {
    const timer = setTimeout(task, ms);
    if (!ref) timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
  every: (ms, task) => {
    const timer = setInterval(task, ms);
    timer.unref();
    return () => {
      clearInterval(timer);
    };
  },
  turn: () => nextTurn(),
  id: () => randomUUID(),
  secret: (bytes) => randomBytes(bytes).toString('hex'),
  random: () => Math.random(),
  processes: realProcesses,
  spawn: async (...asked) => (await import('./spawn.js')).spawned(...asked),
};

/** The moment, ISO 8601 UTC. */
export function momentIn({ now }: Pick<World, 'now'>): string {
  return new Date(now()).toISOString();
}

/** Fires after so many milliseconds of real time: for calls that leave this machine by a library of its own. */
export function timeLimit(ms: number): AbortSignal {
  return AbortSignal.timeout(ms);
}

/** `YYYY-MM-DD` of a day that exists. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
