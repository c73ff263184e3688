import { resolve } from 'node:path';
import { boolean, option, string } from '../arguments/flag.js';
import { atOnce, issueOf, webhookOf } from '../fleet/command.js';
import { exitCode } from '../process/exit-code.js';
import { command } from '../run/command.js';

export const fleetWorkCommand = command({
  summary: 'Check, plan and apply the stacks of a fleet, together with other workers.',
  description:
    'Takes jobs from the queue in the PostgreSQL database that keeps the state of all stacks, on as many machines as you like: one at a time for each stack, applies first, then what somebody waits for, then what fleet.yaml schedules. Runs until it gets a signal. What a worker leaves undone, or a dead one held, another does. Needs the package platform-sync-fleet.',
  examples: ['sync fleet work', 'sync fleet work --cwd fleet --at-once 8'],
  flags: {
    'at-once': string({
      description: 'so many jobs that somebody waits for at a time, and as many that look for drift',
      helpValue: 'COUNT',
      default: '4',
    }),
    out: string({
      description: 'write the reports of each stack to this folder',
      helpValue: 'DIR',
    }),
    webhook: string({
      description: 'post news of checks to this address; default: SYNC_FLEET_WEBHOOK',
      helpValue: 'URL',
    }),
    issue: boolean({ description: 'keep one issue about the fleet up to date, one worker after each round of checks' }),
    platform: option({
      options: ['github', 'gitlab'] as const,
      description: 'where the issue is; default: the one whose pipeline this is',
      dependsOn: ['issue'],
    })(),
  },
  needs: 'context',
  given: async ({ flags, host }) => ({
    ...{ atOnce: atOnce(flags['at-once']), webhook: webhookOf(host, flags.webhook) },
    issue: await issueOf(host, flags),
  }),
  async run({ context, flags, given }) {
    const out = flags.out === undefined ? undefined : resolve(context.cwd, flags.out);
    await (await import('../fleet/work.js')).workOn(context, { ...given, out });
    return exitCode({ signal: context.interrupts.caught });
  },
});
