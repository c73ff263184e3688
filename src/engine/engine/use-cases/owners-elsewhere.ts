import { identityKey } from '@platform-sync/core/model/identity';
import type { ForeignOwner } from '../plan/ownership.js';
import type { NeededOwner } from '../plan/step.js';
import { packageNameOf } from '../loaded-packages.js';
import type { Workspace } from '../workspace.js';
import { ownMember } from '@platform-sync/core/model/value';

/** Which other stack of the same store manages each of these objects at the same target, by `identityKey`. */
export async function ownersElsewhere(
  workspace: Workspace,
  objects: readonly NeededOwner[],
  targets: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, ForeignOwner | 'nobody'>> {
  const store = await workspace.state();
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
