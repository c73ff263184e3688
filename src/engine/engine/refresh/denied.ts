import type { Address } from '@platform-sync/core/model/address';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { Intent } from '@platform-sync/core/model/state';

type Ask = () => Promise<RemoteObject | undefined>;

/** An object is gone when two answers deny it: one may be wrong, and a write left out for it is never sent. Rejects as the calls do. */
export async function isDeniedTwice(ask: Ask, askAgain: Ask = ask): Promise<boolean> {
  return isDenied(await ask()) && isDenied(await askAgain());
}

/** One of a fixed set that is as it was at first was put back, or nobody has touched it. */
function isDenied(object: RemoteObject | undefined): boolean {
  return object === undefined || object.untouched === true;
}

/** What was written since then may not show everywhere yet: that it is denied proves nothing. Times are ISO 8601 UTC. */
export function isSettling(writtenAt: string | undefined, settledBefore: string | undefined): boolean {
  return writtenAt !== undefined && settledBefore !== undefined && writtenAt > settledBefore;
}

/** A create leaves within this time of its intent, or its intent is renewed. */
export const leavesWithinMs = 10_000;

/** When an interrupted create can have left at the latest: from then on counts how long it may take to show. ISO 8601 UTC. */
export function leftBy({ createdAt }: Pick<Intent, 'createdAt'>): string {
  return new Date(Date.parse(createdAt) + leavesWithinMs).toISOString();
}

/** From when on what was written then shows in every answer. ISO 8601 UTC. */
export function settledAt(writtenAt: string, settleMs = 0): string {
  return new Date(Date.parse(writtenAt) + settleMs).toISOString();
}

export function notVisibleYet(address: Address, writtenAt: string, settleMs: number | undefined): Diagnostic {
  const until = settledAt(writtenAt, settleMs);
  return {
    severity: 'error',
    code: 'not-visible-yet',
    summary: `${address} is not visible yet: this stack wrote it at ${writtenAt}, and the platform does not show it.`,
    hint: `Plan again after ${until} (timing.settleSeconds). If somebody deleted it, it counts as gone from then on.`,
  };
}
