import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FleetRow, QueuedJob } from '@platform-sync/core/model/fleet';
import type { FleetRecord } from '@platform-sync/state/fleet-record';
import { jobWords, rowName } from './fleet-view.js';
import { memberOf, numberIn, pageHeaders, type Service, stackOf } from './guard.js';

/** One look serves all that watch the same. */
const lookMs = 1_000;
/** A browser comes again by itself. */
const longestMs = 10 * 60_000;
const mostWatched = 500;

/** What a page shows of something that goes on. `isOver`: the page is another one by now. */
interface Progress {
  readonly text: string;
  readonly isOver: boolean;
}

/** Asks once a look, whoever asks. */
interface Look {
  readonly jobs: () => Promise<readonly QueuedJob[]>;
  readonly run: (name: string, ask: () => Promise<Progress>) => Promise<Progress>;
}

/** How something stands now. */
type Watched = (look: Look) => Promise<Progress>;

/** Tells a page when a job of its stack begins or ends, and how far a run is: it asks for itself again when it is another one. */
export function liveRoutes(app: FastifyInstance, service: Service): void {
  const watchers = new Watchers(service);
  app.addHook('onClose', () => watchers.close());

  app.get('/stacks/:project/:stack/events', { exposeHeadRoute: false }, async (request, reply) => {
    const stack = stackOf(request);
    if (stack === undefined) return reply.code(503).send();
    return watchers.watch(request, reply, async (look) => {
      const jobs = await look.jobs();
      const own = jobs.filter((job) => rowName(job) === rowName(stack));
      return { text: jobWords(own) ?? '', isOver: true };
    });
  });

  app.get('/stacks/:project/:stack/runs/:run/events', { exposeHeadRoute: false }, async (request, reply) => {
    const [stack, run] = [stackOf(request), numberIn(request.params, 'run')];
    if (stack === undefined || run === undefined) return reply.code(503).send();
    return watchers.watch(request, reply, (look) =>
      look.run(`${rowName(stack)} ${String(run)}`, () => runProgress(service.record, stack, run)),
    );
  });
}

/** How far a run is, by the rows that it has written. */
export async function runProgress(
  record: FleetRecord,
  place: Pick<FleetRow, 'project' | 'stack'>,
  run: number,
): Promise<Progress> {
  const over = { text: '', isOver: true };
  if (!(await record.isUnderWay(place, run))) return over;
  const history = record.history(place);
  const [[plan], [last]] = await Promise.all([
    history.runs({ run, kinds: ['plan'], limit: 1 }),
    history.runs({ run, limit: 1 }),
  ]);
  if (plan?.content.kind !== 'plan' || last === undefined || last.content.kind === 'end') return over;
  // Nobody else writes to a stack meanwhile.
  const done = Math.min(last.number - plan.number, plan.content.steps.length);
  return { text: `${String(done)} of ${String(plan.content.steps.length)} steps recorded`, isOver: false };
}

class Watchers {
  readonly #service: Service;
  readonly #watching = new Set<(look: Look) => Promise<void>>();
  readonly close: () => void;
  #isLooking = false;

  constructor(service: Service) {
    this.#service = service;
    this.close = service.options.world.every(lookMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    let jobs: Promise<readonly QueuedJob[]> | undefined;
    const runs = new Map<string, Promise<Progress>>();
    const look: Look = {
      jobs: () => (jobs ??= this.#service.queue.list()),
      run: (name, ask) => {
        const answer = runs.get(name) ?? ask();
        runs.set(name, answer);
        return answer;
      },
    };
    const heard = [...this.#watching].map((hear) => hear(look));
    const [problem] = (await Promise.allSettled(heard)).flatMap((one) => (one.status === 'rejected' ? [one] : []));
    if (problem !== undefined) {
      const why: unknown = problem.reason;
      this.#service.options.onProblem(`watching: ${why instanceof Error ? why.message : 'failed'}`);
    }
    this.#isLooking = false;
  }

  watch(request: FastifyRequest, reply: FastifyReply, watched: Watched): FastifyReply {
    if (this.#watching.size >= mostWatched) return reply.code(503).send();
    // What the page shows already; who does not say it hears of what comes.
    let last = memberOf(request.query, 'seen');
    const { raw } = reply.hijack();
    raw.writeHead(200, { ...pageHeaders, 'content-type': 'text/event-stream; charset=utf-8' });
    raw.write(': watching\n\n');
    const hear = async (look: Look): Promise<void> => {
      const { text, isOver } = await watched(look);
      const said = JSON.stringify({ text, isOver });
      raw.write(last !== undefined && text !== last ? `data: ${said}\n\n` : ': \n\n');
      last = text;
    };
    this.#watching.add(hear);
    const end = this.#service.options.world.after(longestMs, () => raw.end(), { ref: false });
    raw.on('close', () => {
      this.#watching.delete(hear);
      end();
    });
    return reply;
  }
}
