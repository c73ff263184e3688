import { askedKinds, isCommitId, type Job, type QueuedJob } from '@platform-sync/core/model/fleet';
import { patternOf } from '@platform-sync/core/model/pattern';
import { readFleet } from '@platform-sync/engine/use-cases/fleet';
import { jsonText } from '@platform-sync/report/words/json-text';
import { defined } from '@platform-sync/core/model/value';
import { argument, option, string } from '../arguments/flag.js';
import { queueOf } from '../fleet/queue.js';
import { stacksOf, type Stack } from '../fleet/stock.js';
import { UsageError } from '../process/usage-error.js';
import { command } from '../run/command.js';

export const fleetQueueCommand = command({
  summary: 'Show the jobs of a fleet, or ask for one.',
  description:
    'Without words: which jobs run, wait, or failed for good. With a kind and a pattern of PROJECT/STACK: asks the workers for that of all these stacks, before what a schedule began. An apply is that of `sync apply --yes`. With --commit, a plan is that of `sync plan --untrusted` of this commit, which the worker fetches. Needs the package platform-sync-fleet.',
  examples: [
    'sync fleet queue',
    "sync fleet queue plan 'shop/*'",
    'sync fleet queue apply shop/default',
    'sync fleet queue plan shop/default --commit 8c1f0e5d2b7a49360f1e2d3c4b5a69788796a5b4 --request 12',
  ],
  args: {
    kind: argument({ name: 'KIND', description: `what to do: ${[...askedKinds].reverse().join(', ')}` }),
    stacks: argument({ name: 'STACKS', description: 'PROJECT/STACK, or a pattern of it with *' }),
  },
  flags: {
    format: option({ options: ['text', 'json'] as const, description: 'how to report', default: 'text' })(),
    commit: string({ description: 'plan what this commit proposes; its whole id', helpValue: 'ID' }),
    request: string({
      description: 'what proposes it: a newer commit takes the place of one that waits',
      helpValue: 'NAME',
      dependsOn: ['commit'],
    }),
  },
  needs: 'context',
  given({ args, flags }) {
    if (args.kind === undefined) return undefined;
    const { commit, request } = flags;
    if (commit !== undefined && (args.kind !== 'plan' || !isCommitId(commit)))
      throw new UsageError('--commit takes the whole id of a commit, for a plan', 'git rev-parse HEAD');
    if (request !== undefined && !/^[\w#!./-]{1,100}$/.test(request))
      throw new UsageError('--request takes a name without spaces', 'for example: --request 12');
    const kind = askedKinds.find((each) => each === args.kind);
    if (kind === undefined) throw new UsageError(`no kind of job: ${args.kind}`, 'sync fleet queue plan PROJECT/STACK');
    if (args.stacks === undefined)
      throw new UsageError(`which stacks to ${kind} is missing`, `sync fleet queue ${kind} PROJECT/STACK`);
    return { kind, pattern: args.stacks, proposed: defined({ commit, request }) };
  },
  async run({ context, flags, given }) {
    const stacks = await stacksOf(context, await readFleet(context.cwd));
    const { actor, world } = context.host;
    // Whoever asks lets it be done: the worker that does it is nobody.
    const by = actor ?? world.processes.owner().replace(/ pid \d+$/, '');
    const jobs = given === undefined ? [] : jobsOf(given, stacks, by);
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

interface Asked extends Pick<Job, 'kind'> {
  readonly pattern: string;
  readonly proposed: Pick<Job, 'commit' | 'request'>;
}

function jobsOf({ kind, pattern, proposed }: Asked, stacks: readonly Stack[], by: string): readonly Job[] {
  const meant = stacks.filter(({ project, stack }) => patternOf(pattern).test(`${project}/${stack}`));
  if (meant.length === 0)
    throw new UsageError(`no stack of this fleet is ${pattern}`, 'They are called PROJECT/STACK: sync fleet status');
  const more = kind === 'apply' ? { by } : {};
  return meant.map(({ project, stack }) => ({ kind, project, stack, ...proposed, ...more }));
}

function textOf(jobs: readonly QueuedJob[]): string {
  if (jobs.length === 0) return 'No job waits.\n';
  return jobs
    .map(({ state, kind, project, stack, request, at, attempts, error }) => {
      const of = request === undefined ? '' : ` of ${request}`;
      const again = attempts > 1 ? `, attempt ${String(attempts)}` : '';
      return `${state} ${kind} ${project}/${stack}${of}, ${at}${again}${error === undefined ? '' : `: ${error}`}\n`;
    })
    .join('');
}
