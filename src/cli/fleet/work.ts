import { resolve } from 'node:path';
import type { Fleet } from '@platform-sync/engine/use-cases/fleet';
import { sha256 } from '@platform-sync/core/model/canonical';
import type { Job, JobFound, JobQueue, Round, Schedule, Settlement, Work } from '@platform-sync/core/model/fleet';
import { type Diagnostic, DiagnosticError } from '@platform-sync/core/model/diagnostic';
import { defined, ownMember } from '@platform-sync/core/model/value';
import type { Plan } from '@platform-sync/core/model/plan';
import type { World } from '@platform-sync/core/model/world';
import { authorsOf, differenceFrom } from '@platform-sync/engine/use-cases/base/checkout';
import { onAbort } from '@platform-sync/rest/http/clock';
import type { Host } from '../process/host.js';
import { diagnosticsOf } from '../process/known-error.js';
import { Interrupts } from '../process/interrupts.js';
import { printProblems, type RunContext } from '../run/run-context.js';
import type { ProjectEnvironment } from '@platform-sync/review/review-environment';
import type { ApplyOutcome } from '@platform-sync/report/view/apply-outcome';
import { applied } from '../plan/apply-report.js';
import { planAndApply } from '../plan/plan-and-apply.js';
import { queueOf, saidBy } from './queue.js';
import { failed, type Found, planState } from '@platform-sync/report/document/found';
import { handOver, workerTeller } from './messages.js';
import { looked, type MadeCheck, reportOf, stackContext } from './rounds.js';
import { type FleetNow, newMs, type Stack, Stock } from './stock.js';

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
/** An apply waits for the lease of a run that died: longer than a lease lives. */
const lockTimeout = '60s';

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

/** What a round has read is forgotten when no job has run for so long. */
const keptMs = 30_000;

/** What the jobs of one tick share, of each kind the newest. */
class Rounds {
  readonly #world: World;
  readonly #newest = new Map<Job['kind'], { readonly name: string; readonly round: Round }>();
  #underWay = 0;
  #forget: () => void = () => undefined;

  constructor(world: World) {
    this.#world = world;
  }

  of({ kind, round: name }: Job, fleet: Fleet): Round {
    const round = freshRound(fleet);
    if (name === undefined) return round;
    const known = this.#newest.get(kind);
    if (known?.name === name) return known.round;
    this.#newest.set(kind, { name, round });
    return round;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#forget();
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#forget = this.#world.after(keptMs, () => this.#newest.clear(), { ref: false });
    }
  }
}

function freshRound({ requestsPerMinute }: Fleet): Round {
  return defined({ requestsPerMinute });
}

/** What jobs of one worker have in common. */
interface Worker {
  readonly context: RunContext;
  readonly rounds: Rounds;
  readonly stock: Stock;
  readonly options: WorkOptions;
  readonly queue: Pick<JobQueue, 'note' | 'tell'>;
}

/** One job, by the code of the command that does the same for one stack. */
class JobRun {
  readonly #worker: Worker;
  readonly #job: Job;
  readonly #stop: AbortSignal;
  /** What it came to beside how the stack stands. */
  #planned: Omit<JobFound, 'found'> = {};

  constructor(worker: Worker, job: Job, stop: AbortSignal) {
    this.#worker = worker;
    this.#job = job;
    this.#stop = stop;
  }

  /** False: it was stopped before its end. Rejects when it is to be tried again later. */
  async done(): Promise<boolean> {
    const { host } = this.#worker.context;
    const begun = host.world.steady();
    const tell = (found: string): void => {
      const { kind, project, stack, commit } = this.#job;
      const of = commit === undefined ? '' : ` at ${commit.slice(0, 12)}`;
      host.out(`${kind} ${project}/${stack}${of} ${found} (${((host.world.steady() - begun) / 1_000).toFixed(1)} s)\n`);
    };
    for (let pauseMs = 500; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      let found: Found | undefined;
      try {
        found = await this.#known();
      } catch (error) {
        tell(`is tried again: ${reasonOf(error)}`);
        const patienceMs = patienceWith(error);
        if (patienceMs === undefined) throw error;
        if (host.world.steady() - begun < patienceMs) {
          await host.world.sleep(pauseMs, this.#stop);
          if (this.#stop.aborted) return false;
          continue;
        }
        if (!isUndone(error)) throw error;
        found = failed(diagnosticsOf(error) ?? []);
      }
      if (found === undefined) return false;
      // What is done is done, whether it is shown or not.
      await this.#worker.queue
        .note(this.#job, { found, ...this.#planned })
        .catch((error: unknown) => host.err(`What was found is not kept: ${saidBy(error)}.\n`));
      tell(found.cause === '' ? found.state : `${found.state}: ${found.cause}`);
      return true;
    }
  }

  async #known(): Promise<Found | undefined> {
    const { stock } = this.#worker;
    const { fleet, stacks } = await stock.now();
    // It may be new.
    const place = this.#placeIn(stacks) ?? this.#placeIn((await stock.now(newMs)).stacks);
    if (place === undefined) throw new Error("it is no stack of this worker's fleet.yaml");
    if (place.problems !== undefined) return failed(place.problems);
    if (this.#job.commit !== undefined) return this.#proposed(fleet, stacks, place, this.#job.commit);
    await this.#mustBeAtHead(place);
    const found = await this.#found(fleet, place, this.#worker.rounds.of(this.#job, fleet));
    // What others of the round have read may be older than this stack's last apply.
    if (found?.state !== 'unknown' || this.#job.round === undefined) return found;
    return this.#found(fleet, place, freshRound(fleet));
  }

  /** An apply that is bound to a commit is one of nothing else. The checkout may be about to come there. */
  async #mustBeAtHead({ folder }: Stack): Promise<void> {
    const { head } = this.#job;
    if (head === undefined) return;
    const { host, cwd } = this.#worker.context;
    const difference = await differenceFrom(host.world, resolve(cwd, folder), head);
    if (difference === undefined) return;
    const summary = `The apply is of commit ${head.slice(0, 12)}, and the worker's checkout ${difference}.`;
    const hint = 'Bring the checkout to that commit and ask again. Nothing was applied.';
    throw new DiagnosticError([{ severity: 'error', code: 'apply-of-another-commit', summary, hint }]);
  }

  async #proposed(
    { remote, requestsPerMinute }: Fleet,
    stacks: readonly Stack[],
    stack: Stack,
    commit: string,
  ): Promise<Found | undefined> {
    const { planProposal } = await import('./proposal.js');
    const { context, options } = this.#worker;
    const more = { ...defined({ remote, requestsPerMinute }), folders: stacks.map(({ folder }) => folder) };
    const made = await planProposal(context, { stack, commit, stop: this.#stop, out: options.out, ...more });
    if (made.isStopped) return undefined;
    if (made.isUntouched) return { state: 'clean', cause: 'the proposal does not touch it' };
    const authors = [...(made.authors ?? []), ...(this.#job.authors ?? [])];
    const { proposalComment } = await import('./requests.js');
    const comment = await proposalComment(stackContext(context, stack, {}), this.#job, made);
    this.#planned = defined({ plan: made.plan, authors, comment });
    return made.plan === undefined ? failed(made.diagnostics) : planState(made.plan);
  }

  #placeIn(stacks: readonly Stack[]): Stack | undefined {
    const { project, stack } = this.#job;
    return stacks.find((one) => one.project === project && one.stack === stack);
  }

  /** Undefined: a signal came before it was known. */
  #found(fleet: Fleet, stack: Stack, round: Round): Promise<Found | undefined> {
    return new Promise((resolve, reject) => {
      const { requestsPerMinute } = fleet;
      const isApply = this.#job.kind === 'apply';
      const urgency = isApply ? 'writing' : this.#job.round === undefined ? 'asked' : 'scheduled';
      const shared = {
        sharedRate: { urgency, ...defined({ requestsPerMinute }) },
        ...defined({ round: isApply ? undefined : round }),
      } as const;
      const own = stackContext(this.#worker.context, stack, shared);
      const host: Host = {
        ...own.host,
        onSignal: (listener) => this.#stopped(() => listener('SIGTERM')),
        // What goes on has lost its lease: it writes nothing.
        exit: () => resolve(undefined),
      };
      const context = { ...own, host, interrupts: new Interrupts(host) };
      const { settlement } = this.#job;
      const work = isApply
        ? appliedStack(context, this.#job)
        : this.#job.kind === 'settle' && settlement !== undefined
          ? this.#settled(context, settlement)
          : this.#checked(context, stack);
      work.then(resolve, reject).finally(() => context.interrupts.close());
    });
  }

  async #settled(context: RunContext, settlement: Settlement): Promise<Found> {
    const { settleFindings } = await import('./settle.js');
    const { fleet } = await this.#worker.stock.now();
    const { repository } = fleet.console ?? {};
    const settling = { job: { ...this.#job, settlement }, ...defined({ repository }) };
    const { found, ...more } = await settleFindings(context, settling);
    this.#planned = more;
    return found;
  }

  async #checked(context: RunContext, stack: Stack): Promise<Found> {
    const { webhook, out } = this.#worker.options;
    const kind = this.#job.kind === 'plan' ? 'plan' : 'check';
    const checks: MadeCheck[] = [];
    const onCheck = (check: MadeCheck): void => void checks.push(check);
    const onPlan = (plan: Plan): void => void (this.#planned = { plan });
    const found = await looked(context, kind, { refresh: 'auto', out, onCheck, onPlan }, stack);
    if (this.#planned.plan !== undefined)
      this.#planned = { ...this.#planned, authors: await authorsSince(context, found.lastApply?.at) };
    const [made] = checks;
    if (webhook !== undefined && made !== undefined)
      await handOver(context, made, webhook, (news) => this.#worker.queue.tell(sha256(webhook), news));
    return found;
  }

  #stopped(listener: () => void): () => void {
    if (this.#stop.aborted) listener();
    return onAbort(this.#stop, listener);
  }
}

/** Of what was written since the last apply; where that is not known, of the last commit. */
async function authorsSince(
  { folder, host: { world } }: RunContext,
  at: string | undefined,
): Promise<readonly string[]> {
  const since = at === undefined ? [] : await authorsOf(world, folder, [`--since=${at}`]);
  return since.length > 0 ? since : authorsOf(world, folder, ['-1']);
}

function reasonOf(error: unknown): string {
  return diagnosticsOf(error)?.[0]?.summary ?? (error instanceof Error ? error.message : String(error));
}

const applyFlags = {
  ...{ yes: true, quiet: true, 'fail-fast': false, report: undefined, 'report-dir': undefined },
  ...{ expect: undefined, 'expect-effect': undefined, frozen: undefined, 'lock-timeout': lockTimeout },
};

/** Nothing was begun, or all of it has ended: nothing need be settled by another attempt. */
const undone = ['nothing-read', 'moving-list', 'apply-of-another-commit'];
/**
 * What passes is waited for in the job, for so many milliseconds: in the queue each attempt would wait longer than the one before.
 * Another run holds the stack, or the database was away: the next attempt settles what was under way. Where nothing could be read, others
 * were at a list, or the checkout is not yet at the commit, nothing was done.
 */
const passing: ReadonlyMap<string, number> = new Map([
  ...['state-lease-held', 'state-lease-lost', 'state-unreachable'].map((code) => [code, 600_000] as const),
  ...undone.map((code) => [code, 60_000] as const),
]);
const longestPauseMs = 8_000;

function patienceWith(error: unknown): number | undefined {
  return diagnosticsOf(error)?.flatMap(({ code }) => passing.get(code) ?? [])[0];
}

function isUndone(error: unknown): boolean {
  return diagnosticsOf(error)?.some(({ code }) => undone.includes(code)) === true;
}

/** As `sync apply --yes` does it. Rejects when it is to be tried again. */
async function appliedStack(given: RunContext, { effect, by, settlement }: Job): Promise<Found | undefined> {
  const told: Diagnostic[] = [];
  let unread: readonly Diagnostic[] = [];
  const hear = (problems: readonly Diagnostic[]): void => void told.push(...problems);
  const result = (value: unknown): void => (isOutcome(value) ? hear(value.diagnostics) : undefined);
  let printed = '';
  const err = (text: string): void => void (printed += text);
  const host: Host = { ...given.host, err, problems: hear, result, ...defined({ actor: by }) };
  const flags = { ...applyFlags, 'expect-effect': effect };
  const code = await applied({ ...given, host }, flags, 'apply', (context, project) => {
    const { findings } = settlement ?? {};
    const plan: typeof project.plan = async (how) => {
      // What was approved may be the plan that puts findings back, and nothing else.
      const made = findings === undefined ? await project.plan(how) : await project.revertDrift(findings);
      unread = made.plan?.notCompared.map(({ diagnostic }) => diagnostic) ?? [];
      return made;
    };
    return planAndApply(context, { ...project, plan }, {}, flags);
  });
  if (code === 3) hear(unread);
  const passes = told.find(({ code: said }) => passing.has(said));
  if (code === 143) return undefined;
  if (code === 0) return { state: 'clean', cause: '' };
  if (passes !== undefined) throw new DiagnosticError([passes]);
  if (code === 4) return { state: 'blocked', cause: 'held back by a guard' };
  if (told.length > 0) return failed(told);
  const [last = ''] = printed.trim().split('\n').slice(-1);
  return { state: 'failed', cause: `The apply ended with exit code ${String(code)}. ${last}`.trimEnd() };
}

function isOutcome(value: unknown): value is ApplyOutcome {
  return typeof value === 'object' && value !== null && 'diagnostics' in value;
}
