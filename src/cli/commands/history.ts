import { argument, integer, option, string } from '../arguments/flag.js';
import { defined } from '@platform-sync/core/model/value';
import { latestRuns } from '@platform-sync/core/model/run-summary';
import { runNumber, runsText } from '../state/run-history.js';
import { command } from '../run/command.js';

export const historyCommand = command({
  summary: 'List what runs did to the stack, the latest first.',
  description:
    'Each run that wrote: its number, when, the command, who, how it ended, its steps, the digest of its effect. With ADDRESS only runs that changed its record. The history stands in the state, has no secret in it, and only grows.',
  examples: ['sync history', 'sync history petstore/guide --limit 5', 'sync history --format jsonl'],
  args: { address: argument({ name: 'ADDRESS', description: 'only runs that changed its record' }) },
  flags: {
    limit: integer({ description: 'at most so many runs', helpValue: 'COUNT', min: 1, default: 20 }),
    before: string({ description: 'only runs before this one', helpValue: 'RUN' }),
    format: option({
      options: ['text', 'jsonl'] as const,
      description: 'for people, or one JSON object a line',
      default: 'text' as const,
    })(),
  },
  needs: 'project',
  given: ({ flags }) => ({
    limit: flags.limit,
    ...defined({ before: flags.before === undefined ? undefined : runNumber(flags.before) }),
  }),
  async run({ args, flags, given, host, project }) {
    const runs = await latestRuns(await project.state(), { ...given, ...defined({ address: args.address }) });
    host.result?.(runs);
    host.out(flags.format === 'text' ? runsText(runs) : runs.map((run) => `${JSON.stringify(run)}\n`).join(''));
    return 0;
  },
});
