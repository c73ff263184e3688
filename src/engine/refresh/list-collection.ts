import { defined } from '../model/defined.js';
import { identityKey } from '../model/identity.js';
import { ProviderError } from '../model/provider.js';
import type { ProviderErrorKind, RemoteObject } from '../model/provider.js';
import type { Collection } from './collections.js';
import type { RefreshContext } from './context.js';

/** What a list call said about a collection. */
export interface ListedCollection {
  readonly collection: Collection;
  /** Members that were seen, by `identityKey`. */
  readonly objects: ReadonlyMap<string, RemoteObject>;
  /** The others that were seen. */
  readonly strangers: readonly RemoteObject[];
  /** Pages that were not read. */
  readonly morePages: number;
  /** True: it holds nothing else. */
  readonly isComplete: boolean;
  /** Objects that state knows nothing of. */
  readonly unmanaged: number;
  /** Why it could not be listed; nothing is known of it then. */
  readonly failure?: ProviderError;
}

/** Failures that every other call would meet, too: nothing can be planned. */
const fatal: ReadonlySet<ProviderErrorKind> = new Set(['unauthenticated', 'configuration']);

/** Errors that say something about one call only; others are thrown on. */
export function mustBePassing(error: unknown): ProviderError {
  if (!(error instanceof ProviderError) || fatal.has(error.kind)) throw error;
  return error;
}

/**
 * Lists a collection. The first page tells the size; the rest is read when that takes fewer calls than reading the
 * members it must hold one by one. Lists of one `together` may share answers.
 */
export async function listCollection(
  context: RefreshContext,
  collection: Collection,
  together?: object,
): Promise<ListedCollection> {
  const { type, members } = collection;
  const wanted = new Set(members.map(({ identity }) => identityKey(type.token, identity)));
  let morePages = 0;
  const isWanted = (object: RemoteObject): boolean => wanted.has(identityKey(type.token, object.identity));
  try {
    const provider = await context.providerOf(type);
    const listing = await provider.list(type, collection.scope, {
      ...defined({ signal: context.signal, together }),
      isEnough: ({ objects, morePages: more }) => {
        // Without a read of its own, only the whole list tells of an object.
        const mayBeEnough = type.absence !== 'two-lists' && context.whole?.has(type) !== true;
        const isEnough = mayBeEnough && wanted.size - objects.filter(isWanted).length < more;
        morePages = isEnough ? more : 0;
        return isEnough;
      },
    });
    const seen = listing.objects.filter(isWanted);
    return {
      collection,
      objects: new Map(seen.map((object) => [identityKey(type.token, object.identity), object])),
      strangers: listing.objects.filter((object) => !isWanted(object)),
      morePages,
      isComplete: listing.isComplete,
      unmanaged: Math.max(0, listing.total - (listing.isComplete ? seen.length : wanted.size)),
    };
  } catch (error) {
    const failure = mustBePassing(error);
    return { collection, objects: new Map(), strangers: [], morePages: 0, isComplete: false, unmanaged: 0, failure };
  }
}
