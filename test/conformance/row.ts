import type { Identity } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { ConformanceCase } from '@platform-sync/kit/index';

/**
 * How one resource type takes part in the conformance suite. A new type joins by adding its row to `rows.ts`; the
 * suite fails as long as a type has none, or a row leaves one of its type's inputs out. Its collection is the sandbox's name for
 * it, or its path: `/v3/portals/{portalId}/teams`.
 */
export interface ConformanceRow extends ConformanceCase {
  /** The sandbox's id of the object; left out: the object's own. */
  readonly storedId?: (id: string, scope: Identity['scope']) => string;
  /** The edit after which the object counts as gone, where that is not that the sandbox has none of it. */
  readonly gone?: JsonObject;
  /** Guards that stand in the way of what the suite does. */
  readonly guards?: readonly string[];
}

/** Where the sandbox keeps a row's object for control requests. */
export function sandboxPlace(
  { collection, storedId }: Pick<ConformanceRow, 'collection' | 'storedId'>,
  { id, scope }: Identity,
): string {
  const place = collection.replace(/\{(\w+)\}/g, (_, field: string) => scope[field] ?? '');
  return `/_sandbox/objects/${encodeURIComponent(place)}/${encodeURIComponent(storedId?.(id, scope) ?? id)}`;
}

/** Why no test deletes an object behind our back: to stand in that test's name. */
export function neverGone({ remains }: Pick<ConformanceRow, 'remains'>): string {
  return remains === undefined ? '' : ' (left out: nobody can delete settings that every place has)';
}
