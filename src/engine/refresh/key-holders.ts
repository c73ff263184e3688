import { defined } from '../model/defined.js';
import type { Provider } from '../model/provider.js';
import type { ResourceType } from '../model/resource-type.js';
import type { ListedStrangers } from '../model/snapshot.js';

/** What is known of a collection before its keys are looked for. */
export type PartlyListed = Omit<ListedStrangers, 'type' | 'objects' | 'morePages'> &
  Partial<Pick<ListedStrangers, 'morePages'>>;

/**
 * Lists a collection when that costs no more calls than asking for each of some keys would; undefined when asking is
 * cheaper. Rejects with ProviderError.
 */
export async function listForKeys(
  provider: Provider,
  type: ResourceType,
  known: PartlyListed,
  keys: number,
): Promise<ListedStrangers | undefined> {
  // One key of a long collection is asked for at once; a collection without pages is one answer in any case.
  const isLong = known.morePages === undefined ? type.collection.paged && keys < 2 : known.morePages >= keys;
  if (isLong) return undefined;
  const { scope, under } = known;
  let left = 0;
  const { objects } = await provider.list(type, scope, {
    isEnough: ({ morePages }) => {
      left = morePages > keys ? morePages : 0;
      return left > 0;
    },
  });
  return { type: type.token, scope, ...defined({ under }), morePages: left, objects };
}
