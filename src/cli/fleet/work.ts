import type { Fleet } from '@platform-sync/engine/use-cases/fleet';
import type { JobQueue, Schedule, Work } from '@platform-sync/core/model/fleet';
import { ownMember } from '@platform-sync/core/model/value';
import type { ProjectEnvironment } from '@platform-sync/review/review-environment';
import { printProblems, type RunContext } from '../run/run-context.js';
import { JobRun } from './job-run.js';
import { workerTeller } from './messages.js';
import { queueOf, saidBy } from './queue.js';
import { reportOf } from './rounds.js';
import { Rounds } from './shared-rounds.js';
import { type FleetNow, Stock } from './stock.js';

interface WorkOptions {
  readonly atOnce: number;
  /** Folder for the reports of each stack, absolute. */
  readonly out: string | undefined;
  readonly webhook: string | undefined;
  /** Where one issue about the fleet is kept. */
  readonly issue?: ProjectEnvironment | undefined;
}

/** A worker that starts while its database restarts waits for it. */
const startMs = 60_000;
/** Runs jobs of the fleet until a signal comes. */
export async function workOn(context: RunContext, options: WorkOptions): Promise<void> {
  const stock = new Stock(context);
  const { fleet, stacks } = await stock.now();
  const queue = await queueOf(context, stacks, startMs);
  const said = new Complaints(context);
  const rounds = new Rounds(context.host.world);
  const told = `${String(stacks.length)} stacks of ${fleet.name}, ${String(options.atOnce)} at once`;
  context.host.out(`Working on ${told}. Ctrl-C ends it in seconds; other workers take over its jobs.\n`);
  try {
    await context.interrupts.guard(({ drain }) =>
      queue.work({
        atOnce: options.atOnce,
        schedules: async () => schedulesOf(await stock.now()),
        run: (job, stop) =>
          rounds.during(() => new JobRun({ context, rounds, options, stock, queue }, job, stop).done()),
        stop: drain,
        ...(options.webhook === undefined
          ? {}
          : { teller: workerTeller(context, options.webhook, async () => (await stock.now()).fleet) }),
        ...(options.issue === undefined
          ? {}
          : {
              afterRound: issueKept(
                context,
                { stock, queue, everyMs: lengthOf(fleet.schedule?.check ?? '15m') },
                options.issue,
              ),
            }),
        tellRequest: async (news) => (await requestsTold(context, stock, said))(news),
        onProblem: (error) => said.tell(`The queue: ${saidBy(error)}.\n`),
      }),
    );
  } finally {
    await queue.close();
  }
}

/** What hooks have begun is told to their requests. */
async function requestsTold(
  context: RunContext,
  stock: Stock,
  said: Complaints,
): Promise<NonNullable<Work['tellRequest']>> {
  const { requestTeller } = await import('./requests.js');
  const fleetNow = async (): Promise<Fleet> => (await stock.now()).fleet;
  return requestTeller(context, fleetNow, ({ summary, detail = '' }) =>
    said.tell(`${summary} ${detail}`.trimEnd() + '\n'),
  );
}

/** The issue of `sync fleet check --issue`, by what all workers have found. */
function issueKept(
  context: RunContext,
  { stock, queue, everyMs }: { readonly stock: Stock; readonly queue: JobQueue; readonly everyMs: number },
  issue: ProjectEnvironment,
): NonNullable<Work['afterRound']> {
  const run = async (): Promise<void> => {
    const { fleet, stacks } = await stock.now();
    const known = await queue.standings();
    const report = await reportOf(context, fleet, 'check', stacks, async ({ project, stack }) => {
      return known.get(`${project}/${stack}`) ?? { state: 'unknown', cause: 'It was never checked.' };
    });
    printProblems(context, await (await import('./issue.js')).keepFleetIssue(context, report, issue));
  };
  return { everyMs, run };
}

/** What stays wrong is told once a minute. */
class Complaints {
  readonly #context: RunContext;
  #last = { text: '', at: -Infinity };

  constructor(context: RunContext) {
    this.#context = context;
  }

  tell(text: string): void {
    const { host } = this.#context;
    const at = host.world.steady();
    if (text === this.#last.text && at - this.#last.at < 60_000) return;
    this.#last = { text, at };
    host.err(text);
  }
}

const minutes: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60 };

/** Milliseconds of `15m`, `6h` or `1d`. */
function lengthOf(time: string): number {
  return Number(time.slice(0, -1)) * (ownMember(minutes, time.slice(-1)) ?? 1) * 60_000;
}

function schedulesOf({ fleet, stacks }: FleetNow): readonly Schedule[] {
  return (['check', 'plan'] as const).flatMap((kind) => {
    const time = fleet.schedule?.[kind];
    if (time === undefined) return [];
    const everyMs = lengthOf(time);
    return stacks
      .filter(({ problems }) => problems === undefined)
      .map(({ project, stack }) => ({ job: { kind, project, stack }, everyMs }));
  });
}
