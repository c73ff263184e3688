import type { ApplyOptions } from '../api.js';
import { defined } from '@platform-sync/core/model/value';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import { type Lease, type LeaseHolder, LeaseLostError } from '@platform-sync/core/model/state-store';
import type { Workspace } from '../workspace.js';
import { expectedDiagnostics, isAbort } from './expected.js';

/** Works with the stack's lease, waiting for it as long as the options say. Writes to the platform leave only in here. */
export async function withLease<T>(
  workspace: Workspace,
  options: ApplyOptions,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const isHeld = workspace.lease !== undefined;
  const lease = await leaseInTime(workspace, options);
  const { term } = lease;
  const dropped = options.drain === undefined ? term.late : AbortSignal.any([term.late, options.drain]);
  workspace.fence = { mayWrite: () => term.mayWrite() && !dropped.aborted, dropped, cut: term.over };
  try {
    return await work(lease);
  } catch (error) {
    // Calls that were still under way were cut off with it.
    throw term.over.aborted && isAbort(error) ? new LeaseLostError() : error;
  } finally {
    workspace.fence = undefined;
    if (!isHeld) await lease.release();
  }
}

/**
 * The one that is held, unless a process that stood still, or planned for long, could not confirm it in time: nothing was sent
 * by it yet, so it is taken anew. Who had the stack in between, and wrote, has made another state of it than was planned with.
 */
async function leaseInTime(workspace: Workspace, options: ApplyOptions): Promise<Lease> {
  const held = workspace.lease;
  if (held === undefined) return acquired(workspace, options);
  if (held.term.mayWrite()) return held;
  await held.release();
  return (workspace.lease = await acquired(workspace, options));
}

/** Takes the lease before any of the work begins and gives it back after all of it: what is planned in there is up to date. */
export async function holdStack<T>(
  workspace: Workspace,
  options: ApplyOptions,
  work: (giveBack: () => Promise<void>) => Promise<T>,
): Promise<T> {
  if (workspace.lease !== undefined) return work(() => Promise.resolve());
  const began = workspace.world.steady();
  workspace.lease = await acquired(workspace, options).catch((error: unknown) => {
    throw new DiagnosticError(expectedDiagnostics(error));
  });
  workspace.patienceMs = (options.lockTimeoutMs ?? 0) - (workspace.world.steady() - began);
  const giveBack = async (): Promise<void> => workspace.lease?.release();
  try {
    return await work(giveBack);
  } finally {
    await giveBack();
    workspace.lease = undefined;
    workspace.patienceMs = 0;
  }
}

async function acquired(workspace: Workspace, { lockTimeoutMs = 0, frozen, signal }: ApplyOptions): Promise<Lease> {
  const store = await workspace.state();
  const { world } = workspace;
  let waits: { readonly reason: string; readonly from: number } | undefined;
  const onWait = ({ owner, purpose, since }: LeaseHolder): void => {
    const reason = `the stack is locked by ${owner} (${purpose}) since ${since}`;
    workspace.emit({ type: 'waiting', ms: lockTimeoutMs, reason });
    waits = { reason, from: waits?.from ?? world.steady() };
  };
  const how = { waitMs: lockTimeoutMs, onWait, ...defined({ frozen, signal }) };
  const lease = await store.acquire(workspace.options.purpose, how);
  if (waits !== undefined) workspace.waited({ reason: waits.reason, ms: world.steady() - waits.from });
  return lease;
}
