import { identityKey, parentIdentity } from '@platform-sync/core/model/identity';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { RefreshContext } from './context.js';
import type { ListedCollection } from './list-collection.js';
import { type RecordedCollection, parentKey } from './collections.js';

/**
 * A collection of which one object is recorded, and which need not be listed: what that object lives in shows it, and it
 * has not moved since it was recorded. Undefined: it must be listed. `above`: the objects that lists showed, by `identityKey`.
 */
export function shownAbove(
  context: RefreshContext,
  collection: RecordedCollection,
  above: ReadonlyMap<string, RemoteObject>,
): ListedCollection | undefined {
  const { type, members } = collection;
  const [only, second] = members;
  if (context.mode === 'full' || only === undefined || second !== undefined) return undefined;
  const shown = summaryOf(type, only, above);
  if (shown === undefined || !isUnmoved(context, type, only, shown)) return undefined;
  const { identity, outputs } = only;
  const values = Object.fromEntries(Object.entries(outputs).filter(([name]) => type.fields[name]?.inList === true));
  const objects = new Map([[identityKey(type.token, identity), { identity, values }]]);
  // Of what else the collection holds, nothing is known.
  return { collection, objects, strangers: [], morePages: 1, isComplete: false, unmanaged: 0 };
}

function summaryOf(
  type: ResourceType,
  record: RecordedResource,
  above: ReadonlyMap<string, RemoteObject>,
): JsonObject | undefined {
  const parent = parentIdentity(type, record.identity);
  if (parent === undefined) return undefined;
  const shown = above.get(parentKey(type, parent))?.values[type.collection.shownIn ?? ''];
  return isObject(shown) ? shown : undefined;
}

/** It is the recorded object, of the recorded revision, and says nothing else. */
function isUnmoved(
  { same }: RefreshContext,
  type: ResourceType,
  { identity, outputs }: RecordedResource,
  shown: JsonObject,
): boolean {
  const { revision = '' } = type;
  const isSame = (name: string, value: Json): boolean => {
    const rule = type.fields[name];
    return rule?.inList !== true || same(rule, value, outputs[name]);
  };
  const hasRevision = typeof shown[revision] === 'string' && shown[revision] === outputs[revision];
  return (
    shown['id'] === identity.id && hasRevision && Object.entries(shown).every(([name, value]) => isSame(name, value))
  );
}
