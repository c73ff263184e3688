import { type Job, jobKinds, type QueuedJob } from '@platform-sync/core/model/fleet';
import { patternOf } from '@platform-sync/core/model/pattern';
import { readFleet } from '@platform-sync/engine/use-cases/fleet';
import { jsonText } from '@platform-sync/report/words/json-text';
import { argument, option } from '../arguments/flag.js';
import { queueOf } from '../fleet/queue.js';
import { stacksOf, type Stack } from '../fleet/rounds.js';
import { UsageError } from '../process/usage-error.js';
import { command } from '../run/command.js';

export const fleetQueueCommand = command({
  summary: 'Show the jobs of a fleet, or ask for one.',
  description:
    'Without words: which jobs run, wait, or failed for good. With a kind and a pattern of PROJECT/STACK: asks the workers for that of all these stacks, before what a schedule began. An apply is that of `sync apply --yes`. Needs the package platform-sync-fleet.',
  examples: ['sync fleet queue', "sync fleet queue plan 'shop/*'", 'sync fleet queue apply shop/default'],
  args: {
    kind: argument({ name: 'KIND', description: `what to do: ${[...jobKinds].reverse().join(', ')}` }),
    stacks: argument({ name: 'STACKS', description: 'PROJECT/STACK, or a pattern of it with *' }),
  },
  flags: { format: option({ options: ['text', 'json'] as const, description: 'how to report', default: 'text' })() },
  needs: 'context',
  given({ args }) {
    if (args.kind === undefined) return undefined;
    const kind = jobKinds.find((each) => each === args.kind);
    if (kind === undefined) throw new UsageError(`no kind of job: ${args.kind}`, 'sync fleet queue plan PROJECT/STACK');
    if (args.stacks === undefined)
      throw new UsageError(`which stacks to ${kind} is missing`, `sync fleet queue ${kind} PROJECT/STACK`);
    return { kind, pattern: args.stacks };
  },
  async run({ context, flags, given }) {
    const stacks = await stacksOf(context, await readFleet(context.cwd));
    const jobs = given === undefined ? [] : jobsOf(given.kind, given.pattern, stacks);
    const queue = await queueOf(context, stacks);
    try {
      await queue.add(jobs);
      const listed = await queue.list();
      context.host.out(flags.format === 'json' ? jsonText({ formatVersion: 1, jobs: listed }) : textOf(listed));
    } finally {
      await queue.close();
    }
    return 0;
  },
});

function jobsOf(kind: Job['kind'], pattern: string, stacks: readonly Stack[]): readonly Job[] {
  const meant = stacks.filter(({ project, stack }) => patternOf(pattern).test(`${project}/${stack}`));
  if (meant.length === 0)
    throw new UsageError(`no stack of this fleet is ${pattern}`, 'They are called PROJECT/STACK: sync fleet status');
  return meant.map(({ project, stack }) => ({ kind, project, stack }));
}

function textOf(jobs: readonly QueuedJob[]): string {
  if (jobs.length === 0) return 'No job waits.\n';
  return jobs
    .map(({ state, kind, project, stack, at, attempts, error }) => {
      const again = attempts > 1 ? `, attempt ${String(attempts)}` : '';
      return `${state} ${kind} ${project}/${stack}, ${at}${again}${error === undefined ? '' : `: ${error}`}\n`;
    })
    .join('');
}
