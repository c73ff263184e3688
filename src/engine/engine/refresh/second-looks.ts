import { identityKey } from '@platform-sync/core/model/identity';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import { isWholeInLists, type ResourceType } from '@platform-sync/core/model/resource-type';
import { byCollection } from '../reads/collection.js';
import type { Reads } from '../reads/reads.js';

/** An object that a list showed, and about which a second answer is wanted. */
interface Shown {
  readonly type: ResourceType;
  readonly listed: RemoteObject;
}

/** What the second answer says: the object, or that there is none. */
export type SecondLook = RemoteObject | 'missing';

/**
 * Second answers about objects that lists showed, by `identityKey`: one more list tells them all, where lists show the
 * whole object and that takes fewer calls. What has no second answer has to be read. Rejects with ProviderError.
 */
export async function secondLooks(reads: Reads, shown: readonly Shown[]): Promise<ReadonlyMap<string, SecondLook>> {
  const whole = shown.filter(({ type }) => type.collection.listed !== false && isWholeInLists(type));
  const groups = byCollection(whole, ({ type, listed }) => ({ type, scope: listed.identity.scope }));
  const looks = await Promise.all(
    groups.map(async ({ type, scope, members }): Promise<readonly (readonly [string, SecondLook])[]> => {
      const keyOf = ({ identity }: RemoteObject): string => identityKey(type.token, identity);
      const of = new Set(members.map(({ listed }) => keyOf(listed)));
      const again = of.size < 2 ? undefined : await reads.lookAgain({ type, scope, of });
      const objects = new Map(again?.objects.map((object) => [keyOf(object), object]));
      return [...of].flatMap((key) => {
        const object = objects.get(key) ?? (again?.morePages === 0 ? ('missing' as const) : undefined);
        return object === undefined ? [] : [[key, object] as const];
      });
    }),
  );
  return new Map(looks.flat());
}
