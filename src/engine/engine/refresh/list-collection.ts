import { listsThatMustLack } from '@platform-sync/core/model/resource-type';
import { identityKey } from '@platform-sync/core/model/identity';
import { ProviderError, type ProviderErrorKind, type RemoteObject } from '@platform-sync/core/model/provider';
import type { Look, Need } from '../reads/look.js';
import type { RecordedCollection } from './collections.js';
import type { RefreshContext } from './context.js';

/** What a list call said about a collection. */
export interface ListedCollection {
  readonly collection: RecordedCollection;
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

/** Lists a collection, as far as its members need it; `again`: by another list, for a second answer. */
export async function listCollection(
  context: RefreshContext,
  collection: RecordedCollection,
  again = false,
): Promise<ListedCollection> {
  const { type, members } = collection;
  const wanted = new Set(members.map(({ identity }) => identityKey(type.token, identity)));
  // Without a read of its own, only the whole list tells of an object.
  const isWhole = listsThatMustLack(type.absence) === 2 || context.whole?.has(type) === true;
  try {
    const need: Need = { ...collection, of: isWhole ? 'everything' : wanted };
    const told: Look = await (again ? context.reads.lookAgain(need) : context.reads.look(need));
    const objects = new Map<string, RemoteObject>();
    const strangers: RemoteObject[] = [];
    for (const object of told.objects) {
      const key = identityKey(type.token, object.identity);
      if (wanted.has(key)) objects.set(key, object);
      else strangers.push(object);
    }
    return {
      collection,
      objects,
      strangers,
      morePages: told.morePages,
      isComplete: told.isComplete,
      unmanaged: Math.max(0, told.total - (told.isComplete ? objects.size : wanted.size)),
    };
  } catch (error) {
    const failure = mustBePassing(error);
    return { collection, objects: new Map(), strangers: [], morePages: 0, isComplete: false, unmanaged: 0, failure };
  }
}
