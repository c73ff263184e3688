import { basename, join, resolve } from 'node:path';
import { boolean, option, string } from '../arguments/flag.js';
import { defined } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Plan } from '@platform-sync/core/model/plan';
import { namedStack } from '@platform-sync/core/model/project';
import { momentIn } from '@platform-sync/core/model/world';
import { structuredReader } from '@platform-sync/report/diff/structured-text';
import {
  fileOfFormat,
  filesOfPlansOnly,
  reportFiles,
  reportFormats,
  type ReportFormat,
} from '@platform-sync/report/report-files';
import { planDocument } from '@platform-sync/report/document/plan';
import { documentPieces, type DocumentTextOptions } from '@platform-sync/report/text/document';
import { planViews } from '@platform-sync/report/view/plan-views';
import type { NextStepsContext } from '@platform-sync/report/words/next-steps';
import { pipelineHere } from '../review/review-place.js';
import type { RunContext } from '../run/run-context.js';
import { UsageError } from '../process/usage-error.js';
import type { ReviewPlace } from '@platform-sync/report/view/review-place';

const formats = ['text', 'json', ...reportFormats] as const;

/** Flags of every command that shows a plan. */
export const planReportFlags = {
  format: option({
    options: formats,
    description: 'how to report: for people, the plan itself, a review comment, a page, or a code scanning report',
    default: 'text' as const,
  })(),
  'report-dir': string({ description: 'also write every report into this folder', helpValue: 'DIR' }),
  summary: boolean({ description: 'leave out the single changes; print dangers by name, guards and counts' }),
};

interface PlanReportFlagValues {
  readonly format: (typeof formats)[number];
  readonly 'report-dir': string | undefined;
  readonly summary: boolean;
}

/** Prints the plan in the asked format, and writes all reports where they are asked for. `planFile`: where it is kept. */
export async function reportPlan(
  context: RunContext,
  plan: Plan,
  flags: PlanReportFlagValues,
  planFile: string | undefined,
  refresh?: NextStepsContext['refresh'],
): Promise<void> {
  const folder = flags['report-dir'] === undefined ? undefined : resolve(context.cwd, flags['report-dir']);
  const kept = planFile ?? (await shownPlanFile(context, folder));
  const next: NextStepsContext = {
    typed: context.style.typed,
    refresh,
    // In a pipeline the next job carries it out, and nobody types.
    suggest: (await pipelineHere(context)) === undefined,
    ...defined({ planFile: kept }),
  };
  if (folder === undefined && flags.format === 'text')
    return printPlan(context, plan, { ...next, summary: flags.summary });
  const { reviewPlaceOf } = await import('../review/review-place.js');
  const at = await reviewPlaceOf(context);
  const told = { ...(at.links === undefined ? next : elsewhere(kept, refresh)), at };
  if (folder !== undefined) await writeReports(folder, plan, told);
  if (flags.format === 'text') return printPlan(context, plan, { ...next, summary: flags.summary });
  context.progress.finish();
  context.host.out(await formatted(plan, flags.format, told));
}

async function shownPlanFile({ cwd }: RunContext, folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  return (await import('../files/report-file.js')).shownPath(cwd, join(folder, 'plan.json'));
}

/** Who reads the reports of a pipeline is not on its machine: its folders mean nothing there. */
function elsewhere(planFile: string | undefined, refresh: NextStepsContext['refresh']): NextStepsContext {
  return { refresh, ...defined({ planFile: planFile === undefined ? undefined : basename(planFile) }) };
}

/** What stands in for a plan that errors kept from being made: every format is there, whatever the outcome. */
export async function reportNoPlan(
  context: RunContext,
  diagnostics: readonly Diagnostic[],
  { project, stack }: { readonly project?: string; readonly stack?: string },
  flags: PlanReportFlagValues,
): Promise<void> {
  const { format, 'report-dir': folder } = flags;
  if (format === 'json') {
    const { problemsJson } = await import('../process/json-result.js');
    context.host.out(problemsJson(diagnostics));
  }
  const isPrinted = format !== 'text' && format !== 'json';
  if (!isPrinted && folder === undefined) return;
  const [{ noPlanReports }, { packageFacts }, { reviewPlaceOf }] = await Promise.all([
    import('@platform-sync/report/reports'),
    import('../process/package-facts.js'),
    import('../review/review-place.js'),
  ]);
  // Of a project that could not be opened nobody knows which stack it would have chosen.
  const where = defined({ project, stack: stack ?? namedStack(context.flags.stack, context.host.env) });
  const pipeline = await pipelineHere(context);
  const facts = {
    diagnostics,
    engine: packageFacts().version,
    endedAt: momentIn(context.host.world),
    ...where,
    ...defined({ pipeline }),
  };
  const reports = noPlanReports(facts, await reviewPlaceOf(context));
  if (isPrinted) context.host.out(reports.get(fileOfFormat(format)) ?? '');
  if (folder === undefined) return;
  const { removeReport, writeReport } = await import('../files/report-file.js');
  const path = (name: string): string => join(resolve(context.cwd, folder), name);
  // What an earlier plan left must not pass for this one's.
  for (const name of onlyOfPlans) await removeReport(path(name));
  for (const [name, text] of reports) await writeReport(path(name), text);
}

const onlyOfPlans = ['plan.json', ...filesOfPlansOnly];

const earlier = ['plan.json', 'no-plan.json', 'result.json', ...reportFiles];

/** A run that is killed leaves no report: one that an earlier run left would be read as its own. */
export async function removeEarlierReports(
  { cwd }: RunContext,
  { 'report-dir': folder }: Pick<PlanReportFlagValues, 'report-dir'>,
): Promise<void> {
  if (folder === undefined) return;
  const { removeReport } = await import('../files/report-file.js');
  for (const name of earlier) await removeReport(join(resolve(cwd, folder), name));
}

/** The same for what is thrown. */
export async function reportThrown(
  context: RunContext,
  error: unknown,
  where: { readonly project?: string; readonly stack?: string },
  flags: PlanReportFlagValues,
): Promise<void> {
  const { diagnosticsOf, unexpected } = await import('../process/known-error.js');
  if (!(error instanceof UsageError)) await reportNoPlan(context, diagnosticsOf(error) ?? [unexpected], where, flags);
}

/** Characters; the text of a large plan is never in memory as a whole. */
const printedAtOnce = 65_536;

/** The plan for people, on stdout. */
export async function printPlan(
  context: RunContext,
  plan: Plan,
  next: NextStepsContext & Pick<DocumentTextOptions, 'summary' | 'newInLines'>,
): Promise<void> {
  context.progress.finish();
  const { style } = context;
  const options = { style, typed: style.typed, ...next };
  const document = planDocument(plan, await planViews(plan), options);
  let text = '';
  for (const piece of documentPieces(document, options)) {
    text += piece;
    if (text.length < printedAtOnce) continue;
    context.host.out(text);
    text = '';
  }
  context.host.out(text);
}

/** What the reports of a plan are made with. */
interface ReportContext extends NextStepsContext {
  readonly at: ReviewPlace;
}

async function formatted(plan: Plan, format: 'json' | ReportFormat, next: ReportContext): Promise<string> {
  if (format === 'json') return (await import('@platform-sync/engine/plan/saved-plan')).serializePlan(plan);
  const { planReport } = await import('@platform-sync/report/reports');
  return planReport(fileOfFormat(format), plan, { ...next, read: await structuredReader(plan) });
}

/** Every report of a plan, and the plan itself. */
async function writeReports(folder: string, plan: Plan, next: ReportContext): Promise<void> {
  const { serializePlan } = await import('@platform-sync/engine/plan/saved-plan');
  const { planReports } = await import('@platform-sync/report/reports');
  const { removeReport, writeReport } = await import('../files/report-file.js');
  const reports = planReports(plan, { ...next, read: await structuredReader(plan) });
  await removeReport(join(folder, 'no-plan.json'));
  await writeReport(join(folder, 'plan.json'), serializePlan(plan));
  for (const [name, text] of reports) await writeReport(join(folder, name), text);
}
