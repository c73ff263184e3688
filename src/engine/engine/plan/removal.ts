import { movesTo, removedBy } from '@platform-sync/core/model/desired';
import type { Address } from '@platform-sync/core/model/address';
import type { ActionReason } from '@platform-sync/core/model/plan';
import { type ResourceType, staysInForce } from '@platform-sync/core/model/resource-type';
import type { Reading, Snapshot } from '@platform-sync/core/model/snapshot';
import type { Identity, RecordedResource, StackState } from '@platform-sync/core/model/state';
import { isEnd, strangersIn, typeNow } from './contents.js';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import { defined } from '@platform-sync/core/model/value';
import type { Ownership } from './ownership.js';
import {
  type Operation,
  operationsOf,
  type ProposalInput,
  resourceType,
  type Step,
  undecided,
  withOperations,
} from './step.js';
import { groupBy, reversed, groupOf } from '@platform-sync/core/model/graph';
import { identityKey, parentIdentity } from '@platform-sync/core/model/identity';

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
  if (reading === undefined || reading.kind === 'failed')
    return { ...base, ...defined({ listed: reading?.listed }), reasons };
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
  if (isNamedRemoved(input, record)) return [];
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

interface CarryInput {
  readonly steps: ReadonlyMap<Address, Step>;
  readonly state: StackState;
  readonly snapshot: Snapshot;
  readonly typeOf: (token: string) => ResourceType;
}

/**
 * Leaves out the deletes that the platform carries out by itself: what it deletes together with an object is left to that
 * object's own delete. Only where everything in the object goes as the plan says, and it was seen to hold nothing else.
 */
export function carryDeletes(input: CarryInput): ReadonlyMap<Address, Step> {
  const { steps } = input;
  const operations = operationsOf(steps);
  const carrierOf = new Map<string, Operation>();
  for (const { carrier, deletes } of groupsOf(operations, input))
    for (const { id } of deletes) carrierOf.set(id, carrier);
  if (carrierOf.size === 0) return steps;
  const top = (operation: Operation): Operation => {
    const above = carrierOf.get(operation.id);
    return above === undefined ? operation : top(above);
  };
  const carriedBy = groupBy(
    operations.filter(({ id }) => carrierOf.has(id)),
    (operation) => top(operation).id,
  );
  const carrying = operations
    .filter(({ id }) => !carrierOf.has(id))
    .map((operation) => {
      const carries = carriedBy.get(operation.id);
      if (carries === undefined) return operation;
      const own = new Set(carries.map(({ id }) => id));
      const needed = new Set([...operation.dependsOn, ...carries.flatMap(({ dependsOn }) => dependsOn)]);
      return { ...operation, carries, dependsOn: [...needed].filter((id) => !own.has(id)).sort() };
    });
  return withOperations(steps, carrying);
}

/** Deletes of all objects of one type in one that is deleted, too. */
interface Group {
  readonly carrier: Operation;
  readonly type: ResourceType;
  readonly above: Identity;
  readonly deletes: Operation[];
}

function groupsOf(operations: readonly Operation[], input: CarryInput): readonly Group[] {
  const { steps, state, typeOf } = input;
  const carriers = new Map<string, Operation>();
  for (const operation of operations) {
    const step = steps.get(operation.address);
    if (operation.kind === 'delete' && step?.actual !== undefined)
      carriers.set(identityKey(typeNow(step), step.actual.identity), operation);
  }
  const groups = new Map<string, Group>();
  const groupKey = ({ token }: ResourceType, above: Identity): string => identityKey(token, above);
  for (const operation of operations) {
    const step = steps.get(operation.address);
    if (operation.kind !== 'delete' || step?.action !== 'delete' || step.actual === undefined) continue;
    const type = typeOf(typeNow(step));
    const above = parentIdentity(type, step.actual.identity);
    const carrier = above && type.parent ? carriers.get(identityKey(type.parent.type, above)) : undefined;
    if (above === undefined || carrier === undefined || !mayBeCarried(type, step, input)) continue;
    const key = groupKey(type, above);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { carrier, type, above, deletes: [operation] });
    else group.deletes.push(operation);
  }
  if (groups.size === 0) return [];
  // What state holds in it and no delete of the group stands for.
  for (const { type: token, identity, address, deposed } of state.resources.values()) {
    const type = typeOf(token);
    const above = parentIdentity(type, identity);
    const key = above === undefined ? '' : groupKey(type, above);
    const isLeft = groups.get(key)?.deletes.every((operation) => operation.address !== address);
    if (isLeft === true || deposed.length > 0) groups.delete(key);
  }
  const dependsOn = new Map(operations.map((each) => [each.id, each.dependsOn]));
  const waiting = reversed(dependsOn.keys(), (id) => groupOf(dependsOn, id));
  return [...groups.values()].filter((group) => holdsNothingElse(group, input) && isFree(group, waiting));
}

function mayBeCarried(type: ResourceType, { recorded, force, deposedOf }: Step, { typeOf }: CarryInput): boolean {
  const dies = type.parent !== undefined && typeOf(type.parent.type).cascades.includes(type.token);
  const isPlain = recorded !== undefined && deposedOf === undefined && force !== true;
  return dies && isPlain && type.guardedEnd === undefined && type.collection.listed !== false;
}

/** Its list was read to the end, and showed nothing that is not managed here. */
function holdsNothingElse({ type, above }: Group, { snapshot }: CarryInput): boolean {
  return strangersIn(snapshot, type, above)?.length === 0;
}

/** Nothing but the end of what they live in waits for these deletes. */
function isFree({ carrier, deletes }: Group, waiting: ReadonlyMap<string, readonly string[]>): boolean {
  const inside = new Set([carrier.id, ...deletes.map(({ id }) => id)]);
  return deletes.every(({ id }) => groupOf(waiting, id).every((later) => inside.has(later)));
}
