import type { ApplyOptions, ApplyResult, OutlinedPlan, PlanOptions, Project } from '@platform-sync/engine/api';
import { defined, ownMember } from '@platform-sync/core/model/value';
import type { Destinations } from '@platform-sync/core/model/destination';
import { DiagnosticError, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import { isEmptyPlan, type Plan, type PlanOutline } from '@platform-sync/core/model/plan';
import { applyText } from '@platform-sync/report/text/apply-result';
import { visible } from '@platform-sync/report/words/escape';
import { isBlocked } from '@platform-sync/report/words/guards';
import { isReported, reportApply, reportBegin, type ApplyReportFlags, type ReportedPlan } from './apply-report.js';
import { printPlan } from './plan-report.js';
import { runBy } from '../review/review-place.js';
import { exitCode, withoutPlan, type ExitCode, type Outcome } from '../process/exit-code.js';
import { lockWait, type LockTimeoutFlag } from '../arguments/shared-flags.js';
import { requireDigests } from '../arguments/plan-flags.js';
import { printProblems, tellPlanned, type RunContext } from '../run/run-context.js';
import { UsageError } from '../process/usage-error.js';

interface ApplyFlagValues extends ApplyReportFlags, LockTimeoutFlag {
  readonly yes: boolean;
  readonly 'fail-fast': boolean;
  readonly quiet: boolean;
  readonly expect: string | undefined;
  readonly 'expect-effect': string | undefined;
}

/** What shows what a command would do. */
const looks: Readonly<Record<string, string>> = { destroy: 'sync plan --destroy', 'drift revert': 'sync drift' };

/** Refuses, before anything is read, a run that could neither ask nor was told to go on. */
export function requireConsent(context: RunContext, flags: ApplyFlagValues, command: string): void {
  if (flags.yes || context.host.interactive) return;
  throw new UsageError(
    `sync ${command} needs an answer, and there is no terminal: nothing was done`,
    `Add --yes to go ahead without a question, or look first: ${ownMember(looks, command) ?? 'sync plan'}`,
  );
}

/** Takes the stack, plans, shows the plan, asks, and carries it out: nobody else can change what is shown. */
export async function planAndApply(
  context: RunContext,
  project: Project,
  options: PlanOptions,
  flags: ApplyFlagValues,
): Promise<ExitCode> {
  const wait = lockWait(flags);
  const { interrupts } = context;
  const holding = project.hold({ ...wait, signal: interrupts.stopped }, async (giveBack) =>
    interrupts.caught === undefined
      ? interrupts.cleaning(giveBack, () => planShowApply(context, project, options, flags))
      : exitCode({ signal: interrupts.caught }),
  );
  try {
    // A lease that the store may be giving just now is waited for, and given back.
    return await interrupts.cleaning(
      async () => void (await holding),
      () => holding,
    );
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    if (interrupts.caught !== undefined) return exitCode({ signal: interrupts.caught });
    printProblems(context, error.diagnostics);
    return refused(context, flags, undefined, 'failed', error.diagnostics);
  }
}

async function planShowApply(
  context: RunContext,
  project: Project,
  options: PlanOptions,
  flags: ApplyFlagValues,
): Promise<ExitCode> {
  const shown = await planAndShow(context, project, options, flags);
  if (typeof shown === 'number') return shown;
  const { plan, planned } = shown;
  // With nothing to change there may still be something to record (what an interrupted run did after all).
  if (isEmptyPlan(plan)) return writeRecords(context, project, planned, plan, flags);
  if (!(await consent(context, plan, flags))) return refused(context, flags, plan, 'interrupted');
  const { destinations } = options;
  const work = (applyOptions: ApplyOptions): Promise<ApplyResult> =>
    project.apply(planned, { ...applyOptions, ...defined({ destinations }) });
  return carryOut(context, plan, flags, work);
}

/** Gives what is still asked of a plan that was shown and may be carried out; of any other, how the run ends. */
async function planAndShow(
  context: RunContext,
  project: Project,
  options: PlanOptions,
  flags: ApplyFlagValues,
): Promise<{ readonly planned: OutlinedPlan; readonly plan: ReportedPlan } | ExitCode> {
  const planned = await project.plan(options);
  const { plan } = planned;
  printProblems(context, planned.diagnostics);
  if (plan === undefined) return refused(context, flags, undefined, 'failed', planned.diagnostics);
  tellPlanned(context, plan);
  await reportBegin(context, flags, plan);
  // Nobody is asked: what is new is told again when it is made.
  await printPlan(context, plan, { suggest: false, summary: flags.quiet, newInLines: flags.yes });
  if (!isExpected(context, plan, flags)) return refused(context, flags, plan, 'stale');
  if (isBlocked(plan.guards)) return refused(context, flags, plan, 'blocked');
  const outlined = project.outlined(planned, plan);
  const known = isReported(context, flags) ? { digest: plan.digest } : {};
  return { planned: outlined, plan: { ...outlined.plan, ...known } };
}

async function writeRecords(
  context: RunContext,
  project: Project,
  planned: OutlinedPlan,
  plan: ReportedPlan,
  flags: ApplyFlagValues,
): Promise<ExitCode> {
  const result = await project.apply(planned, { ...lockWait(flags), by: await runBy(context) });
  const code = exitCode(outcomeOf(result, plan));
  await reportApply(context, flags, result, plan, code);
  if (result.status !== 'done') printResult(context, result, plan);
  return code;
}

/** Shows a reviewed plan, asks, and carries out exactly that or nothing; with `--expect-effect` what is the same in effect. */
export async function applyReviewed(
  context: RunContext,
  project: Project,
  plan: Plan,
  flags: ApplyFlagValues,
  destinations: Destinations | undefined,
): Promise<ExitCode> {
  const byEffect = flags['expect-effect'] !== undefined;
  tellPlanned(context, plan);
  await reportBegin(context, flags, plan);
  // Of a plan that can't be carried out the reason is the answer, and not the plan.
  const isAnswered = flags.yes && (await isOutdated(project, plan, byEffect));
  if (!isAnswered) await printPlan(context, plan, { suggest: false, summary: flags.quiet, newInLines: flags.yes });
  if (!isExpected(context, plan, flags, true)) return refused(context, flags, plan, 'stale');
  if (isBlocked(plan.guards)) return refused(context, flags, plan, 'blocked');
  if (!isEmptyPlan(plan) && !(await consent(context, plan, flags))) return refused(context, flags, plan, 'interrupted');
  return carryOut(context, plan, flags, (options) =>
    project.applyReviewed(plan, { ...options, byEffect, ...defined({ destinations }) }),
  );
}

/** Another stack, or a state that has moved on since: known before anything is asked of the platform. */
async function isOutdated(project: Project, plan: Plan, byEffect: boolean): Promise<boolean> {
  const { project: name, stack } = project.config;
  if (plan.project !== name || plan.stack !== stack) return true;
  if (byEffect) return false;
  try {
    const { lineage, serial } = await (await project.state()).read();
    return plan.lineage !== lineage || plan.serial !== serial;
  } catch {
    // What keeps the state from being read is told where it is needed.
    return false;
  }
}

/** An apply that does not begin has a result, too: what an earlier run left must not pass for it. */
async function refused(
  context: RunContext,
  flags: ApplyFlagValues,
  plan: ReportedPlan | undefined,
  status: 'failed' | 'stale' | 'blocked' | 'interrupted',
  diagnostics: readonly Diagnostic[] = [],
): Promise<ExitCode> {
  const result: ApplyResult = { status, steps: [], outputs: {}, diagnostics, requests: 0 };
  const failed = status === 'failed' ? withoutPlan(diagnostics) : { errors: status === 'interrupted' };
  const code = exitCode({ ...failed, ...(status === 'stale' ? { stale: true } : {}), blocked: status === 'blocked' });
  await reportApply(context, flags, result, plan, code);
  return code;
}

/** `--expect` and `--expect-effect`: another plan than the one somebody has seen or approved is not carried out. */
function isExpected(context: RunContext, plan: Plan, flags: ApplyFlagValues, isReviewed = false): boolean {
  requireDigests(flags);
  const { expect: wanted, 'expect-effect': effect } = flags;
  if (wanted !== undefined && !plan.digest.startsWith(wanted)) {
    const summary = `This is not the plan that was expected: its digest is ${plan.digest}, and --expect says ${wanted}.`;
    return unexpected(context, summary, 'Look at the plan above. If it is right, give its digest instead.');
  }
  const { effectDigest = 'unknown' } = plan;
  if (effect === undefined || effectDigest.startsWith(effect)) return true;
  return unexpected(
    context,
    `This plan does not do what was approved: the digest of its effect is ${effectDigest}, and --expect-effect says ${effect}.`,
    isReviewed
      ? 'The file is not the approved plan: give the one that was.'
      : 'Have the plan above approved; or give the approved one as PLAN, and the steps that differ are named.',
  );
}

function unexpected(context: RunContext, summary: string, hint: string): false {
  printProblems(context, [{ severity: 'error', code: 'unexpected-plan', summary, hint }]);
  return false;
}

async function consent(context: RunContext, plan: PlanOutline, flags: ApplyFlagValues): Promise<boolean> {
  if (flags.yes) return true;
  const targets = Object.values(plan.targets).map(visible).join(', ');
  const answer = await context.host.ask(`\nCarry this out at ${targets}? Only "yes" goes ahead: `);
  if (answer.trim() === 'yes') return true;
  context.host.err('Nothing was done.\n');
  return false;
}

async function carryOut(
  context: RunContext,
  plan: ReportedPlan,
  flags: ApplyFlagValues,
  work: (options: ApplyOptions) => Promise<ApplyResult>,
): Promise<ExitCode> {
  const wait = { ...lockWait(flags), by: await runBy(context) };
  const result = await context.interrupts.guard((signals) =>
    work({ ...wait, failFast: flags['fail-fast'], ...signals }),
  );
  context.progress.finish();
  const code = exitCode({ ...outcomeOf(result, plan), signal: context.interrupts.caught });
  await reportApply(context, flags, result, plan, code);
  printResult(context, result, plan);
  return code;
}

function printResult(context: RunContext, result: ApplyResult, plan: PlanOutline): void {
  context.host.problems?.([...result.diagnostics, ...result.steps.flatMap(({ diagnostics = [] }) => diagnostics)]);
  const untold = { ...result, diagnostics: context.progress.untold(result.diagnostics) };
  context.host.out(`\n${applyText(untold, plan, context.style)}`);
}

/** What an apply's status means for the exit code. */
function outcomeOf(result: ApplyResult, plan: PlanOutline): Outcome {
  return {
    errors: result.status === 'failed' || result.status === 'interrupted',
    partly: result.status === 'partly',
    stale: result.status === 'stale',
    blocked: result.status === 'blocked',
    notCompared: plan.notCompared.length > 0,
  };
}
