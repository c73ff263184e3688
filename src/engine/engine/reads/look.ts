import { defined } from '@platform-sync/core/model/value';
import { identityKey } from '@platform-sync/core/model/identity';
import type { ListOptions, Listing, ListingStart, Provider } from '@platform-sync/core/model/provider';
import { type Place, selecting } from './collection.js';

/** What must be known of a collection. */
export interface Need extends Place {
  /** Of it: everything, objects by their `identityKey`, or as many objects as this by keys, whichever they are. */
  readonly of: 'everything' | ReadonlySet<string> | number;
  /** Calls for other needs that the whole list would spare. Default 0. */
  readonly besides?: number;
  /** Left out: one object that can't be read makes the list an error. */
  readonly onUnread?: ListOptions['onUnread'] | undefined;
}

/** What a list told. */
export interface Look extends Listing {
  /** Pages that were not read. */
  readonly morePages: number;
}

/**
 * Reads a list for a need. The first page tells the size; the rest is read unless asking for each object that it lacks takes
 * fewer calls. Rejects with ProviderError.
 */
export async function look(
  provider: Provider | Promise<Provider>,
  need: Need,
  options: Omit<ListOptions, 'isEnough'> = {},
): Promise<Look> {
  let morePages = 0;
  const asked = await provider;
  const listing = await asked.list(need.type, selecting(need.type, need.scope), {
    ...options,
    ...defined({ onUnread: need.onUnread }),
    isEnough: (start) => {
      morePages = isEnough(need, start) ? start.morePages : 0;
      return morePages > 0;
    },
  });
  return { ...listing, morePages };
}

/** True when asking for each object that the pages so far lack takes fewer calls than the other pages. */
export function isEnough({ type, of, besides = 0 }: Need, { objects, morePages }: ListingStart): boolean {
  const shown = (wanted: ReadonlySet<string>): number =>
    objects.filter(({ identity }) => wanted.has(identityKey(type.token, identity))).length;
  if (of === 'everything') return morePages === 0;
  return (typeof of === 'number' ? of : of.size - shown(of)) + besides < morePages;
}

/** True for keys that are better asked for one by one. `unread`: pages left from an earlier look. */
export function isLongFor({ type, of }: Need & { readonly of: number }, unread?: number): boolean {
  // One object of a long collection is asked for at once; a collection without pages is one answer in any case.
  return unread === undefined ? type.collection.paged && of < 2 : unread >= of;
}
