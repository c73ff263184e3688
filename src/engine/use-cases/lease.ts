import type { ApplyOptions } from '../api.js';
import { DiagnosticError } from '../model/diagnostic.js';
import { leaseOwner } from '../model/lease-owner.js';
import type { Lease, LeaseHolder } from '../model/state-store.js';
import type { Workspace } from '../workspace.js';
import { expectedDiagnostics } from './expected.js';

/** Works with the stack's lease, waiting for it as long as the options say. Writes to the platform leave only in here. */
export async function withLease<T>(
  workspace: Workspace,
  options: ApplyOptions,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const held = workspace.lease;
  const lease = held ?? (await acquired(workspace, options));
  const { term } = lease;
  const dropped = options.drain === undefined ? term.late : AbortSignal.any([term.late, options.drain]);
  workspace.fence = { mayWrite: () => term.mayWrite(), dropped, cut: term.over };
  try {
    return await work(lease);
  } finally {
    workspace.fence = undefined;
    if (held === undefined) await lease.release();
  }
}

/** Takes the lease before any of the work begins and gives it back after all of it: what is planned in there is up to date. */
export async function holdStack<T>(
  workspace: Workspace,
  options: ApplyOptions,
  work: (giveBack: () => Promise<void>) => Promise<T>,
): Promise<T> {
  if (workspace.lease !== undefined) return work(() => Promise.resolve());
  const lease = await acquired(workspace, options).catch((error: unknown) => {
    throw new DiagnosticError(expectedDiagnostics(error));
  });
  workspace.lease = lease;
  try {
    return await work(() => lease.release());
  } finally {
    workspace.lease = undefined;
    await lease.release();
  }
}

async function acquired(workspace: Workspace, { lockTimeoutMs = 0 }: ApplyOptions): Promise<Lease> {
  const store = await workspace.state();
  const onWait = ({ owner, purpose, since }: LeaseHolder): void =>
    workspace.emit({
      type: 'waiting',
      ms: lockTimeoutMs,
      reason: `the stack is held by ${owner} (${purpose}) since ${since}`,
    });
  return store.acquire(workspace.options.purpose, { owner: leaseOwner(), waitMs: lockTimeoutMs, onWait });
}
