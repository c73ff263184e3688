import type { FastifyInstance } from 'fastify';
import type { QueuedJob } from '@platform-sync/core/model/fleet';
import { rowName } from './fleet-view.js';
import { pageHeaders, type Service, stackOf } from './guard.js';

/** One look at the queue serves all that watch. */
const lookMs = 1_000;
/** A browser comes again by itself. */
const longestMs = 10 * 60_000;
const mostWatched = 500;

/** Tells a page when a job of its stack begins or ends: it asks for itself again. */
export function liveRoutes(app: FastifyInstance, service: Service): void {
  const { world, onProblem } = service.options;
  const watching = new Set<(jobs: readonly QueuedJob[]) => void>();
  const look = async (): Promise<void> => {
    if (watching.size === 0) return;
    const jobs = await service.queue.list();
    watching.forEach((hear) => hear(jobs));
  };
  let isLooking = false;
  const cease = world.every(lookMs, () => {
    if (isLooking) return;
    isLooking = true;
    void look()
      .catch((error: unknown) => onProblem(`watching: ${error instanceof Error ? error.message : 'failed'}`))
      .finally(() => (isLooking = false));
  });
  app.addHook('onClose', () => cease());

  app.get('/stacks/:project/:stack/events', { exposeHeadRoute: false }, async (request, reply) => {
    const stack = stackOf(request);
    if (stack === undefined || watching.size >= mostWatched) return reply.code(503).send();
    const name = rowName(stack);
    let last: string | undefined;
    const { raw } = reply.hijack();
    raw.writeHead(200, { ...pageHeaders, 'content-type': 'text/event-stream; charset=utf-8' });
    raw.write(': watching\n\n');
    const hear = (jobs: readonly QueuedJob[]): void => {
      const now = jobs
        .filter((job) => rowName(job) === name)
        .map(({ kind, state }) => `${kind} ${state}`)
        .join(', ');
      if (last !== undefined && now !== last) raw.write(`data: ${JSON.stringify(now)}\n\n`);
      else raw.write(': \n\n');
      last = now;
    };
    watching.add(hear);
    const end = world.after(longestMs, () => raw.end(), { ref: false });
    raw.on('close', () => {
      watching.delete(hear);
      end();
    });
    return reply;
  });
}
