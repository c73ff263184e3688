import type { Project } from '../../engine/api.js';
import type { Address } from '../../engine/model/address.js';
import { DiagnosticError } from '../../engine/model/diagnostic.js';
import type { RecordedResource, StateChange } from '../../engine/model/state.js';
import type { Lease, StateStore } from '../../engine/model/state-store.js';
import type { CliCode } from '../../generated/codes.js';
import { nearest } from '../../engine/model/nearest.js';
import { leaseOwner } from '../../engine/model/lease-owner.js';

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
  const hint = meant === undefined ? 'sync state list shows all' : `did you mean ${meant}?`;
  throw stateProblem('state-address-unknown', `State has no ${root}.`, hint);
}

export function stateProblem(code: CliCode, summary: string, hint: string): DiagnosticError {
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
  const lease = await store.acquire(purpose, { owner: leaseOwner(), waitMs });
  try {
    const changes = await decide(store, lease);
    if (changes.length > 0) await store.commit(lease, changes);
  } finally {
    await lease.release();
  }
}
