import { join, resolve } from 'node:path';
import { compareText } from '@platform-sync/core/model/address';
import {
  type DriftHistory,
  type DriftResult,
  type DriftSeverity,
  driftSeverities,
  type Finding,
} from '@platform-sync/core/model/drift';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { stackStates, type FleetReport, type FleetRow, type Round } from '@platform-sync/core/model/fleet';
import { patternOf } from '@platform-sync/core/model/pattern';
import { isEmptyPlan, type Plan } from '@platform-sync/core/model/plan';
import { projectFileName } from '@platform-sync/core/model/project';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { defined } from '@platform-sync/core/model/value';
import { momentIn } from '@platform-sync/core/model/world';
import type { Project } from '@platform-sync/engine/api';
import type { Fleet } from '@platform-sync/engine/use-cases/fleet';
import { atMost } from '@platform-sync/engine/reads/in-parallel';
import { findingCause } from '@platform-sync/report/document/fleet';
import { count } from '@platform-sync/report/words/value';
import { runDrift } from '../drift/run.js';
import { diagnosticsOf } from '../process/known-error.js';
import { exitCode, exitCodes, type ExitCode } from '../process/exit-code.js';
import { packageFacts } from '../process/package-facts.js';
import type { Host } from '../process/host.js';
import { withProject, type RunContext } from '../run/run-context.js';
import { ownersHere } from '../run/webhook.js';
import { latestRuns } from '../state/run-history.js';
import { Progress } from '../terminal/progress.js';

type Kind = FleetReport['kind'];

interface RoundOptions {
  readonly refresh: 'auto' | 'full';
  /** Stacks at a time. */
  readonly atOnce: number;
  /** Folder for reports, absolute. */
  readonly out?: string | undefined;
  /** Hears of each check. */
  readonly onCheck?: (check: MadeCheck) => void;
}

/** What is found of one stack. */
type Found = Pick<FleetRow, 'state' | 'cause'> & Partial<FleetRow>;

/** A check with the context of its stack: it is told later, together with those of others. */
export interface MadeCheck {
  readonly context: RunContext;
  readonly result: DriftResult;
}

interface Stack extends Pick<FleetRow, 'project' | 'stack' | 'folder'> {
  /** Why the project can't be opened. */
  readonly problems?: readonly Diagnostic[];
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
  const stacks = (await Promise.all(fleet.folders.map((folder) => stacksIn(context, folder)))).flat();
  const inTurn = atMost(options.atOnce);
  const rows = await Promise.all(
    stacks
      .filter(({ stack, problems }) => problems !== undefined || isChosen(fleet, stack))
      .map((stack) =>
        inTurn(() =>
          rowOf(context, fleet, stack, () => looks[kind](stackContext(context, stack, round), options, stack)),
        ),
      ),
  );
  rows.sort((a, b) => stackStates.indexOf(a.state) - stackStates.indexOf(b.state) || compareText(nameOf(a), nameOf(b)));
  return {
    ...{ formatVersion: 1, engine: packageFacts().version, name: fleet.name, kind },
    madeAt: momentIn(context.host.world),
    rows,
    requests: rows.reduce((sum, row) => sum + row.requests, 0),
  };
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

function isChosen({ stacks = ['*'] }: Fleet, stack: string): boolean {
  const wanted = stacks.filter((each) => !each.startsWith('!'));
  const left = stacks.filter((each) => each.startsWith('!')).map((each) => each.slice(1));
  const fits = (patterns: readonly string[]): boolean => patterns.some((each) => patternOf(each).test(stack));
  return (wanted.length === 0 || fits(wanted)) && !fits(left);
}

/** Stacks that the sync.yaml of a folder declares. */
async function stacksIn({ host, cwd }: RunContext, folder: string): Promise<readonly Stack[]> {
  const { project, diagnostics, names } = await host.openProject({
    ...{ cwd: join(cwd, folder), env: host.env, purpose: 'list of stacks', packages: await host.packages() },
    ...{ world: host.world, isOffline: true, isForEveryStack: true },
  });
  if (project === undefined) return [{ folder, project: names?.project ?? '', stack: '', problems: diagnostics }];
  const { stacks, config } = project;
  await project.close();
  return (stacks.length === 0 ? [config.stack] : stacks).map((stack) => ({ folder, stack, project: config.project }));
}

/** A stack's own context: it prints nothing, and shares the round. */
function stackContext(context: RunContext, { folder, stack }: Stack, round: Round): RunContext {
  const host: Host = {
    ...context.host,
    ...{ out: () => undefined, err: () => undefined, problems: () => undefined },
    openProject: (options) => context.host.openProject({ ...options, round }),
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
  const { project, folder, problems } = stack;
  const name = `${project}/${stack.stack}`;
  const stopped = context.interrupts.caught !== undefined;
  const told = (error: unknown): Found => failedBy(context, name, error);
  const found = problems !== undefined ? failed(problems) : stopped ? notLookedAt : await look().catch(told);
  const given = byStack(fleet.owners, name).flatMap((owners) => owners);
  const owners =
    given.length > 0 ? given : ownersHere({ ...context, folder: resolve(context.cwd, folder) })(projectFileName);
  const labels = Object.assign({}, ...byStack(fleet.labels, name)) as FleetRow['labels'];
  return { project, stack: stack.stack, folder, labels, owners, requests: 0, ...found };
}

function byStack<T>(given: Readonly<Record<string, T>> = {}, name: string): readonly T[] {
  return Object.entries(given).flatMap(([pattern, value]) => (patternOf(pattern).test(name) ? [value] : []));
}

function failed(problems: readonly Diagnostic[]): Found {
  const first = problems.find(({ severity }) => severity === 'error') ?? problems[0];
  return { state: 'failed', cause: first?.summary ?? 'The project could not be opened.' };
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

type Look = (context: RunContext, options: RoundOptions, stack: Stack) => Promise<Found>;

const looks: Readonly<Record<Kind, Look>> = { check: checked, plan: planned, status: remembered };

async function checked(context: RunContext, { refresh, out, onCheck }: RoundOptions, stack: Stack): Promise<Found> {
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

function stateOf(result: DriftResult): Found {
  const { status, findings, notCompared, unrecorded, diagnostics, lastSuccess, unapplied } = result;
  const known = defined({ lastGood: lastSuccess });
  if (status === 'failed') return { ...failed(diagnostics), ...known, ...defined({ since: lastSuccess }) };
  if (unrecorded !== undefined) return { state: 'unknown', cause: 'Nothing is recorded for this stack.', ...known };
  const [unread] = notCompared;
  if (status === 'incomplete')
    return {
      state: 'unknown',
      cause: unread?.diagnostic.summary ?? 'Not everything was compared.',
      ...known,
      ...defined({ since: unread?.firstSeen }),
    };
  if (findings.length > 0) return { state: 'drift', ...driftCause(findings), ...known };
  if (unapplied.length > 0)
    return {
      state: 'waiting',
      cause: `${count(unapplied.length, 'change')} of the catalogue not applied`,
      waiting: unapplied.length,
      ...known,
    };
  return { state: 'clean', cause: '', ...known };
}

/** What the worst finding says, without the address: many stacks may have one cause. */
function driftCause(findings: readonly Finding[]): Pick<FleetRow, 'cause' | 'since' | 'findings'> {
  const causes = [...new Set(findings.map(findingCause))];
  const number = (severity: DriftSeverity): number => findings.filter((one) => one.severity === severity).length;
  const [since = ''] = findings.map(({ firstSeen }) => firstSeen).sort();
  return {
    cause: `${causes[0] ?? ''}${causes.length > 1 ? `, and ${count(causes.length - 1, 'other cause')}` : ''}`,
    since,
    findings: { high: number('high'), medium: number('medium'), low: number('low') },
  };
}

async function planned(context: RunContext, { refresh, out }: RoundOptions, stack: Stack): Promise<Found> {
  let found = broken;
  await withProject(
    context,
    'plan',
    async (project) => {
      const { plan, diagnostics } = await project.plan({ refresh });
      if (plan === undefined) found = failed(diagnostics);
      else {
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

function planState(plan: Plan): Found {
  const { steps, guards, notCompared } = plan;
  const blocking = guards.filter(({ lifted }) => lifted === undefined);
  const waiting = steps.length;
  if (blocking.length > 0)
    return {
      state: 'blocked',
      cause: `held back by ${blocking.map(({ name }) => name.split(':')[0] ?? name).join(', ')}`,
      waiting,
    };
  const [unread] = notCompared;
  if (unread !== undefined) return { state: 'unknown', cause: unread.diagnostic.summary, waiting };
  if (isEmptyPlan(plan)) return { state: 'clean', cause: '' };
  return { state: 'waiting', cause: `${count(waiting, 'step')} to apply`, waiting };
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
    { isOffline: true },
  );
  return found;
}

function historyState({ findings, lastCheck, lastSuccess }: DriftHistory): Found {
  const known = defined({ lastGood: lastSuccess });
  if (lastCheck === undefined) return { state: 'unknown', cause: 'It was never checked.' };
  const open = findings.filter(({ resolvedAt }) => resolvedAt === undefined);
  const drift = open.filter((one) => one.class !== 'not-compared');
  const [since] = open.map(({ firstSeen }) => firstSeen).sort();
  if (lastCheck.status === 'failed')
    return { state: 'failed', cause: 'The last check failed.', ...known, ...defined({ since: lastSuccess }) };
  if (lastCheck.status === 'incomplete')
    return { state: 'unknown', cause: 'The last check could not compare everything.', ...known, ...defined({ since }) };
  if (drift.length === 0) return { state: 'clean', cause: '', ...known };
  const worst = driftSeverities.find((severity) => drift.some((one) => one.severity === severity)) ?? 'low';
  return {
    state: 'drift',
    cause: `${count(drift.length, 'finding')}, the worst ${worst}`,
    ...known,
    ...defined({ since }),
  };
}

async function lastApplyOf(project: Project | undefined): Promise<Pick<FleetRow, 'lastApply'>> {
  if (project === undefined) return {};
  const store: StateStore = await project.state();
  // Other commands write to the state as well.
  const run = (await latestRuns(store, { limit: 20 })).find(({ steps }) => steps !== undefined);
  if (run === undefined) return {};
  return { lastApply: { at: run.at, by: run.actor ?? run.owner, ...defined({ status: run.status }) } };
}
