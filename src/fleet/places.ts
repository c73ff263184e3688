import type { WorkerEvents } from 'graphile-worker';
import { type Lane, lanes } from './job-rows.js';

/**
 * So many places for each lane in a worker that begins twice as many jobs at once: who looks for a job leaves out those of a lane that is
 * full, or could be by the time when others who look have found one.
 */
export function placesIn(
  events: WorkerEvents,
  each: number,
): { readonly concurrency: number; readonly forbiddenFlags: () => string[] } {
  let looking = 0;
  const taken: Record<Lane, number> = { asked: 0, drift: 0 };
  const found = (): void => void (looking -= 1);
  events.on('worker:getJob:empty', found);
  events.on('worker:getJob:error', found);
  events.on('job:start', ({ job: { flags } }) => {
    found();
    taken[laneIn(flags)] += 1;
  });
  events.on('job:complete', ({ job: { flags } }) => void (taken[laneIn(flags)] -= 1));
  return {
    concurrency: lanes.length * each,
    forbiddenFlags: () => {
      const full = lanes.filter((lane) => taken[lane] + looking >= each);
      looking += 1;
      return full;
    },
  };
}

/** Of a job that an older version put in: somebody may wait for it. */
function laneIn(flags: Readonly<Record<string, boolean>> | null): Lane {
  return lanes.find((lane) => flags?.[lane] === true) ?? 'asked';
}
