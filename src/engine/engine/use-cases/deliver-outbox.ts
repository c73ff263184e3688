import type { ApplyOptions } from '../api.js';
import { undelivered } from '../apply/undelivered.js';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Outbox } from '@platform-sync/core/model/outbox';
import { LeaseHeldError, StateStoreError, type Lease, type StateStore } from '@platform-sync/core/model/state-store';
import type { Workspace } from '../workspace.js';

/** Waits before each try, as parts of the time that there is. */
const waits = [0.1, 0.2, 0.3, 0.4];
/** After this part of a lease's life, or when the run's own ends, it is left to the next run. */
const patience = 1 / 3;
/** The part that is left then to close what is open. */
const parting = 1 / 15;

/**
 * Tells the state store what a run kept on this machine while the store was away, under a new lease: the run's own may
 * be over by now, and could not be given back. Only writes whose intents are still open count, so that a run in between loses nothing.
 */
export async function deliverOutbox(
  workspace: Workspace,
  ownLease: Lease,
  { drain, signal }: ApplyOptions,
): Promise<Diagnostic> {
  const [store, kept] = await Promise.all([workspace.state(), workspace.outbox()]);
  const stop = AbortSignal.any([drain, signal].filter((one) => one !== undefined));
  const { term } = ownLease;
  const given = Math.max(0, Math.min(term.lifeMs * patience, term.left() - term.lifeMs * parting));
  const { world } = workspace;
  const end = world.steady() + given;
  for (const ms of waits.map((part) => Math.round(part * given))) {
    if (stop.aborted || world.steady() >= end) break;
    workspace.emit({
      type: 'waiting',
      ms,
      reason: 'the state store does not answer; results are kept on this machine',
    });
    await world.sleep(ms, stop);
    // A store that swallows everything does not say so itself.
    const tooLate = new Promise<false>((resolve) => {
      world.after(Math.max(0, end - world.steady()), () => resolve(false), { ref: false });
    });
    const isDone = await Promise.race([isDelivered(store, kept, ownLease.id, workspace.options.purpose), tooLate]);
    if (isDone) return delivered();
  }
  return keptHere(kept);
}

/** Lines of closed intents may stay: they say nothing. Once the lease is late, another run may have kept some that do. */
export async function dropKept(kept: Outbox, { term }: Lease): Promise<void> {
  if (term.mayWrite()) await kept.clear();
}

async function isDelivered(store: StateStore, kept: Outbox, ownLease: string, purpose: string): Promise<boolean> {
  try {
    // Its run has ended: nothing is under way by it.
    await store.unlock(ownLease, { now: true });
    const lease = await store.acquire(purpose, { waitMs: 0 });
    try {
      const writes = [...undelivered(await store.read(), await kept.read()).values()];
      if (writes.length > 0)
        await store.commit(
          lease,
          writes.flatMap(({ changes }) => changes),
        );
      await dropKept(kept, lease);
      return true;
    } finally {
      await lease.release();
    }
  } catch (error) {
    // Held by another run, which settles everything itself before it starts: what is left here is looked at after it.
    if (error instanceof LeaseHeldError) return false;
    if (error instanceof StateStoreError && error.code === 'unreachable') return false;
    throw error;
  }
}

function delivered(): Diagnostic {
  return {
    severity: 'warning',
    code: 'state-was-away',
    summary: 'The state store was away for a while. It is back, and everything this run has done is recorded in it.',
    hint: 'Run apply again for the rest.',
  };
}

function keptHere({ location }: Outbox): Diagnostic {
  return {
    severity: 'warning',
    code: 'results-kept-here',
    summary: `What this run has done is not recorded in the state store, which is away. It is kept in ${location}.`,
    hint: 'Run apply again here when the store is back: it records that first. Anywhere else, or without the file, the next run finds out by looking at the platform.',
  };
}
