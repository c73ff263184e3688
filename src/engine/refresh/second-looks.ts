import { collectionKey, identityKey } from '../model/identity.js';
import type { Provider, RemoteObject } from '../model/provider.js';
import type { ResourceType } from '../model/resource-type.js';
import { listForKeys } from './key-holders.js';

/** An object that a list showed, and about which a second answer is wanted. */
export interface Shown {
  readonly type: ResourceType;
  readonly listed: RemoteObject;
}

/** What the second answer says: the object, or that there is none. */
export type SecondLook = RemoteObject | 'missing';

/**
 * Second answers about objects that lists showed, by `identityKey`: one more list tells them all, where lists show the
 * whole object and that takes fewer calls. What has no second answer has to be read. Rejects with ProviderError.
 */
export async function secondLooks(
  providerOf: (type: ResourceType) => Promise<Provider>,
  shown: readonly Shown[],
): Promise<ReadonlyMap<string, SecondLook>> {
  const groups = new Map<string, Shown[]>();
  for (const each of shown.filter(({ type }) => isWholeInLists(type))) {
    const key = collectionKey(each.type, each.listed.identity.scope);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  const looks = await Promise.all(
    [...groups.values()].map(async (group): Promise<readonly (readonly [string, SecondLook])[]> => {
      const [first] = group;
      if (first === undefined || group.length < 2) return [];
      const { type, listed } = first;
      const scope = Object.fromEntries(
        type.collection.scope.map((field) => [field, listed.identity.scope[field] ?? '']),
      );
      const again = await listForKeys(await providerOf(type), type, { scope }, group.length);
      if (again === undefined) return [];
      const objects = new Map(again.objects.map((object) => [identityKey(type.token, object.identity), object]));
      return group.flatMap(({ listed: { identity } }) => {
        const key = identityKey(type.token, identity);
        const object = objects.get(key) ?? (again.morePages === 0 ? ('missing' as const) : undefined);
        return object === undefined ? [] : [[key, object] as const];
      });
    }),
  );
  return new Map(looks.flat());
}

function isWholeInLists({ fields, collection }: ResourceType): boolean {
  return collection.listed !== false && Object.values(fields).every((rule) => rule.inList || rule.writeOnly);
}
