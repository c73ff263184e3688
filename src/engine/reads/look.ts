import { identityKey } from '../model/identity.js';
import type { ListOptions, Listing, ListingStart, Provider } from '../model/provider.js';
import type { Place } from './collection.js';
import { selecting } from './collection.js';

/** What must be known of a collection. */
export interface Need extends Place {
  /** Of it: everything, objects by their `identityKey`, or as many objects as this by keys, whichever they are. */
  readonly of: 'everything' | ReadonlySet<string> | number;
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
  provider: Provider,
  { type, scope, of }: Need,
  options: Omit<ListOptions, 'isEnough'> = {},
): Promise<Look> {
  let morePages = 0;
  const missing = ({ objects }: ListingStart): number => {
    if (of === 'everything') return Infinity;
    if (typeof of === 'number') return of;
    return of.size - objects.filter(({ identity }) => of.has(identityKey(type.token, identity))).length;
  };
  const listing = await provider.list(type, selecting(type, scope), {
    ...options,
    isEnough: (start) => {
      const isEnough = missing(start) < start.morePages;
      morePages = isEnough ? start.morePages : 0;
      return isEnough;
    },
  });
  return { ...listing, morePages };
}

/** A look, where it takes no more calls than asking for each; else undefined. `unread`: pages left from an earlier look. */
export async function lookIfCheaper(
  provider: Provider,
  need: Need & { readonly of: number | ReadonlySet<string> },
  unread?: number,
): Promise<Look | undefined> {
  const wanted = typeof need.of === 'number' ? need.of : need.of.size;
  // One object of a long collection is asked for at once; a collection without pages is one answer in any case.
  const isLong = unread === undefined ? need.type.collection.paged && wanted < 2 : unread >= wanted;
  return isLong ? undefined : look(provider, need);
}
