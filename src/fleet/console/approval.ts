import type { KeptPlan } from '@platform-sync/state/fleet-record';
import { isOneOf } from './access.js';

/** What somebody has said of one effect. It holds for that effect alone: whatever else is planned has none. */
export interface Approval {
  readonly who: string;
  /** All that they are called by. */
  readonly names: readonly string[];
  /** ISO 8601 UTC. */
  readonly at: string;
  /** The glass was broken: why no other approval was waited for. */
  readonly glass?: string;
}

/**
 * Why an effect may not be applied yet; undefined: it may. Who wrote it counts for nothing, and of what nobody knows the author of, two
 * must approve: one of them did not write it.
 */
export function missingApproval(
  { authors }: Pick<KeptPlan, 'authors'>,
  approvals: readonly Approval[],
  needed = 1,
): string | undefined {
  if (approvals.some(({ glass }) => glass !== undefined)) return undefined;
  const others = people(approvals.filter(({ names }) => !isOneOf(names, authors)));
  const least = authors.length === 0 ? Math.max(needed, 2) : needed;
  const missing = least - others.length;
  if (missing <= 0) return undefined;
  const who = authors.length === 0 ? 'since nobody knows who wrote it' : 'by somebody else';
  return `Needs ${String(missing)} more approval${missing === 1 ? '' : 's'}, ${who}.`;
}

/** One approval of each: whoever approves as themselves and by a token is one person. */
function people(approvals: readonly Approval[]): readonly Approval[] {
  const found: Approval[] = [];
  for (const each of approvals) if (!found.some(({ names }) => isOneOf(names, each.names))) found.push(each);
  return found;
}
