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

/** What is asked for the owners of objects that a create may have made. */
interface OwnersKnown {
  readonly store: Pick<StateStore, 'managedElsewhere' | 'runs'>;
  readonly targets: StackState['targets'];
  /** Lists may still show what this stack has ended since then; absent: they show nothing that is gone. ISO 8601 UTC. */
  readonly settledBefore?: string | undefined;
}

/** Objects that nobody had recorded when a create was sent: another stack has it, or this one had it until a moment ago. */
export async function withoutOthers(
  { store, targets, settledBefore }: OwnersKnown,
  type: string,
  objects: readonly RemoteObject[],
): Promise<readonly RemoteObject[]> {
  if (objects.length === 0) return objects;
  const past = settledBefore === undefined ? new Set<string>() : await recordedSince(store, settledBefore);
  const asked = objects.map(({ identity }) => ({ type, identity }));
  const owners = await ownersElsewhere(store, asked, targets);
  return objects.filter(({ identity }) => {
    const key = identityKey(type, identity);
    return owners.get(key) === 'nobody' && !past.has(key);
  });
}

/** What records named before they went or changed since then, by `identityKey`. */
async function recordedSince(store: Pick<StateStore, 'runs'>, since: string): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let before: { readonly before?: number } = {}; ;) {
    const rows = await store.runs({ kinds: ['record'], limit: 1000, ...before });
    const recent = rows.filter(({ at }) => at > since);
    for (const { content } of recent)
      if (content.kind === 'record' && content.before !== null)
        for (const { identity } of [content.before, ...content.before.deposed])
          known.add(identityKey(content.before.type, identity));
    const last = recent.at(-1);
    if (last === undefined || recent.length < 1000) return known;
    before = { before: last.number };
  }
}
