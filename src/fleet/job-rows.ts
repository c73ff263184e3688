import { driftVerbs } from '@platform-sync/core/model/drift';
import {
  isCommitId,
  type Job,
  jobKinds,
  type QueuedJob,
  type RequestOrigin,
  type Settlement,
} from '@platform-sync/core/model/fleet';
import { defined } from '@platform-sync/core/model/value';
import { momentIn } from '@platform-sync/core/model/world';
import { jobKey, proposalName } from './schedule.js';
import { traceOf } from './telemetry.js';

/** A job as the engine lists it. */
export interface JobRow {
  readonly key: string | null;
  readonly at: number;
  readonly attempts: number;
  readonly isOver: boolean;
  readonly isRunning: boolean;
  readonly error: string | null;
}

/** Each has places of its own in a worker: what somebody waits for, and what looks for drift, be it by a schedule or not. */
export const lanes = ['asked', 'drift'] as const;
export type Lane = (typeof lanes)[number];

function laneOf({ kind, round }: Job): Lane {
  return kind === 'check' || round !== undefined ? 'drift' : 'asked';
}

/** A job as the database is given it. */
export function rowOf(job: Job): object {
  const isScheduled = job.round !== undefined;
  return {
    ...{ kind: job.kind, key: jobKey(job), payload: { ...job, ...defined({ trace: traceOf() }) } },
    // One job a stack at a time; what is only proposed takes nothing from the stack, and waits for nobody.
    queue: `${job.project}/${job.stack}${proposalName(job)}`,
    priority: jobKinds.indexOf(job.kind) * 10 + (isScheduled ? 100 : 0),
    lane: laneOf(job),
    mode: isScheduled ? 'preserve_run_at' : 'replace',
  };
}

export function jobIn(payload: unknown): Job {
  const text = (name: string): string | undefined => textIn(payload, name);
  const kind = jobKinds.find((each) => each === text('kind'));
  const [project, stack, commit] = [text('project'), text('stack'), text('commit')];
  const isMeant = commit === undefined || (kind === 'plan' && isCommitId(commit));
  // An apply that is bound to something else than a commit is none.
  const isBound = memberIn(payload, 'head') === undefined || (kind === 'apply' && isCommitId(text('head') ?? ''));
  if (kind === undefined || project === undefined || stack === undefined || !isMeant || !isBound)
    throw new Error('This is no job of this version.');
  const [round, request, effect, by, head] = ['round', 'request', 'effect', 'by', 'head'].map(text);
  const [authors, settlement] = [textsIn(payload, 'authors'), settlementIn(memberIn(payload, 'settlement'))];
  const from = originIn(memberIn(payload, 'from'));
  if (kind === 'settle' && settlement === undefined) throw new Error('This is no job of this version.');
  return { kind, project, stack, ...defined({ round, commit, request, from, authors, effect, by, head, settlement }) };
}

function originIn(given: unknown): RequestOrigin | undefined {
  const [platform, project, at] = ['platform', 'project', 'at'].map((name) => textIn(given, name));
  const isKnown = platform === 'github' || platform === 'gitlab';
  return isKnown && project !== undefined && at !== undefined ? { platform, project, at } : undefined;
}

function settlementIn(given: unknown): Settlement | undefined {
  const [verb, findings] = [driftVerbs.find((each) => each === textIn(given, 'verb')), textsIn(given, 'findings')];
  if (verb === undefined || findings === undefined) return undefined;
  return { verb, findings, ...defined({ reason: textIn(given, 'reason'), until: textIn(given, 'until') }) };
}

function memberIn(given: unknown, name: string): unknown {
  return typeof given === 'object' && given !== null ? Reflect.get(given, name) : undefined;
}

function textIn(given: unknown, name: string): string | undefined {
  const value = memberIn(given, name);
  return typeof value === 'string' ? value : undefined;
}

function textsIn(given: unknown, name: string): readonly string[] | undefined {
  const value = memberIn(given, name);
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
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
