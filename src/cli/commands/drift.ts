import { resolve } from 'node:path';
import { boolean, option, string } from '../arguments/flag.js';
import { hasErrors, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { DriftResult } from '@platform-sync/core/model/drift';
import { isWebhookUrl } from '@platform-sync/core/model/loopback';
import type { ProjectEnvironment } from '@platform-sync/review/review-environment';
import { driftFormats, reportDrift } from '../drift/report.js';
import { runDrift } from '../drift/run.js';
import { eventsFlag, selectionFlags, selectionOptions } from '../arguments/shared-flags.js';
import { exitCode, withoutPlan, type ExitCode } from '../process/exit-code.js';
import { nearest } from '@platform-sync/core/model/nearest';
import { printProblems, type RunContext } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { command } from '../run/command.js';
import { everyStackFlag, forStacks, requireOneMeaning } from '../run/every-stack.js';
import { UsageError } from '../process/usage-error.js';

export const driftCommand = command({
  summary: 'Find changes made outside; change nothing.',
  description:
    'Compares what was recorded with what the platform holds; changes of the catalogue that are not applied yet are listed apart. Exit code 2 on drift, 3 when something could not be compared or nothing is recorded, 1 when the check failed. Made for a schedule: it remembers since when something differs, posts only news to a webhook, and keeps one issue up to date.',
  examples: [
    'sync drift',
    'sync drift --format json --exit-zero',
    'sync drift --report-dir out --metrics /var/lib/node_exporter/sync.prom',
    'sync drift --target petstore',
    'sync drift --all-stacks --report-dir out',
    'sync drift --issue --report-dir out',
    'sync drift revert 1a2b3c4d5e',
    'sync drift accept petstore.description',
  ],
  // Words are answered here, with the verb that was meant.
  anyWords: true,
  flags: {
    format: option({
      options: driftFormats,
      description: 'how to report',
      default: 'text' as const,
    })(),
    ...selectionFlags,
    ...eventsFlag,
    ...everyStackFlag,
    'exit-zero': boolean({ description: 'exit 0 on drift; failed and incomplete checks keep their exit codes' }),
    refresh: option({
      options: ['auto', 'full'] as const,
      description: 'read what may have changed, or everything',
      default: 'auto' as const,
    })(),
    metrics: string({ description: 'write Prometheus metrics to this file', helpValue: 'FILE' }),
    'report-dir': string({
      description: 'write all reports to this folder: drift.json, .md, .html and .prom',
      helpValue: 'DIR',
    }),
    issue: boolean({
      description: 'keep one issue about this stack (GITHUB_TOKEN or GITLAB_TOKEN)',
    }),
    platform: option({
      options: ['github', 'gitlab'] as const,
      description: 'where the issue is; default: the one whose pipeline this is',
      dependsOn: ['issue'],
    })(),
    otlp: string({
      description: 'send metrics to this collector (OpenTelemetry; overrides OTEL_EXPORTER_OTLP_ENDPOINT)',
      helpValue: 'URL',
    }),
    webhook: string({ description: 'post news to this address; overrides sync.yaml', helpValue: 'URL' }),
    'webhook-format': option({ options: ['generic', 'slack'] as const, description: 'form of what is posted' })(),
  },
  needs: 'context',
  async given({ words: [verb], flags, host }) {
    if (verb !== undefined) throw noSuchVerb(verb);
    if (flags.webhook !== undefined && !isWebhookUrl(flags.webhook))
      throw new UsageError('--webhook takes a URL that starts with https://', 'plain http:// is for this machine only');
    if (flags.otlp !== undefined && !/^https?:\/\/[^/]/i.test(flags.otlp))
      throw new UsageError('--otlp takes a URL', 'such as http://127.0.0.1:4318');
    requireOneMeaning(flags, flags.metrics === undefined ? [] : ['metrics']);
    const chosen = selectionOptions(flags);
    const isPart = chosen.targets !== undefined;
    if (
      isPart &&
      (flags.issue || flags.webhook !== undefined || flags.otlp !== undefined || flags.metrics !== undefined)
    )
      throw new UsageError('a check of a part notifies nobody', 'leave out --target and --exclude');
    return { chosen, isPart, issue: flags.issue ? await issueEnvironmentOf(host, flags.platform) : undefined };
  },
  run: ({ flags: all, given: { chosen, isPart, issue }, context: ofAll }) =>
    forStacks(ofAll, all, async (context, flags) => {
      const folder = flags['report-dir'];
      if (folder !== undefined)
        await (await import('../drift/files.js')).removeDriftReports(resolve(context.cwd, folder));
      const { run, told } = await runDrift(context, { refresh: flags.refresh, ...chosen }, (checked) => {
        context.progress.finish();
        const { status, findings, notCompared } = checked.result;
        context.tell?.({ type: 'checked', status, findings: findings.length, notCompared: notCompared.length });
        return reportDrift(context, checked, { ...flags, isPart }, issue);
      });
      printProblems(context, told.diagnostics);
      const bug = run.thrown ?? told.thrown;
      if (bug !== undefined) throw bug;
      return driftExitCode(context, run.result, told.diagnostics, flags['exit-zero']);
    }),
});

async function issueEnvironmentOf(host: Host, platform: 'github' | 'gitlab' | undefined): Promise<ProjectEnvironment> {
  const { issueEnvironment } = await import('../drift/issue.js');
  return issueEnvironment(host.env, platform);
}

function noSuchVerb(word: string): UsageError {
  const meant = nearest(word, ['accept', 'ignore', 'record', 'revert']);
  const hint = meant === undefined ? 'What can be done: sync drift --help' : `did you mean: sync drift ${meant}?`;
  return new UsageError(`"drift ${word}" is not a command`, hint);
}

function driftExitCode(
  context: RunContext,
  result: DriftResult,
  told: readonly Diagnostic[],
  exitZero: boolean,
): ExitCode {
  const failed = result.status === 'failed' ? withoutPlan(result.diagnostics) : {};
  return exitCode({
    ...failed,
    ...(hasErrors(told) ? { errors: true } : {}),
    notCompared: result.status === 'incomplete' || failed.notCompared === true,
    changes: result.findings.length > 0 && !exitZero,
    signal: context.interrupts.caught,
  });
}
