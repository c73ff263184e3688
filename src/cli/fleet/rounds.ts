import { join, resolve } from 'node:path';
import { compareText } from '@platform-sync/core/model/address';
import type { DriftResult } from '@platform-sync/core/model/drift';
import { stackStates, type FleetReport, type FleetRow, type Round } from '@platform-sync/core/model/fleet';
import type { Plan } from '@platform-sync/core/model/plan';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { defined } from '@platform-sync/core/model/value';
import { momentIn } from '@platform-sync/core/model/world';
import type { OpenOptions, Project } from '@platform-sync/engine/api';
import type { Fleet } from '@platform-sync/engine/use-cases/fleet';
import { atMost } from '@platform-sync/engine/reads/in-parallel';
import { runDrift } from '../drift/run.js';
import { diagnosticsOf } from '../process/known-error.js';
import { exitCode, exitCodes, type ExitCode } from '../process/exit-code.js';
import { packageFacts } from '../process/package-facts.js';
import type { Host } from '../process/host.js';
import { printProblems, withProject, type RunContext } from '../run/run-context.js';
import { latestRuns } from '@platform-sync/core/model/run-summary';
import { Progress } from '../terminal/progress.js';
import { ownedStack, type Stack, stacksOf, unmatched } from './stock.js';
import { failed, type Found, historyState, planState, stateOf } from '@platform-sync/report/document/found';

type Kind = FleetReport['kind'];

interface RoundOptions extends LookOptions {
  /** Stacks at a time. */
  readonly atOnce: number;
}

interface LookOptions {
  readonly refresh: 'auto' | 'full';
  /** Folder for reports, absolute. */
  readonly out?: string | undefined;
  /** Hears of each check. */
  readonly onCheck?: (check: MadeCheck) => void;
  /** Hears of each plan. */
  readonly onPlan?: (plan: Plan) => void;
}

/** A check with the context of its stack: it is told later, together with those of others. */
export interface MadeCheck {
  readonly context: RunContext;
  readonly result: DriftResult;
}

/**
 * Looks at every stack of a fleet in one process: those that ask one server with one token keep one pace, and a list that several need
 * is read once. What goes wrong with one keeps none of the others from being looked at.
 */
export async function fleetRound(
  context: RunContext,
  fleet: Fleet,
  kind: Kind,
  options: RoundOptions,
): Promise<FleetReport> {
  const round: Round = defined({ requestsPerMinute: fleet.requestsPerMinute });
  const inTurn = atMost(options.atOnce);
  const stacks = await stacksOf(context, fleet);
  printProblems(context, unmatched(fleet, stacks));
  return reportOf(context, fleet, kind, stacks, (stack) =>
    inTurn(() => looked(stackContext(context, stack, { round }), kind, options, stack)),
  );
}

/** A round over stacks, by whatever tells how one stands. */
export async function reportOf(
  context: RunContext,
  fleet: Fleet,
  kind: Kind,
  stacks: readonly Stack[],
  look: (stack: Stack) => Promise<Found>,
): Promise<FleetReport> {
  const rows = await Promise.all(stacks.map((stack) => rowOf(context, fleet, stack, () => look(stack))));
  rows.sort((a, b) => stackStates.indexOf(a.state) - stackStates.indexOf(b.state) || compareText(nameOf(a), nameOf(b)));
  return {
    ...{ formatVersion: 1, engine: packageFacts().version, name: fleet.name, kind },
    madeAt: momentIn(context.host.world),
    rows,
    requests: rows.reduce((sum, row) => sum + row.requests, 0),
  };
}

/** Looks at one stack in its own context. */
export function looked(context: RunContext, kind: Kind, options: LookOptions, stack: Stack): Promise<Found> {
  return looks[kind](context, options, stack);
}

function nameOf({ project, stack, folder }: FleetRow): string {
  return `${project}/${stack} ${folder}`;
}

/** The gravest of all stacks, and of a signal that stopped the round. */
export function fleetExit({ rows }: FleetReport, { interrupts }: RunContext): ExitCode {
  const codes = { failed: 1, unknown: 3, blocked: 4, drift: 2, waiting: 0, clean: 0 } as const;
  const stopped = exitCode({ signal: interrupts.caught });
  return exitCodes.find((code) => code === stopped || rows.some(({ state }) => codes[state] === code)) ?? 0;
}

/** A stack's own context: it prints nothing, and shares what the round shares. */
export function stackContext(
  context: RunContext,
  { folder, stack }: Pick<Stack, 'folder' | 'stack'>,
  shared: Pick<OpenOptions, 'round' | 'sharedRate'>,
): RunContext {
  const host: Host = {
    ...context.host,
    ...{ out: () => undefined, err: () => undefined, problems: () => undefined },
    openProject: (options) => context.host.openProject({ ...options, ...shared }),
  };
  return {
    ...context,
    host,
    folder: resolve(context.cwd, folder),
    flags: { ...context.flags, stack },
    progress: new Progress(host, 'error', context.errorStyle),
  };
}

async function rowOf(context: RunContext, fleet: Fleet, stack: Stack, look: () => Promise<Found>): Promise<FleetRow> {
  const { project, problems } = stack;
  const name = `${project}/${stack.stack}`;
  const stopped = context.interrupts.caught !== undefined;
  const told = (error: unknown): Found => failedBy(context, name, error);
  const found = problems !== undefined ? failed(problems) : stopped ? notLookedAt : await look().catch(told);
  return { ...ownedStack(context, fleet, stack), requests: 0, ...found };
}

const notLookedAt: Found = { state: 'unknown', cause: 'The round was stopped before this stack was looked at.' };

const broken: Found = { state: 'failed', cause: 'It could not be looked at, by an error of the program.' };

/** A defect of the program with one stack is told as one, and is no reason to know nothing of the others. */
function failedBy({ host }: RunContext, name: string, error: unknown): Found {
  const known = diagnosticsOf(error);
  if (known !== undefined) return failed(known);
  host.err(`bug: ${name}: ${error instanceof Error ? error.message : String(error)}\n`);
  return broken;
}

type Look = (context: RunContext, options: LookOptions, stack: Stack) => Promise<Found>;

const looks: Readonly<Record<Kind, Look>> = { check: checked, plan: planned, status: remembered };

async function checked(context: RunContext, { refresh, out, onCheck }: LookOptions, stack: Stack): Promise<Found> {
  const { run, told } = await runDrift(context, { refresh }, async ({ result, project }) => {
    const report = out === undefined ? undefined : await written(out, stack, result);
    // Where the check failed, its state may be what is away.
    const last = result.status === 'failed' ? {} : await lastApplyOf(project);
    return { ...stateOf(result), ...last, ...defined({ report }), requests: result.requests };
  });
  if (run.thrown !== undefined) throw run.thrown;
  onCheck?.({ context, result: run.result });
  return told;
}

async function written(out: string, { folder, stack }: Stack, result: DriftResult): Promise<string> {
  const { writeDriftReports } = await import('../drift/files.js');
  const place = join(folder, stack);
  await writeDriftReports(join(out, place), result, {});
  return join(place, 'drift.html').replaceAll('\\', '/');
}

async function planned(context: RunContext, { refresh, out, onPlan }: LookOptions, stack: Stack): Promise<Found> {
  let found = broken;
  await withProject(
    context,
    'plan',
    async (project) => {
      const { plan, diagnostics } = await project.plan({ refresh });
      if (plan === undefined) found = failed(diagnostics);
      else {
        onPlan?.(plan);
        const report = out === undefined ? undefined : await writtenPlan(out, stack, plan);
        found = {
          ...planState(plan),
          ...defined({ report }),
          requests: plan.meta.requests,
          ...(await lastApplyOf(project)),
        };
      }
      return 0;
    },
    async (diagnostics) => void (found = failed(diagnostics)),
  );
  return found;
}

async function writtenPlan(out: string, { folder, stack }: Stack, plan: Plan): Promise<string> {
  const [{ planReports }, { writeReport }] = await Promise.all([
    import('@platform-sync/report/reports'),
    import('../files/report-file.js'),
  ]);
  const place = join(folder, stack);
  for (const [name, text] of planReports(plan)) await writeReport(join(out, place, name), text);
  return join(place, 'plan.html').replaceAll('\\', '/');
}

/** What the state store remembers: the platform is not asked. */
async function remembered(context: RunContext): Promise<Found> {
  let found = broken;
  await withProject(
    context,
    'status',
    async (project) => {
      const history = await (await project.state()).driftHistory();
      found = { ...historyState(history), ...(await lastApplyOf(project)) };
      return 0;
    },
    async (diagnostics) => void (found = failed(diagnostics)),
    { isOffline: 'but for the state' },
  );
  return found;
}

async function lastApplyOf(project: Project | undefined): Promise<Pick<FleetRow, 'lastApply'>> {
  if (project === undefined) return {};
  const store: StateStore = await project.state();
  // Other commands write to the state as well.
  const run = (await latestRuns(store, { limit: 20 })).find(({ steps }) => steps !== undefined);
  if (run === undefined) return {};
  return { lastApply: { at: run.at, by: run.actor ?? run.owner, ...defined({ status: run.status }) } };
}
