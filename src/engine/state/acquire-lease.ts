import {
  LeaseHeldError,
  type AcquireOptions,
  type Lease,
  type LeaseHolder,
} from '@platform-sync/core/model/state-store';
import { isProvenDead, thisProcess, type ProcessIdentity } from './process-identity.js';
import { marginsOf, momentOf, Term } from './lease-term.js';
import type { Timing } from './timing.js';

interface LeaseRequest {
  readonly id: string;
  readonly owner: string;
  readonly purpose: string;
}

/** Who has the slot, and which process that is, as far as it said so. */
export interface Occupant {
  readonly holder: LeaseHolder;
  readonly process?: ProcessIdentity | undefined;
}

/** The one place of a stack where a lease is kept. Each method is atomic. */
export interface LeaseSlot {
  /** Takes the slot when it is free or its lease is over; else says who has it. */
  take(
    request: LeaseRequest,
    process: ProcessIdentity | undefined,
  ): Promise<{ readonly token: number; readonly holder: LeaseHolder } | Occupant>;
  /** A sign of life. False when the lease is no longer the slot's, or was revoked: an expired one is not revived. */
  beat(id: string): Promise<boolean>;
  /** From now on its beats are refused, so that it ends at its deadline at the latest. False when it is not in the slot. */
  revoke(id: string): Promise<boolean>;
  /** Empties the slot when that lease is alive in it. */
  drop(id: string): Promise<boolean>;
  /** Who has the slot now. */
  occupant(): Promise<LeaseHolder | undefined>;
}

/** Leases that this process holds, so that closing the store stops their timers. */
export type HeldLeases = Set<() => void>;

/**
 * Takes the slot, looking again every `pollMs` until `waitMs` are over; a holder that is proven dead is not waited for.
 * Throws LeaseHeldError.
 */
export async function acquireLease(
  slot: LeaseSlot,
  purpose: string,
  options: AcquireOptions,
  timing: Timing,
  held: HeldLeases,
): Promise<Lease> {
  const request = { id: timing.id(), owner: options.owner, purpose };
  const identity = thisProcess();
  for (let left = options.waitMs; ; left -= timing.pollMs) {
    const asked = momentOf(timing);
    const answer = await slot.take(request, identity);
    if ('token' in answer) return keepAlive(slot, answer, new Term(timing, asked), timing, held);
    if (answer.process !== undefined && isProvenDead(answer.process)) {
      // As long as what a run cut off itself is given: its last bytes may still be on their way.
      await timing.sleep(marginsOf(timing.ttlMs).cutMs);
      await slot.drop(answer.holder.id);
      continue;
    }
    if (left <= 0) throw new LeaseHeldError(answer.holder);
    if (left === options.waitMs) options.onWait?.(answer.holder);
    await timing.sleep(Math.min(timing.pollMs, left));
  }
}

/** Ends a lease by its id. Without `now`, waits until what its run may have sent by it is cut off. False: not held by it. */
export async function breakLease(
  slot: LeaseSlot,
  id: string,
  options: { readonly now?: boolean },
  timing: Timing,
): Promise<boolean> {
  if (options.now === true) return slot.drop(id);
  if (!(await slot.revoke(id))) return false;
  while ((await slot.occupant())?.id === id) await timing.sleep(timing.pollMs);
  return true;
}

function keepAlive(
  slot: LeaseSlot,
  { token, holder }: { readonly token: number; readonly holder: LeaseHolder },
  term: Term,
  timing: Timing,
  held: HeldLeases,
): Lease {
  const stop = timing.every(timing.heartbeatMs, () => {
    const asked = momentOf(timing);
    // A store that does not answer now may do so at the next beat; if not, the term ends by itself.
    slot.beat(holder.id).then(
      (alive) => {
        if (alive) return term.confirmed(asked);
        term.refused();
        stop();
      },
      () => undefined,
    );
  });
  const end = (): void => {
    stop();
    term.end();
    held.delete(end);
  };
  held.add(end);
  let released: Promise<void> | undefined;
  const release = async (): Promise<void> => {
    end();
    // Not worth failing a run that has done its work: a lease that can't be given back ends by itself.
    const dropped = slot.drop(holder.id).then(
      () => undefined,
      () => undefined,
    );
    // Nor worth waiting for a store that has not answered for long.
    await (term.late.aborted ? Promise.race([dropped, timing.sleep(marginsOf(timing.ttlMs).partingMs)]) : dropped);
  };
  return { id: holder.id, token, holder, term, release: () => (released ??= release()) };
}
