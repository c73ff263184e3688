import { join, resolve } from 'node:path';
import type { ApplyResult, Project } from '@platform-sync/engine/api';
import { defined } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Plan, PlanOutline } from '@platform-sync/core/model/plan';
import { namedStack } from '@platform-sync/core/model/project';
import type { ApplyOutcome } from '@platform-sync/report/view/apply-outcome';
import { jsonText } from '@platform-sync/report/words/json-text';
import { diagnosticsOf, unexpected } from '../process/known-error.js';
import { exitCode, type ExitCode } from '../process/exit-code.js';
import { packageFacts } from '../process/package-facts.js';
import { removeReport, writeReport } from '../files/report-file.js';
import type { Pipeline } from '@platform-sync/core/model/pipeline';
import { momentIn } from '@platform-sync/core/model/world';
import { pipelineHere } from '../review/review-place.js';
import { stepLogName } from '../files/step-log.js';
import { withProject, type RunContext } from '../run/run-context.js';
import { noteLostRun, tellRun, type RunEnd } from '../run/tell-runs.js';
import { UsageError } from '../process/usage-error.js';

export interface ApplyReportFlags {
  readonly report: string | undefined;
  readonly 'report-dir': string | undefined;
}

// A result that stands is not overwritten by what breaks down after it; the webhook is told of the same.
const told = new WeakMap<RunContext, RunEnd>();

/** A plan as the result of its apply names it: by its digest, which is worked out only where somebody reads the result. */
export type ReportedPlan = PlanOutline & Partial<Pick<Plan, 'digest'>>;

export function isReported({ host }: RunContext, flags: ApplyReportFlags): boolean {
  return flags.report !== undefined || flags['report-dir'] !== undefined || host.result !== undefined;
}

/** Leaves the result of an apply for whoever reads it later. */
export async function reportApply(
  context: RunContext,
  flags: ApplyReportFlags,
  result: ApplyResult,
  plan: ReportedPlan | undefined,
  code: ExitCode,
): Promise<void> {
  told.set(context, { result, guards: plan?.guards ?? [], notCompared: plan?.notCompared ?? [] });
  if (!isReported(context, flags)) return;
  const outcome = outcomeOf(context, result, plan, code, await pipelineHere(context));
  context.host.result?.(outcome);
  await writeOutcome(context, flags, outcome);
}

/**
 * What stands for the run while it goes on, and for good where it is killed: nobody knows what became of it, and nothing that an
 * earlier run left passes for it.
 */
export async function reportBegin(context: RunContext, flags: ApplyReportFlags, plan?: ReportedPlan): Promise<void> {
  const result = { status: 'unknown', steps: [], outputs: {}, diagnostics: [], requests: 0 } as const;
  await writeOutcome(
    context,
    flags,
    outcomeOf(context, result, plan, exitCode({ errors: true }), await pipelineHere(context)),
  );
}

async function writeOutcome(context: RunContext, flags: ApplyReportFlags, outcome: ApplyOutcome): Promise<void> {
  const { report, 'report-dir': folder } = flags;
  if (report !== undefined) await writeReport(resolve(context.cwd, report), jsonText(outcome));
  if (folder === undefined) return;
  const [{ applyReports }, { reviewPlaceOf }] = await Promise.all([
    import('@platform-sync/report/reports'),
    import('../review/review-place.js'),
  ]);
  for (const [name, text] of applyReports(outcome, await reviewPlaceOf(context)))
    await writeReport(join(resolve(context.cwd, folder), name), text);
}

/** The same for an apply that errors kept from beginning. */
export async function reportNoApply(
  context: RunContext,
  flags: ApplyReportFlags,
  diagnostics: readonly Diagnostic[],
  status: 'failed' | 'stale' = 'failed',
  plan?: ReportedPlan,
): Promise<void> {
  if (told.has(context)) return;
  const code = exitCode({ errors: status !== 'stale', stale: status === 'stale' });
  await reportApply(context, flags, { status, steps: [], outputs: {}, diagnostics, requests: 0 }, plan, code);
}

/**
 * Opens the project and carries something out. However that ends, a result is left: what is thrown leaves one and goes on, a run that is
 * killed leaves the one it began with.
 */
export async function applied(
  context: RunContext,
  flags: ApplyReportFlags,
  purpose: string,
  work: (context: RunContext, project: Project) => Promise<ExitCode>,
  reviewed?: Plan,
): Promise<ExitCode> {
  const { logged, end } = await withStepLog(context, flags);
  await reportBegin(logged, flags, reviewed);
  const thrown = async (error: unknown): Promise<void> => {
    if (!(error instanceof UsageError)) await reportNoApply(logged, flags, diagnosticsOf(error) ?? [unexpected]);
  };
  try {
    return await withProject(
      reviewed === undefined ? logged : ofPlan(logged, reviewed),
      purpose,
      async (project) => {
        await noteLostRun(logged, project);
        try {
          return await work(logged, project);
        } catch (error) {
          await thrown(error);
          throw error;
        } finally {
          await tellRun(logged, project, purpose, told.get(logged));
        }
      },
      (found) => reportNoApply(logged, flags, found),
    );
  } catch (error) {
    await thrown(error);
    throw error;
  } finally {
    await end();
  }
}

/** A plan brings its own stack; one that was named is compared with it, and the refusal says so. */
function ofPlan(context: RunContext, { stack }: Plan): RunContext {
  const named = context.flags.stack ?? context.host.env['SYNC_STACK'];
  return named === undefined || named === '' ? { ...context, flags: { ...context.flags, stack } } : context;
}

/** Keeps the events beside the reports while the run goes on: of one that is killed they say what it had begun. */
async function withStepLog(
  context: RunContext,
  { 'report-dir': folder }: ApplyReportFlags,
): Promise<{ readonly logged: RunContext; readonly end: () => Promise<void> }> {
  if (folder === undefined) return { logged: context, end: () => Promise.resolve() };
  const { EventLog } = await import('../files/event-log.js');
  const path = join(resolve(context.cwd, folder), stepLogName);
  // A link of that name is taken away, and not written through.
  await removeReport(path);
  const log = new EventLog(path, context.host.world);
  const tell: RunContext['tell'] = (event) => {
    log.tell(event);
    context.tell?.(event);
  };
  const end = async (): Promise<void> => {
    log.end(undefined);
    await removeReport(path);
  };
  return { logged: { ...context, tell }, end };
}

function outcomeOf(
  context: RunContext,
  result: Pick<ApplyOutcome, 'status' | keyof ApplyResult>,
  plan: ReportedPlan | undefined,
  code: ExitCode,
  pipeline: Pipeline | undefined,
): ApplyOutcome {
  const blocking = plan?.guards.filter((guard) => guard.lifted === undefined) ?? [];
  const undone = new Set(result.steps.filter(({ outcome }) => outcome !== 'done').map(({ address }) => address));
  const sources = Object.entries(plan?.meta.sources ?? {}).filter(([address]) => undone.has(address));
  const { flags, host } = context;
  return {
    ...{ formatVersion: 1, kind: 'apply-result', engine: packageFacts().version },
    ...(plan === undefined
      ? defined({ stack: namedStack(flags.stack, host.env) })
      : {
          project: plan.project,
          stack: plan.stack,
          targets: plan.targets,
          ...defined({ planDigest: plan.digest, effectDigest: plan.effectDigest }),
        }),
    ...{ exitCode: code, endedAt: momentIn(host.world), ...defined({ pipeline }) },
    ...(sources.length === 0 ? {} : { sources: Object.fromEntries(sources) }),
    ...(result.status === 'blocked' ? { guards: blocking } : {}),
    ...result,
  };
}
