import type { Nesting } from '@platform-sync/core/model/resource-type';
import { keyAbove, keyOf, type FoundObject } from './found-object.js';

/** Where an object stands in the catalogue: at the top, or under another one. */
export interface Placement {
  readonly object: FoundObject;
  readonly parent: Placement | undefined;
  /** The rule it stands under its parent by. */
  readonly nesting: Nesting | undefined;
  /** In the order of the objects. */
  readonly children: Placement[];
  readonly depth: number;
}

/** Deeper trees are hard to read, and loaders refuse very deep ones: what is below stands beside, with a reference. */
const maxDepth = 20;

/** Nests each object under the nearest one it lives in that is exported, too. Objects in a ring have no place. */
export function placeObjects(objects: readonly FoundObject[]): readonly Placement[] {
  const order = new Map(objects.map((object, at) => [keyOf(object), at]));
  const places = new Map<string, Placement>();
  const byKey = new Map(objects.map((object) => [keyOf(object), object]));
  const waiting = new Map<string, FoundObject[]>();
  const roots: Placement[] = [];
  const open: Placement[] = [];
  const place = (object: FoundObject): void => {
    const under = homesOf(object, byKey).find(({ key }) => (places.get(key)?.depth ?? maxDepth) < maxDepth);
    const parent = under === undefined ? undefined : places.get(under.key);
    const placed = { object, parent, nesting: under?.nesting, children: [], depth: (parent?.depth ?? 0) + 1 };
    (parent?.children ?? roots).push(placed);
    places.set(keyOf(object), placed);
    open.push(placed);
  };
  for (const object of objects) {
    const nearest = homesOf(object, byKey)[0]?.key;
    if (nearest === undefined) place(object);
    else listAt(waiting, nearest).push(object);
  }
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const object of waiting.get(keyOf(next.object)) ?? []) place(object);
  const position = ({ object }: Placement): number => order.get(keyOf(object)) ?? 0;
  for (const siblings of [roots, ...[...places.values()].map(({ children }) => children)])
    siblings.sort((a, b) => position(a) - position(b));
  return roots;
}

/** The exported objects it may be written under, nearest first: the more a rule takes from above, the nearer it is. */
function homesOf(
  object: FoundObject,
  byKey: ReadonlyMap<string, FoundObject>,
): readonly { readonly key: string; readonly nesting: Nesting }[] {
  return [...object.type.nesting]
    .sort((a, b) => b.inherits.length - a.inherits.length)
    .flatMap((nesting) => {
      const key = keyAbove(object, nesting);
      return key !== undefined && byKey.has(key) ? [{ key, nesting }] : [];
    });
}

function listAt<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
