import { resolve } from 'node:path';
import type { FleetReport } from '@platform-sync/core/model/fleet';
import { boolean, option, string } from '../arguments/flag.js';
import { printProblems } from '../run/run-context.js';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import { UsageError } from '../process/usage-error.js';
import { command, type Command } from '../run/command.js';
import { fleetFormats, reportFleet } from './report.js';
import { fleetExit, fleetRound } from './rounds.js';

/** The commands over a fleet differ in what they look at alone. */
export function fleetCommand(
  kind: FleetReport['kind'],
  words: { readonly summary: string; readonly description: string },
): Command {
  return command({
    ...words,
    examples: [`sync fleet ${kind}`, `sync fleet ${kind} --out site`, `sync fleet ${kind} --cwd fleet --format json`],
    flags: {
      format: option({ options: fleetFormats, description: 'how to report', default: 'text' as const })(),
      out: string({
        description: 'write index.html, fleet.md, fleet.json and the reports of each stack to this folder',
        helpValue: 'DIR',
      }),
      issue: boolean({ description: 'keep one issue about the fleet up to date (GITHUB_TOKEN or GITLAB_TOKEN)' }),
      platform: option({
        options: ['github', 'gitlab'] as const,
        description: 'where the issue is; default: the one whose pipeline this is',
        dependsOn: ['issue'],
      })(),
      'at-once': string({ description: 'so many stacks at a time', helpValue: 'COUNT', default: '4' }),
      refresh: option({
        options: ['auto', 'full'] as const,
        description: 'read what may have changed, or everything',
        default: 'auto' as const,
      })(),
    },
    needs: 'context',
    async given({ flags, host }) {
      if (flags.stack !== undefined)
        throw new UsageError('a fleet is of many stacks, and --stack of one', '"stacks" in fleet.yaml chooses some');
      const { issueEnvironment } = await import('../drift/issue.js');
      const issue = flags.issue ? issueEnvironment(host.env, flags.platform) : undefined;
      return { atOnce: atOnce(flags['at-once']), issue };
    },
    async run({ context, flags, given: { atOnce: number, issue } }) {
      const out = flags.out === undefined ? undefined : resolve(context.cwd, flags.out);
      const report = await fleetRound(context, kind, { refresh: flags.refresh, atOnce: number, out });
      await reportFleet(context, report, { format: flags.format, out });
      if (issue === undefined) return fleetExit(report);
      const trouble = await (await import('./issue.js')).keepFleetIssue(context, report, issue);
      printProblems(context, trouble);
      return hasErrors(trouble) ? 1 : fleetExit(report);
    },
  });
}

function atOnce(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new UsageError('--at-once takes a number from 1 to 99');
}
