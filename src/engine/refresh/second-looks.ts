import { collectionKey, identityKey } from '../model/identity.js';
import type { Provider, RemoteObject } from '../model/provider.js';
import type { ResourceType } from '../model/resource-type.js';
import { listForKeys } from './key-holders.js';

/** An object that a list showed, and about which a second answer is wanted. */
export interface Shown {
  readonly type: ResourceType;
  readonly listed: RemoteObject;
}

/**
 * Second answers about objects that lists showed, by `identityKey`: one more list tells them all, where lists show the
 * whole object and that takes fewer calls. What is not in it has to be read. Rejects with ProviderError.
 */
export async function secondLooks(
  providerOf: (type: ResourceType) => Promise<Provider>,
  shown: readonly Shown[],
): Promise<ReadonlyMap<string, RemoteObject>> {
  const groups = new Map<string, Shown[]>();
  for (const each of shown.filter(({ type }) => isWholeInLists(type))) {
    const key = collectionKey(each.type, each.listed.identity.scope);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  const looks = await Promise.all(
    [...groups.values()].map(async (group): Promise<readonly (readonly [string, RemoteObject])[]> => {
      const [first] = group;
      if (first === undefined || group.length < 2) return [];
      const { type, listed } = first;
      const scope = Object.fromEntries(
        type.collection.scope.map((field) => [field, listed.identity.scope[field] ?? '']),
      );
      const again = await listForKeys(await providerOf(type), type, { scope }, group.length);
      return (again?.objects ?? []).map((object) => [identityKey(type.token, object.identity), object]);
    }),
  );
  return new Map(looks.flat());
}

function isWholeInLists({ fields, collection }: ResourceType): boolean {
  return collection.listed !== false && Object.values(fields).every((rule) => rule.inList || rule.writeOnly);
}
