import type { Project } from '@platform-sync/engine/api';
import type { Address } from '@platform-sync/core/model/address';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { RecordedResource, StateChange } from '@platform-sync/core/model/state';
import type { Lease, StateStore } from '@platform-sync/core/model/state-store';
import type { CliCode, StateCode } from '@platform-sync/core/generated/codes';
import { nearest } from '@platform-sync/core/model/nearest';

/** True for the address itself and everything nested under it. */
export function isAtOrUnder(address: Address, root: Address): boolean {
  return address === root || address.startsWith(`${root}/`);
}

/** The record at an address, and those nested under it. Rejects when there is none. */
export function recordsAt(
  resources: ReadonlyMap<Address, RecordedResource>,
  root: Address,
): readonly RecordedResource[] {
  const found = [...resources.values()].filter((record) => isAtOrUnder(record.address, root));
  if (found.length > 0) return found;
  const meant = nearest(root, [...resources.keys()]);
  const hint = meant === undefined ? 'All of them: sync state list' : `did you mean ${meant}?`;
  throw stateProblem('state-address-unknown', `State has no ${root}.`, hint);
}

export function stateProblem(code: CliCode | StateCode, summary: string, hint: string): DiagnosticError {
  return new DiagnosticError([{ severity: 'error', code, summary, hint }]);
}

/** Changes state under the stack's lease; `decide` sees what is recorded at that moment. */
export async function changeState(
  project: Project,
  purpose: string,
  waitMs: number,
  decide: (store: StateStore, lease: Lease) => Promise<readonly StateChange[]>,
): Promise<void> {
  const store = await project.state();
  const lease = await store.acquire(purpose, { waitMs });
  try {
    const changes = await decide(store, lease);
    if (changes.length > 0) await store.commit(lease, changes);
  } finally {
    await lease.release();
  }
}
