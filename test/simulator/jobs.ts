import type { FleetPackage } from '@platform-sync/core/model/console';
import type { Job, JobFound, Work } from '@platform-sync/core/model/fleet';
import type { World } from '@platform-sync/core/model/world';
import { atMost } from '@platform-sync/engine/reads/in-parallel';

/** A job is begun so often. */
const mostAttempts = 3;
const againMs = 5_000;

/**
 * The queue of a worker in memory: its jobs are there when it starts, and it ends when they are done. The real one is tables of
 * PostgreSQL, which no world has; what a worker does with a job is the real code.
 */
export function jobsFor(jobs: readonly Job[], onFound: (job: Job, found: JobFound) => void): FleetPackage {
  return {
    openQueue: async (_, { sleep }) => ({
      add: async () => undefined,
      list: async () => [],
      standings: async () => new Map(),
      note: async (job, found) => onFound(job, found),
      tell: async () => undefined,
      work: (work) => worked(jobs, work, sleep),
      close: async () => undefined,
    }),
    openConsole: () => Promise.reject(new Error('not here')),
  };
}

/** One after the other for each stack, until they are done or the worker is to stop. */
async function worked(
  jobs: readonly Job[],
  { atOnce, run, stop, onProblem }: Work,
  sleep: World['sleep'],
): Promise<void> {
  const inTurn = atMost(atOnce);
  const stacks = [...new Set(jobs.map(({ stack }) => stack))];
  const done = async (job: Job): Promise<void> => {
    for (let attempt = 1; attempt <= mostAttempts && !stop.aborted; attempt += 1)
      try {
        return void (await inTurn(() => run(job, stop)));
      } catch (error) {
        onProblem(error);
        await sleep(againMs, stop);
      }
  };
  await Promise.all(
    stacks.map(async (stack) => {
      for (const job of jobs.filter((each) => each.stack === stack)) await done(job);
    }),
  );
}
