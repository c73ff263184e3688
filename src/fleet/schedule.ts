import { createHash } from 'node:crypto';
import type { Job, Schedule } from '@platform-sync/core/model/fleet';

/**
 * Names a job: there is one of a kind a stack, one a request, one a commit that an apply is bound to, and one for what is wanted of the
 * same findings.
 */
export function jobKey({
  kind,
  project,
  stack,
  commit,
  request = commit,
  head,
  settlement,
}: Omit<Job, 'round'>): string {
  const proposed = commit === undefined ? head : request;
  const of =
    kind === 'settle' && settlement !== undefined
      ? `${settlement.verb} ${createHash('sha256').update(settlement.findings.join()).digest('hex').slice(0, 12)}`
      : proposed;
  return `${kind} ${project}/${stack}${of === undefined ? '' : ` ${of}`}`;
}

/** Stacks of one schedule begin within a tenth of its time, a minute at most, each always at the same place. */
const spread = { part: 0.1, mostMs: 60_000 };

/** How often a schedule has been due by now: after an outage it is due once, however often it was missed. */
export function tickOf({ job, everyMs }: Schedule, now: number): number {
  const share = createHash('sha256').update(jobKey(job)).digest().readUInt32BE() / 2 ** 32;
  return Math.floor((now - share * Math.min(everyMs * spread.part, spread.mostMs)) / everyMs);
}

/** The same of what follows a schedule: it begins when the last of its stacks has begun. */
export function afterTick(everyMs: number, now: number): number {
  return Math.floor((now - Math.min(everyMs * spread.part, spread.mostMs)) / everyMs);
}
