import { readFleet, type Fleet } from '@platform-sync/engine/use-cases/fleet';
import type { Job, Round, Schedule } from '@platform-sync/core/model/fleet';
import { defined } from '@platform-sync/core/model/value';
import { Interrupts } from '../process/interrupts.js';
import type { RunContext } from '../run/run-context.js';
import { applied } from '../plan/apply-report.js';
import { planAndApply } from '../plan/plan-and-apply.js';
import { queueOf, saidBy } from './queue.js';
import { failed, type Found } from './found.js';
import { tellFleet } from './messages.js';
import { looked, type MadeCheck, type Stack, stackContext, stacksOf } from './rounds.js';

interface WorkOptions {
  readonly atOnce: number;
  readonly webhook: string | undefined;
}

/** Stacks may come and go while a worker runs. */
const staleMs = 60_000;
/** An apply waits for the lease of a run that died: longer than a lease lives. */
const lockTimeout = '60s';

/** Runs jobs of the fleet until a signal comes. */
export async function workOn(context: RunContext, options: WorkOptions): Promise<void> {
  const stock = new Stock(context);
  const { fleet, stacks } = await stock.now();
  const queue = await queueOf(context, stacks);
  const told = `${String(stacks.length)} stacks of ${fleet.name}, ${String(options.atOnce)} at once`;
  context.host.out(`Working on ${told}. Ctrl-C ends it in seconds; what it has not done, others do.\n`);
  try {
    await context.interrupts.guard(({ drain }) =>
      queue.work({
        atOnce: options.atOnce,
        schedules: async () => schedulesOf(await stock.now()),
        run: async (job, stop) => new JobRun(context, job, stop).done(await stock.now(), options),
        stop: drain,
        onProblem: (error) => context.host.err(`The queue: ${saidBy(error)}.\n`),
      }),
    );
  } finally {
    await queue.close();
  }
}

interface FleetNow {
  readonly fleet: Fleet;
  readonly stacks: readonly Stack[];
}

/** What fleet.yaml and the projects say, read anew now and then. */
class Stock {
  readonly #context: RunContext;
  #read: { readonly at: number; readonly what: Promise<FleetNow> } | undefined;

  constructor(context: RunContext) {
    this.#context = context;
  }

  now(): Promise<FleetNow> {
    const at = this.#context.host.world.steady();
    if (this.#read === undefined || at - this.#read.at > staleMs) {
      const what = this.#fresh();
      this.#read = { at, what };
      // One that can't be read is read again when somebody asks.
      what.catch(() => (this.#read = undefined));
    }
    return this.#read.what;
  }

  async #fresh(): Promise<FleetNow> {
    const fleet = await readFleet(this.#context.cwd);
    return { fleet, stacks: await stacksOf(this.#context, fleet) };
  }
}

const minutes: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60 };

function schedulesOf({ fleet, stacks }: FleetNow): readonly Schedule[] {
  return (['check', 'plan'] as const).flatMap((kind) => {
    const time = fleet.schedule?.[kind];
    if (time === undefined) return [];
    const everyMs = Number(time.slice(0, -1)) * (minutes[time.slice(-1)] ?? 1) * 60_000;
    return stacks
      .filter(({ problems }) => problems === undefined)
      .map(({ project, stack }) => ({ job: { kind, project, stack }, everyMs }));
  });
}

/** What the jobs of one tick share, of each kind the newest. */
const rounds = new Map<Job['kind'], { readonly name: string; readonly round: Round }>();

function roundOf({ kind, round: name }: Job, fleet: Fleet): Round {
  const round = freshRound(fleet);
  if (name === undefined) return round;
  const known = rounds.get(kind);
  if (known?.name === name) return known.round;
  rounds.set(kind, { name, round });
  return round;
}

function freshRound({ requestsPerMinute }: Fleet): Round {
  return defined({ requestsPerMinute });
}

/** One job, by the code of the command that does the same for one stack. */
class JobRun {
  readonly #context: RunContext;
  readonly #job: Job;
  readonly #stop: AbortSignal;

  constructor(context: RunContext, job: Job, stop: AbortSignal) {
    this.#context = context;
    this.#job = job;
    this.#stop = stop;
  }

  /** False: it was stopped before its end. */
  async done({ fleet, stacks }: FleetNow, options: WorkOptions): Promise<boolean> {
    const { kind, project, stack } = this.#job;
    const place = stacks.find((one) => one.project === project && one.stack === stack);
    if (place === undefined) throw new Error(`${project}/${stack} is no stack of this worker's fleet.yaml.`);
    const { host } = this.#context;
    const begun = host.world.steady();
    const round = roundOf(this.#job, fleet);
    let found = await this.#found(fleet, place, options, round);
    // What others of the round have read may be older than this stack's last apply.
    if (found?.state === 'unknown' && this.#job.round !== undefined)
      found = await this.#found(fleet, place, options, freshRound(fleet));
    if (found === undefined) return false;
    const seconds = ((host.world.steady() - begun) / 1_000).toFixed(1);
    const cause = found.cause === '' ? '' : `: ${found.cause}`;
    host.out(`${kind} ${project}/${stack} ${found.state}${cause} (${seconds} s)\n`);
    return true;
  }

  /** Undefined: a signal came before it was known. */
  #found(fleet: Fleet, stack: Stack, options: WorkOptions, round: Round): Promise<Found | undefined> {
    return new Promise((resolve, reject) => {
      const { requestsPerMinute } = fleet;
      const isApply = this.#job.kind === 'apply';
      const shared = defined({
        sharedRequestsPerMinute: requestsPerMinute,
        round: isApply ? undefined : round,
      });
      const own = stackContext(this.#context, stack, shared);
      const host = {
        ...own.host,
        onSignal: (listener: (signal: 'SIGTERM') => void) => this.#stopped(() => listener('SIGTERM')),
        // What goes on has lost its lease: it writes nothing.
        exit: () => resolve(undefined),
      };
      const context = { ...own, host, interrupts: new Interrupts(host) };
      const work = isApply ? appliedStack(context) : this.#checked(context, fleet, stack, options);
      work.then(resolve, reject).finally(() => context.interrupts.close());
    });
  }

  async #checked(context: RunContext, fleet: Fleet, stack: Stack, { webhook }: WorkOptions): Promise<Found> {
    const kind = this.#job.kind === 'plan' ? 'plan' : 'check';
    const checks: MadeCheck[] = [];
    const onCheck = (check: MadeCheck): void => void checks.push(check);
    const found = await looked(context, kind, { refresh: 'auto', onCheck }, stack);
    if (webhook !== undefined) await tellFleet(context, fleet, checks, { url: webhook, format: 'generic' });
    return found;
  }

  #stopped(listener: () => void): () => void {
    if (this.#stop.aborted) listener();
    else this.#stop.addEventListener('abort', listener);
    return () => this.#stop.removeEventListener('abort', listener);
  }
}

const applyFlags = {
  ...{ yes: true, quiet: true, 'fail-fast': false, report: undefined, 'report-dir': undefined },
  ...{ expect: undefined, 'expect-effect': undefined, frozen: undefined, 'lock-timeout': lockTimeout },
};

/** As `sync apply --yes` does it. One that finds the stack held by another run is tried again later. */
async function appliedStack(given: RunContext): Promise<Found | undefined> {
  let found: Found | undefined;
  const context: RunContext = {
    ...given,
    host: { ...given.host, problems: (problems) => void (found = problems.length === 0 ? found : failed(problems)) },
  };
  const code = await applied(context, applyFlags, 'apply', (logged, project) =>
    planAndApply(logged, project, {}, applyFlags),
  );
  if (code === 143) return undefined;
  if (code === 0) return { state: 'clean', cause: '' };
  if (code === 4) return { state: 'blocked', cause: 'held back by a guard' };
  return found ?? { state: 'failed', cause: `The apply ended with exit code ${String(code)}.` };
}
