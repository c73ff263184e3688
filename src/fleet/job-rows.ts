import { isCommitId, type Job, jobKinds, type QueuedJob } from '@platform-sync/core/model/fleet';
import { defined } from '@platform-sync/core/model/value';
import { momentIn } from '@platform-sync/core/model/world';
import { jobKey } from './schedule.js';

/** A job as the engine lists it. */
export interface JobRow {
  readonly key: string | null;
  readonly at: number;
  readonly attempts: number;
  readonly isOver: boolean;
  readonly isRunning: boolean;
  readonly error: string | null;
}

/** A job as the database is given it. */
export function rowOf(job: Job): object {
  const isScheduled = job.round !== undefined;
  return {
    ...{ kind: job.kind, key: jobKey(job), payload: job },
    // One job a stack at a time; what is only proposed takes nothing from the stack, and waits for nobody.
    queue: `${job.project}/${job.stack}${job.commit === undefined ? '' : ` ${job.request ?? job.commit}`}`,
    priority: jobKinds.indexOf(job.kind) * 10 + (isScheduled ? 100 : 0),
    mode: isScheduled ? 'preserve_run_at' : 'replace',
  };
}

export function jobIn(payload: unknown): Job {
  const isRecord = typeof payload === 'object' && payload !== null;
  const member = (name: string): unknown => (isRecord ? Reflect.get(payload, name) : undefined);
  const text = (name: string): string | undefined => {
    const value = member(name);
    return typeof value === 'string' ? value : undefined;
  };
  const kind = jobKinds.find((each) => each === text('kind'));
  const [project, stack, commit] = [text('project'), text('stack'), text('commit')];
  const isMeant = commit === undefined || (kind === 'plan' && isCommitId(commit));
  // An apply that is bound to something else than a commit is none.
  const isBound = member('head') === undefined || (kind === 'apply' && isCommitId(text('head') ?? ''));
  if (kind === undefined || project === undefined || stack === undefined || !isMeant || !isBound)
    throw new Error('This is no job of this version.');
  const [round, request, effect, by, head] = ['round', 'request', 'effect', 'by', 'head'].map(text);
  const given = member('authors');
  const authors = Array.isArray(given) ? given.filter((one) => typeof one === 'string') : undefined;
  return { kind, project, stack, ...defined({ round, commit, request, authors, effect, by, head }) };
}

export function queuedJob({ key, at, attempts, isOver, isRunning, error }: JobRow): QueuedJob {
  const [, kind = '', project = '', stack = '', request] = /^(\w+) (\S*?)\/(\S*)(?: (.*))?$/.exec(key ?? '') ?? [];
  return {
    kind: jobKinds.find((each) => each === kind) ?? 'check',
    ...{ project, stack, attempts, state: isRunning ? 'running' : isOver ? 'failed' : 'waiting' },
    at: momentIn({ now: () => at }),
    ...defined({ request, error: error ?? undefined }),
  };
}
