import { resolve } from 'node:path';
import { type Diagnostic, hasErrors } from '@platform-sync/core/model/diagnostic';
import type { FleetReport } from '@platform-sync/core/model/fleet';
import { boolean, option, string } from '../arguments/flag.js';
import type { ProjectEnvironment } from '@platform-sync/review/review-environment';
import type { Host } from '../process/host.js';
import { printProblems, type RunContext } from '../run/run-context.js';
import { UsageError } from '../process/usage-error.js';
import { command, type Command } from '../run/command.js';
import { fleetFormats, reportFleet } from './report.js';
import { fleetExit, fleetRound, type MadeCheck } from './rounds.js';
import { isWebhookUrl } from '@platform-sync/core/model/loopback';
import { readFleet } from '@platform-sync/engine/use-cases/fleet';

/** How any round is reported. */
export const reportFlags = {
  format: option({ options: fleetFormats, description: 'how to report', default: 'text' as const })(),
  out: string({
    description:
      'write the reports to this folder: index.html, fleet.md, fleet.json, and with check and plan those of each stack',
    helpValue: 'DIR',
  }),
  issue: boolean({ description: 'keep one issue about the fleet up to date (GITHUB_TOKEN or GITLAB_TOKEN)' }),
  platform: option({
    options: ['github', 'gitlab'] as const,
    description: 'where the issue is; default: the one whose pipeline this is',
    dependsOn: ['issue'],
  })(),
};

const flags = {
  ...reportFlags,
  webhook: string({
    description: 'post news to this address (one message for all stacks; default: SYNC_FLEET_WEBHOOK)',
    helpValue: 'URL',
  }),
  'webhook-format': option({
    options: ['generic', 'slack'] as const,
    description: 'form of what is posted',
    default: 'generic' as const,
  })(),
  'at-once': string({ description: 'so many stacks at a time', helpValue: 'COUNT', default: '4' }),
  refresh: option({
    options: ['auto', 'full'] as const,
    description: 'read what may have changed, or everything',
    default: 'auto' as const,
  })(),
};

export function examplesOf(kind: FleetReport['kind']): readonly string[] {
  return [`sync fleet ${kind}`, `sync fleet ${kind} --out site`, `sync fleet ${kind} --cwd fleet --format json`];
}

interface ReportFlags {
  readonly stack?: string | undefined;
  readonly format: (typeof fleetFormats)[number];
  readonly out: string | undefined;
  readonly issue: boolean;
  readonly platform: 'github' | 'gitlab' | undefined;
}

/** Where the issue is; undefined: none is kept. */
export async function issueOf(
  { env }: Host,
  flags: Pick<ReportFlags, 'issue' | 'platform' | 'stack'>,
): Promise<ProjectEnvironment | undefined> {
  if (flags.stack !== undefined)
    throw new UsageError('a fleet is of many stacks, and --stack of one', '"stacks" in fleet.yaml chooses some');
  return flags.issue ? (await import('../drift/issue.js')).issueEnvironment(env, flags.platform) : undefined;
}

/** Prints and writes a round, and keeps the issue. */
export async function tellRound(
  context: RunContext,
  report: FleetReport,
  { format, out }: Pick<ReportFlags, 'format' | 'out'>,
  issue: ProjectEnvironment | undefined,
): Promise<readonly Diagnostic[]> {
  await reportFleet(context, report, { format, out: out === undefined ? undefined : resolve(context.cwd, out) });
  return issue === undefined ? [] : (await import('./issue.js')).keepFleetIssue(context, report, issue);
}

/** A check and a plan of a fleet differ in what is done with each stack. */
export function fleetCommand(
  kind: 'check' | 'plan',
  words: { readonly summary: string; readonly description: string },
): Command {
  return command({
    ...words,
    examples: examplesOf(kind),
    flags,
    needs: 'context',
    async given({ flags: chosen, host }) {
      if (kind === 'plan' && chosen.webhook !== undefined)
        throw new UsageError('news are of checks', 'sync fleet check --webhook posts them');
      const webhook = kind === 'check' ? webhookOf(host, chosen.webhook) : undefined;
      return { atOnce: atOnce(chosen['at-once']), issue: await issueOf(host, chosen), webhook };
    },
    async run({ context, flags: chosen, given: { atOnce: number, issue, webhook } }) {
      const out = chosen.out === undefined ? undefined : resolve(context.cwd, chosen.out);
      const fleet = await readFleet(context.cwd);
      const checks: MadeCheck[] = [];
      const onCheck = (check: MadeCheck): void => void checks.push(check);
      const report = await fleetRound(context, fleet, kind, { refresh: chosen.refresh, atOnce: number, out, onCheck });
      const untold = await tellRound(context, report, chosen, issue);
      const unposted =
        webhook === undefined
          ? []
          : await (
              await import('./messages.js')
            ).tellFleet(context, fleet, checks, { url: webhook, format: chosen['webhook-format'] });
      const trouble = [...untold, ...unposted];
      printProblems(context, trouble);
      return hasErrors(trouble) ? 1 : fleetExit(report, context);
    },
  });
}

/** Where news go: as said, or as SYNC_FLEET_WEBHOOK says. */
export function webhookOf({ env }: Host, said: string | undefined): string | undefined {
  const { SYNC_FLEET_WEBHOOK: own } = env;
  const webhook = said ?? own;
  if (webhook !== undefined && !isWebhookUrl(webhook))
    throw new UsageError('--webhook takes a URL that starts with https://', 'plain http:// is for this machine only');
  return webhook;
}

export function atOnce(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new UsageError('--at-once takes a number from 1 to 99');
}
