import { resolve } from 'node:path';
import type { FleetReport } from '@platform-sync/core/model/fleet';
import { boolean, option, string } from '../arguments/flag.js';
import { printProblems } from '../run/run-context.js';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import { UsageError } from '../process/usage-error.js';
import { command, type Command } from '../run/command.js';
import { fleetFormats, reportFleet } from './report.js';
import { fleetExit, fleetRound, type MadeCheck } from './rounds.js';
import { isWebhookUrl } from '@platform-sync/core/model/loopback';
import { readFleet } from '@platform-sync/engine/use-cases/fleet';

const flags = {
  format: option({ options: fleetFormats, description: 'how to report', default: 'text' as const })(),
  out: string({
    description:
      'write index.html, fleet.md, fleet.json, and of check and plan the reports of each stack, to this folder',
    helpValue: 'DIR',
  }),
  issue: boolean({ description: 'keep one issue about the fleet up to date (GITHUB_TOKEN or GITLAB_TOKEN)' }),
  platform: option({
    options: ['github', 'gitlab'] as const,
    description: 'where the issue is; default: the one whose pipeline this is',
    dependsOn: ['issue'],
  })(),
  webhook: string({
    description: 'post news to this address, one message for all stacks; default: SYNC_FLEET_WEBHOOK',
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

/** The commands over a fleet differ in what they look at alone. */
export function fleetCommand(
  kind: FleetReport['kind'],
  words: { readonly summary: string; readonly description: string },
): Command {
  return command({
    ...words,
    examples: [`sync fleet ${kind}`, `sync fleet ${kind} --out site`, `sync fleet ${kind} --cwd fleet --format json`],
    flags,
    needs: 'context',
    async given({ flags: chosen, host }) {
      if (chosen.stack !== undefined)
        throw new UsageError('a fleet is of many stacks, and --stack of one', '"stacks" in fleet.yaml chooses some');
      if (kind !== 'check' && chosen.webhook !== undefined)
        throw new UsageError('news are of checks', 'sync fleet check --webhook posts them');
      const { SYNC_FLEET_WEBHOOK: own } = host.env;
      const webhook = kind === 'check' ? (chosen.webhook ?? own) : undefined;
      if (webhook !== undefined && !isWebhookUrl(webhook))
        throw new UsageError(
          '--webhook takes a URL that starts with https://',
          'plain http:// is for this machine only',
        );
      const { issueEnvironment } = await import('../drift/issue.js');
      const issue = chosen.issue ? issueEnvironment(host.env, chosen.platform) : undefined;
      return { atOnce: atOnce(chosen['at-once']), issue, webhook };
    },
    async run({ context, flags: chosen, given: { atOnce: number, issue, webhook } }) {
      const out = chosen.out === undefined ? undefined : resolve(context.cwd, chosen.out);
      const fleet = await readFleet(context.cwd);
      const checks: MadeCheck[] = [];
      const onCheck = (check: MadeCheck): void => void checks.push(check);
      const report = await fleetRound(context, fleet, kind, { refresh: chosen.refresh, atOnce: number, out, onCheck });
      await reportFleet(context, report, { format: chosen.format, out });
      const trouble = await Promise.all([
        webhook === undefined
          ? []
          : import('./messages.js').then(({ tellFleet }) =>
              tellFleet(context, fleet, checks, { url: webhook, format: chosen['webhook-format'] }),
            ),
        issue === undefined
          ? []
          : import('./issue.js').then(({ keepFleetIssue }) => keepFleetIssue(context, report, issue)),
      ]);
      printProblems(context, trouble.flat());
      return hasErrors(trouble.flat()) ? 1 : fleetExit(report, context);
    },
  });
}

function atOnce(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new UsageError('--at-once takes a number from 1 to 99');
}
