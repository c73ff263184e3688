import { identityKey } from '@platform-sync/core/model/identity';
import type { ForeignOwner } from '../plan/ownership.js';
import type { NeededOwner } from '../plan/step.js';
import { packageNameOf } from '@platform-sync/core/model/resource-type';
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

/** Objects that no other stack has recorded: of one that it made nobody can say that it is ours. */
export async function withoutOthers(
  { store, targets }: { readonly store: Pick<StateStore, 'managedElsewhere'>; readonly targets: StackState['targets'] },
  type: string,
  objects: readonly RemoteObject[],
): Promise<readonly RemoteObject[]> {
  if (objects.length === 0) return objects;
  const asked = objects.map(({ identity }) => ({ type, identity }));
  const owners = await ownersElsewhere(store, asked, targets);
  return objects.filter(({ identity }) => owners.get(identityKey(type, identity)) === 'nobody');
}
