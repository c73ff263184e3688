import type { ApplyOptions, ImportResult } from '../api.js';
import { adoptedRecord } from '../apply/record.js';
import type { Address } from '../model/address.js';
import { hasErrors } from '../model/diagnostic.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { RecordedResource } from '../model/state.js';
import type { Lease } from '../model/state-store.js';
import type { Proposal } from '../plan/proposal.js';
import { sealsOf } from '../seals.js';
import type { Workspace } from '../workspace.js';
import { stateMismatches } from './apply-plan.js';
import { withLease } from './lease.js';
import { expectedDiagnostics } from './expected.js';
import { planProject } from './plan-project.js';
import type { PlanPurpose } from './plan-project.js';
import { preparedOf } from './prepared.js';
import { recordMoves } from './record-moves.js';
import { catalogueChoice } from './selection/catalogue-choice.js';

/**
 * Takes one existing object into state at an address of the catalogue. Nothing is changed on the platform: what
 * differs from the file is what the next plan shows.
 */
export async function importResource(
  workspace: Workspace,
  address: Address,
  id: string,
  options: ApplyOptions = {},
): Promise<ImportResult> {
  const loaded = await workspace.catalogue();
  if (loaded.desired === undefined) return { diagnostics: loaded.diagnostics };
  if (!loaded.desired.resources.has(address)) return { diagnostics: [notInCatalogue(address)] };
  try {
    return await withLease(workspace, options, (lease) => takeIn(workspace, lease, address, id));
  } catch (error) {
    return { diagnostics: expectedDiagnostics(error) };
  }
}

async function takeIn(workspace: Workspace, lease: Lease, address: Address, id: string): Promise<ImportResult> {
  const store = await workspace.state();
  const current = (await store.read()).resources.get(address);
  if (current !== undefined) return { diagnostics: [alreadyManaged(address, current)] };
  const planned = await planProject(
    workspace,
    { targets: [address] },
    { imports: new Map([[address, id]]), own: lease, readsOnly: neededFor(address) },
  );
  const prepared = preparedOf(planned);
  const proposal = prepared?.proposals.get(address);
  if (planned.plan === undefined || prepared === undefined || hasErrors(planned.diagnostics))
    return { diagnostics: planned.diagnostics };
  const moves = recordMoves(prepared.proposals, prepared.state.resources);
  if (proposal?.movedFrom !== undefined) {
    // State knows the object under an address that left the catalogue: the record moves, with what is nested in it.
    await store.commit(lease, [...prepared.recovery, ...moves]);
    return { diagnostics: planned.diagnostics, address, id };
  }
  const failed = planned.plan.notCompared.find((entry) => entry.address === address);
  if (failed !== undefined || proposal?.action !== 'adopt')
    return { diagnostics: failed === undefined ? planned.diagnostics : [failed.diagnostic] };
  if (stateMismatches(planned.plan, await store.read()).length > 0)
    throw new Error('bug: state changed under the lease');
  const record = adoptedRecord(proposal, prepared.graph.get(address) ?? [], sealsOf(prepared.state));
  await store.commit(lease, [...prepared.recovery, { kind: 'put', resource: record }]);
  prepared.recovered.forEach(workspace.emit);
  return { diagnostics: [...planned.diagnostics, ...assumed(proposal)], address, id: record.identity.id };
}

/** What the object needs, which tells where it is: the rest of the stack has no part in it. */
function neededFor(address: Address): NonNullable<PlanPurpose['readsOnly']> {
  return (desired, recorded) => {
    const { needsOf } = catalogueChoice(desired, recorded);
    const needed = new Set([address]);
    // A set that grows while it is walked is walked to its end.
    for (const each of needed) for (const other of needsOf(each)) needed.add(other);
    return Promise.resolve(needed);
  };
}

/** Fields that can't be read back are taken to be as the file says; the user must know. */
function assumed(proposal: Proposal): readonly Diagnostic[] {
  return [...proposal.declared.keys()]
    .filter((name) => proposal.type.fields[name]?.writeOnly === true && proposal.actual?.values[name] === undefined)
    .map((name) => ({
      severity: 'warning',
      code: 'assumed-equal',
      summary: `${name} of ${proposal.address} can't be read back from the platform; it is taken to be as the catalogue says.`,
      hint: `If it may differ, replace the object on purpose: sync plan --replace ${proposal.address}`,
      address: proposal.address,
      field: name,
    }));
}

function notInCatalogue(address: Address): Diagnostic {
  return {
    severity: 'error',
    code: 'unknown-address',
    summary: `There is no resource ${address} in the catalogue, so there is nothing to import the object as.`,
    hint: 'Write the resource into a catalogue file first; `sync validate` shows whether it is right.',
  };
}

function alreadyManaged(address: Address, record: RecordedResource): Diagnostic {
  return {
    severity: 'error',
    code: 'already-managed',
    summary: `${address} is managed already: it is the object ${record.identity.id}.`,
    hint: `To take over another one, let go of this one first: sync state rm ${address}`,
    address,
  };
}
