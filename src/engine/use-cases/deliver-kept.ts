import { setTimeout as pause } from 'node:timers/promises';
import type { ApplyOptions } from '../api.js';
import { openWrites } from '../apply/kept.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { KeptWrites } from '../model/kept-writes.js';
import { leaseOwner } from '../model/lease-owner.js';
import { LeaseHeldError, StateStoreError } from '../model/state-store.js';
import type { StateStore } from '../model/state-store.js';
import type { Workspace } from '../workspace.js';

/** Waits before each try, milliseconds: a minute in all. After that it is left to the next run. */
const waitsMs = [1000, 2000, 4000, 8000, 15_000, 15_000, 15_000];

/**
 * Tells the state store what a run kept on this machine while the store was away, under a new lease: the run's own may
 * be over by now, and could not be given back. Only writes whose intents are still open count, so that a run in between loses nothing.
 */
export async function deliverKept(
  workspace: Workspace,
  ownLease: string,
  { drain, signal }: ApplyOptions,
): Promise<Diagnostic> {
  const [store, kept] = await Promise.all([workspace.state(), workspace.kept()]);
  const stop = AbortSignal.any([drain, signal].filter((one) => one !== undefined));
  for (const ms of waitsMs) {
    if (stop.aborted) break;
    workspace.emit({
      type: 'waiting',
      ms,
      reason: 'the state store does not answer; results are kept on this machine',
    });
    await pause(ms, undefined, { signal: stop }).catch(() => undefined);
    if (await isDelivered(store, kept, ownLease, workspace.options.purpose)) return delivered();
  }
  return keptHere(kept);
}

async function isDelivered(store: StateStore, kept: KeptWrites, ownLease: string, purpose: string): Promise<boolean> {
  try {
    await store.unlock(ownLease);
    const lease = await store.acquire(purpose, { owner: leaseOwner(), waitMs: 0 });
    try {
      const writes = [...openWrites(await store.read(), await kept.read()).values()];
      if (writes.length > 0)
        await store.commit(
          lease,
          writes.flatMap(({ changes }) => changes),
        );
      await kept.clear();
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
    hint: 'Run apply again for what was not started.',
  };
}

function keptHere({ location }: KeptWrites): Diagnostic {
  return {
    severity: 'warning',
    code: 'results-kept-here',
    summary: `What this run has done is not recorded in the state store, which is away. It is kept in ${location}.`,
    hint: 'Run apply again here when the store is back: it records that first. Anywhere else, or without the file, the next run finds out by looking at the platform.',
  };
}
