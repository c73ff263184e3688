import type { Address } from '../model/address.js';
import type { DesiredState } from '../model/desired.js';
import type { ResourceType } from '../model/resource-type.js';
import type { RecordedResource } from '../model/state.js';

/** Objects that one list call can show together. */
export interface Collection {
  readonly type: ResourceType;
  readonly scope: Readonly<Record<string, string>>;
  /** Records whose objects are expected in it. */
  readonly members: readonly RecordedResource[];
  /** Address of the recorded resource it belongs to, when there is one. */
  readonly under?: Address;
}

/**
 * The collections to look at: one for each place where state knows an object, and the top-level ones of every
 * type the catalogue uses (so that the plan can say what else exists there).
 */
export function collectionsOf(
  recorded: ReadonlyMap<Address, RecordedResource>,
  desired: DesiredState['resources'],
  typeOf: (token: string) => ResourceType,
): readonly Collection[] {
  const byKey = new Map<string, { type: ResourceType; scope: Record<string, string>; members: RecordedResource[] }>();
  const ofScope = (type: ResourceType, scope: Readonly<Record<string, string>>): RecordedResource[] => {
    const selected = Object.fromEntries(type.collection.scope.map((field) => [field, scope[field] ?? '']));
    const key = `${type.token} ${JSON.stringify(selected)}`;
    const known = byKey.get(key) ?? { type, scope: selected, members: [] };
    byKey.set(key, known);
    return known.members;
  };
  const addressOfId = new Map<string, Address>();
  for (const record of recorded.values()) {
    addressOfId.set(record.identity.id, record.address);
    ofScope(typeOf(record.type), record.identity.scope).push(record);
  }
  for (const resource of desired.values()) {
    const type = typeOf(resource.type);
    if (type.collection.scope.length === 0) ofScope(type, {});
  }
  return [...byKey.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, collection]) => {
      const [owner] = Object.values(collection.scope);
      const under = owner === undefined ? undefined : addressOfId.get(owner);
      return under === undefined ? collection : { ...collection, under };
    });
}
