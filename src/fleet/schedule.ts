import { createHash } from 'node:crypto';
import type { Job, Schedule } from '@platform-sync/core/model/fleet';

/**
 * Names a job: there is one of a kind a stack, one a request, one a commit that an apply is bound to, and one for what is wanted of the
 * same findings.
 */
export function jobKey({ kind, project, stack, settlement, head, ...proposed }: Omit<Job, 'round'>): string {
  const bound = head === undefined ? '' : ` ${head}`;
  const of =
    kind === 'settle' && settlement !== undefined
      ? ` ${settlement.verb} ${createHash('sha256').update(settlement.findings.join()).digest('hex').slice(0, 12)}`
      : proposalName(proposed);
  return `${kind} ${project}/${stack}${of}${bound}`;
}

/** Of a job that plans what is proposed, with a space before it: requests of two repositories may have one number. */
export function proposalName({ commit, request = commit, from }: Pick<Job, 'commit' | 'request' | 'from'>): string {
  if (commit === undefined) return '';
  return from === undefined ? ` ${request}` : ` ${from.project}#${request}`;
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
