import { randomUUID } from 'node:crypto';
import { LeaseHeldError, type Lease, type LeaseHolder } from '../model/state-store.js';
import type { Timing } from './timing.js';

export interface LeaseRequest {
  readonly id: string;
  readonly owner: string;
  readonly purpose: string;
}

/** The one place of a stack where a lease is kept. Each method is atomic. */
export interface LeaseSlot {
  /** Takes the slot when it is free or its lease is over; else says who has it. */
  take(request: LeaseRequest): Promise<{ readonly token: number; readonly holder: LeaseHolder } | LeaseHolder>;
  /** A sign of life. False when the lease is no longer the slot's: an expired one is not revived. */
  beat(id: string): Promise<boolean>;
  /** Empties the slot when that lease is alive in it. */
  drop(id: string): Promise<boolean>;
}

/** Leases that this process holds, so that closing the store stops their timers. */
export type HeldLeases = Set<() => void>;

/** Takes the slot, looking again every `pollMs` until `waitMs` are over. Throws LeaseHeldError. */
export async function acquireLease(
  slot: LeaseSlot,
  purpose: string,
  options: { readonly owner: string; readonly waitMs: number },
  timing: Timing,
  held: HeldLeases,
): Promise<Lease> {
  const request = { id: randomUUID(), owner: options.owner, purpose };
  for (let left = options.waitMs; ; left -= timing.pollMs) {
    const answer = await slot.take(request);
    if ('token' in answer) return keepAlive(slot, answer.token, answer.holder, timing, held);
    if (left <= 0) throw new LeaseHeldError(answer);
    await timing.sleep(Math.min(timing.pollMs, left));
  }
}

function keepAlive(slot: LeaseSlot, token: number, holder: LeaseHolder, timing: Timing, held: HeldLeases): Lease {
  const stop = timing.every(timing.heartbeatMs, () => {
    // A store that does not answer now may do so at the next beat; if not, the lease ends and the next write says so.
    slot.beat(holder.id).then(
      (alive) => {
        if (!alive) end();
      },
      () => undefined,
    );
  });
  const end = (): void => {
    stop();
    held.delete(end);
  };
  held.add(end);
  let released: Promise<void> | undefined;
  const release = async (): Promise<void> => {
    end();
    // Not worth failing a run that has done its work: a lease that can't be given back ends by itself.
    await slot.drop(holder.id).catch(() => false);
  };
  return { id: holder.id, token, holder, release: () => (released ??= release()) };
}
