import { collectionKey } from '@platform-sync/core/model/identity';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';

/** Where objects of a type are: all that one list call can show together. */
export interface Place {
  readonly type: ResourceType;
  /** Ids of what it lies in. May hold more than selects it. */
  readonly scope: Identity['scope'];
}

/** A place, and what somebody wants of it. */
export interface Collection<T> extends Place {
  /** See `collectionKey`. */
  readonly key: string;
  readonly members: readonly T[];
}

/** Each collection once, with all that is wanted of it, in the order in which it was first asked for. */
export function byCollection<T>(items: Iterable<T>, placeOf: (item: T) => Place): readonly Collection<T>[] {
  const found = new Map<string, Collection<T> & { readonly members: T[] }>();
  for (const item of items) {
    const { type, scope } = placeOf(item);
    const key = collectionKey(type, scope);
    const known = found.get(key);
    if (known === undefined) found.set(key, { key, type, scope: selecting(type, scope), members: [item] });
    else known.members.push(item);
  }
  return [...found.values()];
}

/** The ids that select a collection, without those that only say more. */
export function selecting({ collection }: ResourceType, scope: Identity['scope']): Identity['scope'] {
  return Object.fromEntries(collection.scope.map((field) => [field, scope[field] ?? '']));
}

/** The place of objects of a type in one that they live in; undefined: its ids don't select any. */
export function placeIn(type: ResourceType, { id, scope }: Identity): Place | undefined {
  const inside = { ...scope, [type.parent?.field ?? '']: id };
  return type.collection.scope.every((field) => field in inside) ? { type, scope: selecting(type, inside) } : undefined;
}
