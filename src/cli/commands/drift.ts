import { resolve } from 'node:path';
import { boolean, option, string } from '@oclif/core/flags';
import type { Diagnostic } from '../../engine/model/diagnostic.js';
import { isWebhookUrl } from '../../engine/model/drift.js';
import type { DriftResult } from '../../engine/model/drift.js';
import { driftText } from '../../report/drift.js';
import { runDrift } from '../drift-run.js';
import type { DriftRun } from '../drift-run.js';
import { exitCode } from '../exit-code.js';
import type { ExitCode } from '../exit-code.js';
import { nearestWord } from '../nearest.js';
import { packageFacts } from '../package-facts.js';
import { printProblems, withContext } from '../run-context.js';
import type { RunContext } from '../run-context.js';
import type { Surroundings } from '../surroundings.js';
import { SyncCommand } from '../sync-command.js';
import { UsageError } from '../usage-error.js';

interface DriftFlags {
  readonly format: 'text' | 'json' | 'markdown';
  readonly metrics: string | undefined;
  readonly 'report-dir': string | undefined;
  readonly webhook: string | undefined;
  readonly 'webhook-format': 'generic' | 'slack' | undefined;
}

export class DriftCommand extends SyncCommand {
  static override summary = 'Find what was changed outside, and change nothing.';
  static override description =
    'Compares what was recorded with what the platform holds; what the catalogue has not applied yet is told apart. Exit code 2 on drift, 3 when something could not be compared, 1 when the check failed. Made for a schedule: it remembers since when something differs, and tells a webhook only what is news.';
  static override examples = [
    '<%= config.bin %> drift',
    '<%= config.bin %> drift --format json --exit-zero',
    '<%= config.bin %> drift --report-dir out --metrics /var/lib/node_exporter/sync.prom',
    '<%= config.bin %> drift revert 1a2b3c4d5e',
    '<%= config.bin %> drift accept petstore.description',
  ];
  // Words are answered here, with the verb that was meant.
  static override strict = false;
  static override flags = {
    format: option({
      options: ['text', 'json', 'markdown'] as const,
      description: 'how to report',
      default: 'text' as const,
    })(),
    'exit-zero': boolean({ description: 'exit 0 on drift; a check that failed or is incomplete still says so' }),
    refresh: option({
      options: ['auto', 'full'] as const,
      description: 'read what may have changed, or everything',
      default: 'auto' as const,
    })(),
    metrics: string({ description: 'write Prometheus metrics to this file', helpValue: 'FILE' }),
    'report-dir': string({ description: 'write drift.json, drift.md and drift.prom to this folder', helpValue: 'DIR' }),
    webhook: string({ description: 'post news to this address; beats sync.yaml', helpValue: 'URL' }),
    'webhook-format': option({ options: ['generic', 'slack'] as const, description: 'form of what is posted' })(),
  };

  override async execute(around: Surroundings): Promise<ExitCode> {
    const { argv, flags } = await this.parse(DriftCommand);
    if (argv.length > 0) throw noSuchVerb(String(argv[0]));
    if (flags.webhook !== undefined && !isWebhookUrl(flags.webhook))
      throw new UsageError('--webhook takes a URL that starts with https://', 'plain http:// is for this machine only');
    return withContext(around, flags, async (context) => {
      const run = await runDrift(context, { refresh: flags.refresh });
      context.progress.finish();
      await report(context, run, flags);
      if (run.thrown !== undefined) throw run.thrown;
      return driftExitCode(context, run.result, flags['exit-zero']);
    });
  }
}

function noSuchVerb(word: string): UsageError {
  const nearest = nearestWord(word, ['accept', 'ignore', 'record', 'revert']);
  const hint =
    nearest === undefined ? 'sync drift --help lists what can be done' : `did you mean: sync drift ${nearest}?`;
  return new UsageError(`"drift ${word}" is not a command`, hint);
}

function driftExitCode(context: RunContext, result: DriftResult, exitZero: boolean): ExitCode {
  return exitCode({
    errors: result.status === 'failed',
    notCompared: result.notCompared.length > 0,
    changes: result.findings.length > 0 && !exitZero,
    signal: context.interrupts.caught,
  });
}

/** Output first, then files, then others: who can't be told does not keep the report from being there. */
async function report(context: RunContext, { result, settings }: DriftRun, flags: DriftFlags): Promise<void> {
  context.around.out(await rendered(context, result, flags.format));
  const news = tell(result, settings, flags);
  try {
    if (flags['report-dir'] !== undefined || flags.metrics !== undefined) await writeFiles(context, result, flags);
  } finally {
    printProblems(context, await news);
  }
}

async function rendered(context: RunContext, result: DriftResult, format: DriftFlags['format']): Promise<string> {
  if (format === 'text') return driftText(result, context.style);
  if (format === 'json') return (await import('../drift-files.js')).driftDocument(result);
  return (await import('../../report/drift-markdown.js')).driftMarkdown(result);
}

async function writeFiles({ cwd }: RunContext, result: DriftResult, flags: DriftFlags): Promise<void> {
  const { writeDriftReports, writeMetrics } = await import('../drift-files.js');
  if (flags['report-dir'] !== undefined) await writeDriftReports(resolve(cwd, flags['report-dir']), result);
  if (flags.metrics !== undefined) await writeMetrics(resolve(cwd, flags.metrics), result);
}

async function tell(
  result: DriftResult,
  settings: DriftRun['settings'],
  flags: DriftFlags,
): Promise<readonly Diagnostic[]> {
  const url = flags.webhook ?? settings?.webhook;
  // A variable that is not set is told before anything fails for want of it.
  const unset = (settings?.unset ?? []).filter((name) => name !== 'drift.webhook' || flags.webhook === undefined);
  const warnings = unset.map(unsetNotice);
  if (url === undefined || unset.length > 0) return warnings;
  const { tellDrift } = await import('../../notify/tell-drift.js');
  const trouble = await tellDrift(result, {
    url,
    format: flags['webhook-format'] ?? settings?.format ?? 'generic',
    ...(settings?.secret === undefined ? {} : { secret: settings.secret }),
    userAgent: `platform-sync/${packageFacts().version} (drift)`,
  });
  return trouble === undefined ? warnings : [...warnings, trouble];
}

function unsetNotice(name: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'webhook-unset',
    summary: `${name} in sync.yaml takes its value from an environment variable that is not set: nobody is told.`,
  };
}
