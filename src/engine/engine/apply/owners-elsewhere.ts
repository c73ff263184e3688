import { identityKey } from '@platform-sync/core/model/identity';
import type { ForeignOwner } from '../plan/ownership.js';
import type { NeededOwner } from '../plan/step.js';
import { isAlwaysThere, packageNameOf, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { StackState } from '@platform-sync/core/model/state';
import type { ManagedElsewhere, StateStore } from '@platform-sync/core/model/state-store';
import { ownMember } from '@platform-sync/core/model/value';

/** Which other stack of the same store manages each of these objects at the same target, by `identityKey`. */
export async function ownersElsewhere(
  store: Pick<StateStore, 'managedElsewhere'>,
  objects: readonly NeededOwner[],
  targets: StackState['targets'],
): Promise<ReadonlyMap<string, ForeignOwner | 'nobody'>> {
  const owners = new Map<string, ForeignOwner | 'nobody'>(
    objects.map(({ type, identity }) => [identityKey(type, identity), 'nobody']),
  );
  const ids = objects.map(({ identity }) => identity.id);
  for (const { project, stack, address, type, identity, isReplaced } of atTarget(
    await store.managedElsewhere(ids),
    targets,
  )) {
    const key = identityKey(type, identity);
    if (owners.has(key) && isReplaced !== true) owners.set(key, { project, stack, address });
  }
  return owners;
}

/** What other stacks of the same store have recorded at the same target, or are still to delete, by `identityKey`. */
export async function recordedElsewhere(
  store: Pick<StateStore, 'managedElsewhere'>,
  ids: readonly string[],
  targets: StackState['targets'],
): Promise<ReadonlySet<string>> {
  return keysOf(atTarget(await store.managedElsewhere(ids), targets));
}

function keysOf(records: readonly ManagedElsewhere[]): ReadonlySet<string> {
  return new Set(records.map(({ type, identity }) => identityKey(type, identity)));
}

function atTarget(records: readonly ManagedElsewhere[], targets: StackState['targets']): readonly ManagedElsewhere[] {
  return records.filter((record) => {
    const name = packageNameOf(record.type);
    return ownMember(record.targets, name) === ownMember(targets, name);
  });
}

interface Records {
  readonly store: Pick<StateStore, 'managedElsewhere' | 'runs'>;
  readonly targets: StackState['targets'];
  /** What ended before shows in no list any more; absent: nothing that has ended does. ISO 8601 UTC. */
  readonly settledBefore?: string | undefined;
}

/** Objects that a create may have made, and those with its key that another stack has recorded, or had a moment ago. */
interface ByOwner {
  readonly free: readonly RemoteObject[];
  readonly theirs: readonly RemoteObject[];
}

/**
 * Of what another stack has recorded nobody can say that a create of that run made it; what this one had recorded by then, or another
 * one a moment ago, was there before, though lists may still show what has ended.
 */
export async function byOwner(
  { store, targets, settledBefore }: Records,
  type: ResourceType,
  objects: readonly RemoteObject[],
  run: string,
): Promise<ByOwner> {
  if (objects.length === 0) return { free: [], theirs: [] };
  const ids = objects.map(({ identity }) => identity.id);
  const records = atTarget(await store.managedElsewhere(ids, settledBefore), targets);
  const [had, has] = [keysOf(records.filter(isPast)), keysOf(records.filter((record) => !isPast(record)))];
  const keyOf = ({ identity }: RemoteObject): string => identityKey(type.token, identity);
  const isTheirs = (object: RemoteObject): boolean =>
    has.has(keyOf(object)) || (had.has(keyOf(object)) && !mayComeBack(type, object));
  const others = objects.filter((object) => !isTheirs(object));
  const known = await Promise.all(
    others.map(async (object) => !mayComeBack(type, object) && (await wasRecorded(store, type, object, run))),
  );
  return { free: others.filter((_, at) => known[at] !== true), theirs: objects.filter(isTheirs) };
}

function isPast({ had }: ManagedElsewhere): boolean {
  return had === true;
}

/** What is always there, and what somebody chose the id of, may come back under it. */
function mayComeBack(type: ResourceType, { identity, values }: RemoteObject): boolean {
  return isAlwaysThere(type) || 'id' in type.fields || type.naturalKey.some((field) => values[field] === identity.id);
}

/** Rows of the history that say one id are few. */
const mostRows = 100;

/** This stack had recorded it before that run had ended. */
async function wasRecorded(
  store: Pick<StateStore, 'runs'>,
  type: ResourceType,
  { identity }: RemoteObject,
  run: string,
): Promise<boolean> {
  const key = identityKey(type.token, identity);
  const rows = await store.runs({ kinds: ['record'], id: identity.id, after: 0, limit: mostRows });
  return rows.some(({ run: of, content }) => {
    const before = content.kind === 'record' ? content.before : null;
    // Of a run without a number nobody knows what came before it.
    if (before === null || !(of <= Number(run))) return false;
    return [before, ...before.deposed].some((one) => identityKey(before.type, one.identity) === key);
  });
}
