import { movesTo, removedBy } from '@platform-sync/core/model/desired';
import type { Address } from '@platform-sync/core/model/address';
import type { ActionReason } from '@platform-sync/core/model/plan';
import { staysInForce } from '@platform-sync/core/model/resource-type';
import type { Reading } from '@platform-sync/core/model/snapshot';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { isEnd } from './contents.js';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { Ownership } from './ownership.js';
import { resourceType, undecided, type Step, type ProposalInput } from './step.js';

/** A record whose block left the catalogue. */
export function proposeRemoval(input: ProposalInput, record: RecordedResource, ownership: Ownership): Step {
  const type = resourceType(input, record.type);
  const base = undecided({ address: record.address, type, recorded: record, declared: new Map() });
  const reading: Reading | undefined = input.snapshot.readings.get(record.address);
  const reasons: readonly ActionReason[] = [{ kind: input.mode === 'destroy' ? 'destroy' : 'not-in-catalogue' }];
  // It stays recorded here until the other stack has it.
  if (movesTo(input.desired, record.address) !== undefined) return { ...base, action: 'none' };
  // Adopting only takes in: what the catalogue lacks stays as it is.
  if (input.mode === 'adopt') return { ...base, action: 'none' };
  if (isNamedRemoved(input, record)) return letGo(base, reading);
  // Another address has the same object: only the record goes.
  if (ownership.ownedBefore(record.address) !== undefined) return { ...base, action: 'forget', reasons };
  if (reading === undefined || reading.kind === 'failed') return { ...base, reasons };
  if (reading.kind === 'gone') return { ...base, action: 'forget', reasons: [{ kind: 'gone' }, ...reasons] };
  const actual: RemoteObject = { identity: reading.identity, values: reading.values };
  return { ...base, actual, action: record.retainOnDelete ? 'forget' : 'delete', reasons };
}

/** The catalogue says `removed` of it, or of what it stands under. */
function isNamedRemoved({ desired }: ProposalInput, { address }: RecordedResource): boolean {
  return removedBy(desired, address) !== undefined;
}

/** Only the record goes, whatever became of the object: that it can't be read is no reason to keep it. */
function letGo(base: Step, reading: Reading | undefined): Step {
  const reasons: readonly ActionReason[] = [{ kind: 'removed' }];
  if (reading?.kind === 'gone') return { ...base, action: 'forget', reasons: [{ kind: 'gone' }, ...reasons] };
  if (reading?.kind !== 'found') return { ...base, action: 'forget', reasons };
  const actual: RemoteObject = { identity: reading.identity, values: reading.values };
  return { ...base, actual, action: 'forget', reasons };
}

/** Settings that no call takes back are forgotten, unless what they are of ends with them. */
export function withLastingSettings(steps: ReadonlyMap<Address, Step>): ReadonlyMap<Address, Step> {
  const ends = [...steps.values()].filter(isEnd);
  const lasting = ends.filter(
    ({ type, recorded, deposedOf }) => recorded && deposedOf === undefined && staysInForce(type, recorded.inputs),
  );
  if (lasting.length === 0) return steps;
  // What is the only one of its place has the id of its home.
  const homes = ends.filter(({ type }) => type.endless === undefined);
  const ended = new Set(homes.map(({ actual }) => actual?.identity.id));
  const result = new Map(steps);
  for (const step of lasting) {
    const { actual, reasons } = step;
    if (Object.values(actual?.identity.scope ?? {}).some((id) => ended.has(id))) continue;
    const action = step.action === 'delete' ? 'forget' : step.action;
    result.set(step.address, { ...step, action, reasons: [...reasons, { kind: 'stays-in-force' }] });
  }
  return result;
}

/** Old objects of create-first replacements whose delete did not succeed: still to be deleted. */
export function proposeDeposed(input: ProposalInput, record: RecordedResource): readonly Step[] {
  // With the record goes all that it knows of.
  if (isNamedRemoved(input, record) && input.mode !== 'adopt') return [];
  const type = resourceType(input, record.type);
  return record.deposed.map((old) => ({
    ...undecided({ address: `${record.address}~${old.identity.id}`, type, declared: new Map() }),
    actual: { identity: old.identity, values: old.outputs },
    action: 'delete',
    reasons: [{ kind: 'deposed' }],
    deposedOf: record.address,
  }));
}

/** It is forgotten because the catalogue says `removed`. */
export function isLetGo(step: Pick<Step, 'reasons'> | undefined): boolean {
  return step?.reasons.some(({ kind }) => kind === 'removed') === true;
}
