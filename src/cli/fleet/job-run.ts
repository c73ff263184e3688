import { resolve } from 'node:path';
import { sha256 } from '@platform-sync/core/model/canonical';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { Job, JobFound, JobQueue, Round, Settlement } from '@platform-sync/core/model/fleet';
import type { Plan } from '@platform-sync/core/model/plan';
import { defined } from '@platform-sync/core/model/value';
import type { Fleet } from '@platform-sync/engine/use-cases/fleet';
import { authorsOf, differenceFrom } from '@platform-sync/engine/use-cases/base/checkout';
import { failed, type Found, planState } from '@platform-sync/report/document/found';
import { onAbort } from '@platform-sync/rest/http/clock';
import type { Host } from '../process/host.js';
import { Interrupts } from '../process/interrupts.js';
import { diagnosticsOf } from '../process/known-error.js';
import type { RunContext } from '../run/run-context.js';
import { appliedStack } from './apply-job.js';
import { handOver } from './messages.js';
import { isUndone, longestPauseMs, patienceWith } from './patience.js';
import { saidBy } from './queue.js';
import { looked, type MadeCheck, stackContext } from './rounds.js';
import { freshRound, type Rounds } from './shared-rounds.js';
import { newMs, type Stack, type Stock } from './stock.js';

/** What jobs of one worker have in common. */
interface Worker {
  readonly context: RunContext;
  readonly rounds: Rounds;
  readonly stock: Stock;
  readonly options: { readonly out: string | undefined; readonly webhook: string | undefined };
  readonly queue: Pick<JobQueue, 'note' | 'tell'>;
}

/** One job, by the code of the command that does the same for one stack. */
export class JobRun {
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
        // What goes on has lost its lease, or is given none: it writes nothing.
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
