import { identityKey } from '@platform-sync/core/model/identity';
import type { ForeignOwner } from '../plan/ownership.js';
import type { NeededOwner } from '../plan/step.js';
import { isAlwaysThere, packageNameOf, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { StackState } from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
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
  for (const record of await store.managedElsewhere(objects.map(({ identity }) => identity.id))) {
    const { project, stack, address, type, identity } = record;
    const key = identityKey(type, identity);
    const name = packageNameOf(type);
    if (owners.has(key) && ownMember(record.targets, name) === ownMember(targets, name))
      owners.set(key, { project, stack, address });
  }
  return owners;
}

interface Records {
  readonly store: Pick<StateStore, 'managedElsewhere' | 'runs'>;
  readonly targets: StackState['targets'];
}

/**
 * Objects that a create of that run may have made: of one that another stack has recorded nobody can say that it is ours, and what this
 * one had recorded by then was there before, though lists may still show what has ended.
 */
export async function withoutOthers(
  { store, targets }: Records,
  type: ResourceType,
  objects: readonly RemoteObject[],
  run: string,
): Promise<readonly RemoteObject[]> {
  if (objects.length === 0) return objects;
  const { token } = type;
  const asked = objects.map(({ identity }) => ({ type: token, identity }));
  const owners = await ownersElsewhere(store, asked, targets);
  const free = objects.filter(({ identity }) => owners.get(identityKey(token, identity)) === 'nobody');
  const known = await Promise.all(free.map((object) => wasRecorded(store, type, object, run)));
  return free.filter((_, at) => known[at] !== true);
}

/** Rows of the history that say one id are few. */
const mostRows = 100;

/** This stack had recorded it before that run had ended. */
async function wasRecorded(
  store: Pick<StateStore, 'runs'>,
  type: ResourceType,
  { identity, values }: RemoteObject,
  run: string,
): Promise<boolean> {
  // What is always there, and what somebody chose the id of, may come back under it.
  const isChosen = 'id' in type.fields || type.naturalKey.some((field) => values[field] === identity.id);
  if (isChosen || isAlwaysThere(type)) return false;
  const key = identityKey(type.token, identity);
  const rows = await store.runs({ kinds: ['record'], id: identity.id, after: 0, limit: mostRows });
  return rows.some(({ run: of, content }) => {
    const before = content.kind === 'record' ? content.before : null;
    // Of a run without a number nobody knows what came before it.
    if (before === null || !(of <= Number(run))) return false;
    return [before, ...before.deposed].some((one) => identityKey(before.type, one.identity) === key);
  });
}
