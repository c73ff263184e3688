import type { JsonObject } from '../json.js';
import type { World } from '../store/world.js';
import { listAt } from './description.js';
import type { Place } from './families.js';
import { outputs, withDefaults } from './object.js';

/**
 * Names of a fixed set: nothing makes its items, PATCH changes one, DELETE puts it back. An item that answers with one of so
 * many names has one of them; undefined for the items of any other collection.
 */
export function fixedNames(item: Place | undefined, collection: Place | undefined): readonly string[] | undefined {
  if (item === undefined || collection === undefined || collection.calls.post.length > 0) return undefined;
  const { get, patch, put, post, delete: remove } = item.calls;
  const [read] = get;
  if (read === undefined || patch.length === 0 || remove.length === 0 || put.length + post.length > 0) return undefined;
  const { description } = item;
  const name = description.shapeOf(description.answerOf(read).schema).properties.get('name');
  const names = listAt(description.shapeOf(name).schema, 'enum').filter((each) => typeof each === 'string');
  return names.length === 0 ? undefined : names;
}

/** One of a fixed set that nobody has changed. */
export function untouchedItem({ description, calls }: Place, name: string, world: World): JsonObject {
  const [change, read] = [calls.patch[0] ?? {}, calls.get[0] ?? {}];
  const first = { ...withDefaults(description, description.bodyOf(change), {}), name };
  return outputs(description, description.answerOf(read).schema, first, { id: name, now: world.now() });
}
