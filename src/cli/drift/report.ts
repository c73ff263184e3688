import { resolve } from 'node:path';
import { defined } from '@platform-sync/core/model/value';
import { DiagnosticError, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { DriftResult } from '@platform-sync/core/model/drift';
import type { ReviewPlace } from '@platform-sync/report/view/review-place';
import { driftText } from '@platform-sync/report/text/drift';
import type { ProjectEnvironment } from '@platform-sync/review/review-environment';
import type { DriftIssueFlags } from './issue.js';
import type { DriftRun } from './run.js';
import { packageFacts } from '../process/package-facts.js';
import type { RunContext } from '../run/run-context.js';

export const driftFormats = ['text', 'json', 'markdown', 'html'] as const;

interface DriftReportFlags extends DriftIssueFlags {
  readonly format: (typeof driftFormats)[number];
  readonly metrics: string | undefined;
  readonly webhook: string | undefined;
  readonly 'webhook-format': 'generic' | 'slack' | undefined;
  readonly otlp: string | undefined;
  /** Only a look at a part: who reads the output is all that hears of it. */
  readonly isPart?: boolean;
}

interface Delivery {
  /** What could not be told, and to whom. */
  readonly diagnostics: readonly Diagnostic[];
  /** A bug met on the way. */
  readonly thrown?: unknown;
}

/**
 * Tells everybody of a check, also of one that failed. Output first; then files, webhook, collector and issue at once:
 * none waits for another, and the trouble of one keeps no other from hearing.
 */
export async function reportDrift(
  context: RunContext,
  run: DriftRun,
  flags: DriftReportFlags,
  issue: ProjectEnvironment | undefined,
): Promise<Delivery> {
  const { pipelineOf } = await import('@platform-sync/review/pipeline');
  const pipeline = pipelineOf(context.host.env);
  const result = pipeline === undefined ? run.result : { ...run.result, pipeline };
  context.host.out(await rendered(context, result, flags.format));
  const deliveries = await Promise.allSettled([
    writeFiles(context, result, flags),
    ...(flags.isPart === true
      ? []
      : [tell(context, run, flags), push(context, result, flags), keep(context, result, flags, issue)]),
  ]);
  const reasons: readonly unknown[] = deliveries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const bug = reasons.find((reason) => !(reason instanceof DiagnosticError));
  return {
    diagnostics: deliveries.flatMap((one) => {
      if (one.status === 'fulfilled') return one.value;
      return one.reason instanceof DiagnosticError ? one.reason.diagnostics : [];
    }),
    ...defined({ thrown: bug }),
  };
}

async function rendered(context: RunContext, result: DriftResult, format: DriftReportFlags['format']): Promise<string> {
  if (format === 'text')
    return driftText({ ...result, diagnostics: context.progress.untold(result.diagnostics) }, context.style);
  if (format === 'json') return (await import('./files.js')).driftJson(result);
  const at = await placeOf(context);
  if (format === 'html') return (await import('./files.js')).driftPage(result, at);
  return (await import('@platform-sync/report/markdown/drift')).driftMarkdown(result, { at });
}

/** Where readers of the reports are: places lead to their lines. */
async function placeOf(context: RunContext): Promise<ReviewPlace> {
  return (await import('../review/review-place.js')).reviewPlaceOf(context);
}

async function writeFiles(context: RunContext, result: DriftResult, flags: DriftReportFlags): Promise<[]> {
  const { metrics, 'report-dir': folder } = flags;
  if (folder === undefined && metrics === undefined) return [];
  const { writeDriftReports, writeMetrics } = await import('./files.js');
  const { cwd } = context;
  const at = await placeOf(context);
  const written = await Promise.allSettled([
    ...(folder === undefined ? [] : [writeDriftReports(resolve(cwd, folder), result, at)]),
    ...(metrics === undefined ? [] : [writeMetrics(resolve(cwd, metrics), result)]),
  ]);
  for (const one of written) if (one.status === 'rejected') throw one.reason;
  return [];
}

async function tell(
  context: RunContext,
  { result, settings, project }: DriftRun,
  flags: DriftReportFlags,
): Promise<readonly Diagnostic[]> {
  const url = flags.webhook ?? settings?.webhook;
  // A variable that is not set is told before anything fails for want of it.
  const unset = (settings?.unset ?? []).filter((name) => name !== 'drift.webhook' || flags.webhook === undefined);
  const refused = flags.webhook === undefined && settings?.refused !== undefined ? [settings.refused] : [];
  const warnings = [...unset.map(unsetNotice), ...refused];
  if (url === undefined || unset.length > 0) return warnings;
  const { sender } = await import('../run/webhook.js');
  const send = sender(context, {
    url,
    format: flags['webhook-format'] ?? settings?.format ?? 'generic',
    ...defined({ secret: settings?.secret }),
  });
  if (project === undefined) return [...warnings, ...found(await send.failure(result))];
  const trouble = await project.tellDrift(result, url, send.news);
  // What keeps one message from arriving keeps the other, too.
  const ofRuns = trouble ?? (await project.tellRuns(undefined, url, send.run));
  return [...warnings, ...found(ofRuns)];
}

function found(trouble: Diagnostic | undefined): readonly Diagnostic[] {
  return trouble === undefined ? [] : [trouble];
}

function unsetNotice(name: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'webhook-unset',
    summary: `${name} in sync.yaml takes its value from an environment variable that is not set: nobody is notified.`,
  };
}

async function push(
  { host }: RunContext,
  result: DriftResult,
  { otlp }: DriftReportFlags,
): Promise<readonly Diagnostic[]> {
  const isAsked = otlp !== undefined || Object.keys(host.env).some((name) => name.startsWith('OTEL_EXPORTER_OTLP_'));
  if (!isAsked) return [];
  const { otlpSettings } = await import('@platform-sync/review/notify/otlp-settings');
  const { settings, problem } = otlpSettings(host.env, otlp);
  if (settings === undefined) return problem === undefined ? [] : [problem];
  const { pushMetrics } = await import('@platform-sync/review/notify/push-metrics');
  const trouble = await pushMetrics(result, { ...settings, version: packageFacts().version, now: host.world.now() });
  return trouble === undefined ? [] : [trouble];
}

async function keep(
  context: RunContext,
  result: DriftResult,
  flags: DriftReportFlags,
  issue: ProjectEnvironment | undefined,
): Promise<readonly Diagnostic[]> {
  if (issue === undefined) return [];
  return (await import('./issue.js')).keepDriftIssue(context, result, issue, flags);
}
