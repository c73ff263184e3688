import type { Address } from '@platform-sync/core/model/address';
import { groupBy, reversed } from '@platform-sync/core/model/graph';
import { identityKey, parentIdentity } from '@platform-sync/core/model/identity';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Snapshot } from '@platform-sync/core/model/snapshot';
import type { Identity, StackState } from '@platform-sync/core/model/state';
import { strangersIn, typeNow } from './contents.js';
import { operationsOf, withOperations, type Operation, type Step } from './step.js';

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
  const waiting = reversed(dependsOn.keys(), (id) => dependsOn.get(id) ?? []);
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
  return deletes.every(({ id }) => (waiting.get(id) ?? []).every((later) => inside.has(later)));
}
