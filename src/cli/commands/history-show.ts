import { argument, option } from '../arguments/flag.js';
import { knownRun, runNumber, runText } from '../state/run-history.js';
import { command } from '../run/command.js';

export const historyShowCommand = command({
  summary: 'Show one run: who, why, what became of each step.',
  description:
    'RUN is a number of sync history. With --format jsonl every row of the history that is about the run, with what each record was before.',
  examples: ['sync history show 41', 'sync history show 41 --format jsonl'],
  args: { run: argument({ name: 'RUN', required: true, description: 'number of the run' }) },
  flags: {
    format: option({
      options: ['text', 'jsonl'] as const,
      description: 'for people, or one JSON object a line',
      default: 'text' as const,
    })(),
  },
  needs: 'project',
  given: ({ args }) => runNumber(args.run),
  async run({ flags, given, host, project }) {
    const rows = await knownRun(await project.state(), given);
    host.result?.(rows);
    host.out(flags.format === 'text' ? runText(rows) : rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return 0;
  },
});
