import type { Diagnostic } from '../model/diagnostic.js';
import type { RemoteObject } from '../model/provider.js';

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

/** `what` it is that nobody sees: an object, or one that a run may have made. */
export function notVisibleYet(what: string, writtenAt = ''): Diagnostic {
  return {
    severity: 'error',
    code: 'not-visible-yet',
    summary: `${what} is not visible yet: this stack wrote it at ${writtenAt}, and the platform does not show it.`,
    hint: 'Plan again a little later. If somebody deleted it, it counts as gone once `timing.settleSeconds` are over.',
  };
}
