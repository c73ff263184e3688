import { reach } from '@platform-sync/core/model/graph';
import type { ApplyOptions, ImportRequest, ImportResult, ImportsResult, PlanResult } from '../api.js';
import { adoptedRecord } from '../apply/record.js';
import type { Address } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { type Diagnostic, hasErrors } from '@platform-sync/core/model/diagnostic';
import type { RecordedResource, StateChange } from '@platform-sync/core/model/state';
import type { Lease } from '@platform-sync/core/model/state-store';
import { afterAdoption, assumedEqual } from '../plan/guards/adoption.js';
import type { Step } from '../plan/step.js';
import { sealsOf } from '../sealed-state.js';
import type { Seals } from '@platform-sync/core/value/seal';
import type { Workspace } from '../workspace.js';
import { newTargets, stateMismatches } from './apply-plan.js';
import { withLease } from './lease.js';
import { expectedDiagnostics } from './expected.js';
import { planProject, type PlanPurpose } from './plan-project.js';
import { ApplicablePlan, type Work } from './applicable-plan.js';
import { recordMoves } from './record-moves.js';
import { catalogueChoice } from './selection/terms.js';
import { defined } from '@platform-sync/core/model/value';
import { identityKey } from '@platform-sync/core/model/identity';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { parseImportId } from '../plan/matching.js';

/** Takes one existing object into state at an address of the catalogue. */
export async function importResource(
  workspace: Workspace,
  request: ImportRequest,
  options: ApplyOptions = {},
): Promise<ImportResult> {
  const { diagnostics, imported } = await importResources(workspace, [request], options);
  return { diagnostics, ...imported[0] };
}

/**
 * Takes existing objects into state at addresses of the catalogue: all of them by one plan, or none. Nothing is changed on the
 * platform: what differs from the file is what the next plan shows.
 */
export async function importResources(
  workspace: Workspace,
  requests: readonly ImportRequest[],
  options: ApplyOptions = {},
): Promise<ImportsResult> {
  const loaded = await workspace.catalogue();
  const { desired } = loaded;
  if (desired === undefined) return refused(loaded.diagnostics);
  await workspace.loadPackages(requests.flatMap(({ address }) => desired.resources.get(address)?.type ?? []));
  const { sound, problems } = checkRequests(requests, desired, workspace.typeOf);
  if (sound.length === 0) return refused(problems);
  try {
    return await withLease(workspace, options, (lease) => takeIn(workspace, lease, sound, problems));
  } catch (error) {
    return refused([...problems, ...expectedDiagnostics(error)]);
  }
}

/** `problems`: what is wrong with other requests. Those that are sound are looked at all the same, so that all is told at once. */
async function takeIn(
  workspace: Workspace,
  lease: Lease,
  requests: readonly ImportRequest[],
  problems: readonly Diagnostic[],
): Promise<ImportsResult> {
  const store = await workspace.state();
  const { resources: recorded } = await store.read();
  const open = requests.filter(({ address }) => !recorded.has(address));
  const managed = requests.flatMap(({ address }) => alreadyManaged(address, recorded.get(address)) ?? []);
  const told = (found: readonly Diagnostic[]): readonly Diagnostic[] => [
    ...problems,
    ...atTheirPlaces([...managed, ...found], requests),
  ];
  if (open.length === 0) return refused(told([]));
  const addresses = open.map(({ address }) => address);
  const imports = new Map(open.map(({ address, id }) => [address, id]));
  const planned = await planProject(
    workspace,
    { targets: addresses },
    { imports, own: lease, readsOnly: neededFor(addresses) },
  );
  if (!(planned instanceof ApplicablePlan)) return refused(told(planned.diagnostics));
  const { plan, work } = planned;
  const all = told([...planned.diagnostics, ...unread(plan, addresses), ...madeOtherwise(work, open)]);
  if (hasErrors(all)) return refused(all);
  if (stateMismatches(plan, await store.read()).length > 0) throw new Error('bug: state changed under the lease');
  const seals = sealsOf(work.state, workspace.redactor);
  const { changes, taken } = changesOf(work, addresses, seals);
  const assumed = assumedEqual(taken.map(({ step }) => step));
  try {
    await store.commit(lease, [...work.recovery, ...newTargets(work, plan), ...changes]);
  } catch (error) {
    // Where the answer was lost, the store may have it all the same, and no later run would tell what is taken for granted.
    return refused(told([...assumed, ...expectedDiagnostics(error)]));
  }
  work.recovered.forEach(workspace.emit);
  // What an interrupted run was said to have made has its record already.
  const named = addresses.flatMap((address) => work.steps.get(address) ?? []);
  const found = new Map(taken.map(({ address, id }) => [address, id]));
  const imported = open.map(({ address, id }) => ({ address, id: found.get(address) ?? id }));
  return {
    diagnostics: [
      ...all,
      // The plan's own notices are about the whole stack, and not told here.
      ...atTheirPlaces(
        [...afterAdoption({ seals }, named, ({ movedFrom }) => movedFrom === undefined), ...assumed],
        requests,
      ),
    ],
    imported,
  };
}

function refused(diagnostics: readonly Diagnostic[]): ImportsResult {
  return { diagnostics, imported: [] };
}

/** Objects that could not be read. */
function unread(
  { notCompared }: NonNullable<PlanResult['plan']>,
  addresses: readonly Address[],
): readonly Diagnostic[] {
  const failed = new Map(notCompared.map(({ address, diagnostic }) => [address, diagnostic]));
  return addresses.flatMap((address) => failed.get(address) ?? []);
}

/** What an interrupted run turned out to have made at an address, or what moves there, is what stands there, whatever was asked for. */
function madeOtherwise({ state, steps }: Work, requests: readonly ImportRequest[]): readonly Diagnostic[] {
  return requests.flatMap(({ address, id }) => {
    const { type, movedFrom = address } = steps.get(address) ?? {};
    const record = state.resources.get(movedFrom);
    const parsed = record === undefined || type === undefined ? undefined : parseImportId(type, id);
    if (record === undefined || parsed === undefined || !('identity' in parsed)) return [];
    const isIt = identityKey(record.type, parsed.identity) === identityKey(record.type, record.identity);
    return isIt ? [] : (alreadyManaged(address, record) ?? []);
  });
}

interface Taken {
  readonly address: Address;
  readonly id: string;
  readonly step: Step;
}

/** State may know an object under an address that left the catalogue: its record moves, with what is nested in it. */
function changesOf(
  { steps, state, graph }: Work,
  addresses: readonly Address[],
  seals: Seals,
): { readonly changes: readonly StateChange[]; readonly taken: readonly Taken[] } {
  const chosen = addresses.flatMap((address) => steps.get(address) ?? []);
  const moved = chosen.filter(({ movedFrom }) => movedFrom !== undefined);
  const records = chosen
    .filter(({ movedFrom, action }) => movedFrom === undefined && action === 'adopt')
    .map((step) => ({
      step,
      record: adoptedRecord({ graph, seals }, step),
    }));
  return {
    changes: [
      ...(moved.length === 0 ? [] : recordMoves(steps, state.resources)),
      ...records.map(({ record }) => ({ kind: 'put' as const, resource: record })),
    ],
    taken: records.map(({ step, record }) => ({ address: record.address, id: record.identity.id, step })),
  };
}

/** What the objects need, which tells where they are: the rest of the stack has no part in it. */
function neededFor(addresses: readonly Address[]): NonNullable<PlanPurpose['readsOnly']> {
  return (desired: DesiredState, recorded) => {
    const { needsOf } = catalogueChoice(desired, recorded);
    return Promise.resolve(reach(addresses, needsOf));
  };
}

/** Requests that can be asked about, and what is wrong with the others. */
function checkRequests(
  requests: readonly ImportRequest[],
  desired: DesiredState,
  typeOf: (token: string) => ResourceType,
): { readonly sound: readonly ImportRequest[]; readonly problems: readonly Diagnostic[] } {
  const sound: ImportRequest[] = [];
  const problems: Diagnostic[] = [];
  const [byAddress, byObject] = [new Map<Address, ImportRequest>(), new Map<string, ImportRequest>()];
  for (const request of requests) {
    const { address, id, place } = request;
    const token = desired.resources.get(address)?.type;
    if (token === undefined) {
      problems.push({ ...notInCatalogue(address), ...defined({ place }) });
      continue;
    }
    const type = typeOf(token);
    const parsed = parseImportId(type, id);
    const key = 'identity' in parsed ? identityKey(token, parsed.identity) : undefined;
    const named = byAddress.get(address);
    const holder = key === undefined ? undefined : byObject.get(key);
    byAddress.set(address, named ?? request);
    if (key !== undefined) byObject.set(key, holder ?? request);
    if (named !== undefined) problems.push(namedTwice(request, named));
    else if ('problem' in parsed) problems.push({ ...parsed.problem, address, ...defined({ place }) });
    else if (holder !== undefined) problems.push(sameObject(request, holder, type));
    else sound.push(request);
  }
  return { sound, problems };
}

/** Problems of requests that a list names are shown where it does; where the catalogue has the resource comes second. */
function atTheirPlaces(found: readonly Diagnostic[], requests: readonly ImportRequest[]): readonly Diagnostic[] {
  const places = new Map(requests.map(({ address, place }) => [address, place]));
  return found.map((one) => {
    const place = one.address === undefined ? undefined : places.get(one.address);
    if (place === undefined) return one;
    const stands = one.place === undefined ? [] : [{ place: one.place, message: `${one.address ?? ''} stands here` }];
    const related = [...stands, ...(one.related ?? [])];
    return { ...one, place, ...(related.length === 0 ? {} : { related }) };
  });
}

function alreadyManaged(address: Address, record: RecordedResource | undefined): Diagnostic | undefined {
  if (record === undefined) return undefined;
  return {
    severity: 'error',
    code: 'already-managed',
    summary: `${address} is managed already: it is the object ${record.identity.id}.`,
    hint: `To take over another one, let go of this one first: sync state rm ${record.address}`,
    address,
  };
}

function notInCatalogue(address: Address): Diagnostic {
  return {
    severity: 'error',
    code: 'unknown-address',
    summary: `There is no resource ${address} in the catalogue, so there is nothing to import the object as.`,
    hint: 'Write the resource into a catalogue file first. Whether it is right: sync validate',
  };
}

function namedTwice({ address, id, place }: ImportRequest, first: ImportRequest): Diagnostic {
  return {
    severity: 'error',
    code: 'import-twice',
    summary: `${address} is to take over ${first.id === id ? `the object ${id} twice` : `two objects: ${first.id} and ${id}`}.`,
    hint: 'One resource is one object: leave one of the two out.',
    address,
    ...defined({ place }),
    ...relatedTo(first),
  };
}

function sameObject({ address, id, place }: ImportRequest, first: ImportRequest, { name }: ResourceType): Diagnostic {
  return {
    severity: 'error',
    code: 'import-twice',
    summary: `${first.address} and ${address} are both to take over the ${name} ${id}.`,
    hint: 'One object belongs to one resource: leave one of the two out.',
    address,
    ...defined({ place }),
    ...relatedTo(first),
  };
}

function relatedTo({ address, place }: ImportRequest): Pick<Diagnostic, 'related'> {
  return place === undefined ? {} : { related: [{ place, message: `${address} is first named here` }] };
}
