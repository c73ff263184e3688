import type { FleetPackage } from '@platform-sync/core/model/console';
import type { DriftResult } from '@platform-sync/core/model/drift';
import type { Plan } from '@platform-sync/core/model/plan';
import type { ApplyResult } from '@platform-sync/engine/api';
import type { Job, JobFound, Work } from '@platform-sync/core/model/fleet';
import type { World } from '@platform-sync/core/model/world';
import { atMost } from '@platform-sync/engine/reads/in-parallel';

/** A job is begun so often. */
const mostAttempts = 3;
const againMs = 5_000;
/** So long a queue that was lost waits for what its jobs still do, before it gives them to somebody else. */
export const partingMs = 15_000;

/** A job from its begin to its end, or until the queue has given it up: it is somebody else's then. */
export interface Claim {
  /** When it was given up. */
  lostAt: number | undefined;
  /** When it had the plan that it carries out: its worker may plan for the next one while what this one sent is repeated. */
  plannedAt?: number;
  /** What its project was asked for and answered. */
  readonly plans: Plan[];
  readonly results: ApplyResult[];
  readonly checks: DriftResult[];
}

/** What a world has to do with the queue of a worker. */
interface Watcher {
  /** Of the world, whatever clock the worker goes by. */
  readonly now: () => number;
  /** After so many milliseconds the queue is lost, and found again; undefined: this time it is not. */
  readonly losesAfter: () => number | undefined;
  readonly onLost: () => void;
  readonly onClaim: (job: Job, claim: Claim) => void;
  readonly onFound: (job: Job, found: JobFound) => void;
}

/**
 * The queue of a worker in memory: its jobs are there when it starts, and it ends when they are done. The real one is tables of
 * PostgreSQL, which no world has; what a worker does with a job is the real code.
 */
export function jobsFor(jobs: readonly Job[], watcher: Watcher): FleetPackage {
  return {
    openQueue: async (_, world) => ({
      add: async () => undefined,
      list: async () => [],
      standings: async () => new Map(),
      note: async (job, found) => watcher.onFound(job, found),
      tell: async () => undefined,
      work: async (work) => {
        const left = new Set(jobs);
        while (left.size > 0 && !work.stop.aborted) await session(left, work, world, watcher);
      },
      close: async () => undefined,
    }),
    openConsole: () => Promise.reject(new Error('not here')),
  };
}

/** Jobs of one stack one after the other, until all are done, the worker is to stop, or the queue is lost. */
async function session(
  left: Set<Job>,
  { atOnce, run, stop, onProblem }: Work,
  { sleep, after }: World,
  { now, losesAfter, onLost, onClaim }: Watcher,
): Promise<void> {
  const inTurn = atMost(atOnce);
  const over = new AbortController();
  const claims = new Set<Claim>();
  const lost = losesAfter();
  const lose = (): void => {
    onLost();
    for (const claim of claims) claim.lostAt = now();
    over.abort();
  };
  const cancel = lost === undefined ? undefined : after(lost, lose);
  const end = (): void => over.abort();
  stop.addEventListener('abort', end);
  const attempted = async (job: Job): Promise<boolean> => {
    const claim: Claim = { lostAt: undefined, plans: [], results: [], checks: [] };
    claims.add(claim);
    onClaim(job, claim);
    try {
      return await run(job, over.signal);
    } finally {
      claims.delete(claim);
    }
  };
  const done = async (job: Job): Promise<void> => {
    for (let attempt = 1; attempt <= mostAttempts && !over.signal.aborted; attempt += 1)
      try {
        const isDone = await inTurn(async () => !over.signal.aborted && (await attempted(job)));
        if (isDone) left.delete(job);
        return;
      } catch (error) {
        onProblem(error);
        await sleep(againMs, over.signal);
      }
    if (!over.signal.aborted) left.delete(job);
  };
  const stacks = [...new Set([...left].map(({ stack }) => stack))];
  const all = Promise.all(
    stacks.map(async (stack) => {
      for (const job of [...left].filter((each) => each.stack === stack)) await done(job);
    }),
  );
  const isOver = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()));
  await Promise.race([all, isOver.then(() => Promise.race([all, sleep(partingMs)]))]);
  cancel?.();
  stop.removeEventListener('abort', end);
}
