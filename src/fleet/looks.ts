import { EventEmitter } from 'node:events';
import type { Worker, WorkerEvents } from 'graphile-worker';
import type { World } from '@platform-sync/core/model/world';

/** Milliseconds. The last is shorter than the time after which the engine looks by itself. */
const pauses = [30, 60, 120, 240, 480, 960];

/**
 * Events by which a worker that found nothing looks again soon. While one looks, it locks the queue of every stack, so that others who
 * look in that moment find nothing however much waits, and the engine would let them sleep for two seconds.
 */
export function lookingAgain(world: Pick<World, 'after' | 'random'>): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  /** Of each worker, how often it has found nothing since there was something to find. */
  const misses = new Map<Worker, number>();
  const waits = new Map<Worker, () => void>();
  const released = new WeakSet<Worker>();
  const cease = (worker: Worker): void => {
    waits.get(worker)?.();
    waits.delete(worker);
  };
  events.on('pool:listen:notification', () => misses.clear());
  events.on('worker:getJob:start', ({ worker }) => cease(worker));
  events.on('job:start', ({ worker }) => void misses.delete(worker));
  events.on('worker:release', ({ worker }) => {
    released.add(worker);
    cease(worker);
  });
  events.on('worker:getJob:empty', ({ worker }) => {
    const nth = misses.get(worker) ?? 0;
    misses.set(worker, nth + 1);
    const pauseMs = pauses[nth];
    if (pauseMs === undefined || released.has(worker)) return;
    // Those that missed together do not look together again.
    const ms = pauseMs * (0.5 + world.random());
    waits.set(
      worker,
      world.after(ms, () => void worker.nudge(), { ref: false }),
    );
  });
  return events;
}
