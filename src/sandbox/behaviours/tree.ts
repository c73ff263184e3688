import type { JsonObject } from '../json.js';
import { conflict, invalid, missingReference, notFound, slugConflict } from '../problem.js';
import type { Behaviour, Show, Step } from './behaviour.js';

interface TreeRules {
  /** Member that names the parent. */
  readonly parent: string;
  /** Slugs are unique among siblings, or among all of the owner. */
  readonly slugs: 'siblings' | 'all';
}

/** Objects of one owner that lie below each other, in an order of their own. */
export function tree(rules: TreeRules): Behaviour {
  const { parent } = rules;
  return {
    settle: (object, step) => {
      const { before, world } = step;
      mustHaveParent(object, step, parent);
      if (isSlugTaken(object, step, rules)) throw slugConflict();
      // What changes its parent goes to the end there.
      const stays = before !== undefined && (before[parent] ?? null) === (object[parent] ?? null);
      return { ...object, position: stays ? (before['position'] ?? 0) : world.nextPosition() };
    },
    // What happens to children is unpublished; here they go with their parent, so that none is left without a place.
    end: ({ id }, { siblings, place }) => {
      const below = childrenOf(siblings.all(place), parent);
      const found = [...(below.get(id) ?? [])];
      for (let at = 0; at < found.length; at += 1) found.push(...(below.get(found[at]?.['id']) ?? []));
      for (const each of found.reverse()) siblings.delete(place, String(each['id']));
    },
  };
}

/** A tree that is answered as one: siblings in their order, or in any where the sandbox shuffles. */
export function nested(parent: string): Behaviour {
  return {
    arrange: (objects, show, world) =>
      asTree(world.shuffle === undefined ? inOrder(objects) : world.anyOrder(objects), parent, show),
  };
}

export const byPosition: Behaviour = { arrange: (objects, show) => inOrder(objects).map(show) };

function inOrder(objects: readonly JsonObject[]): readonly JsonObject[] {
  return [...objects].sort((a, b) => Number(a['position']) - Number(b['position']));
}

/**
 * Nested without recursion: a chain may be as long as there are objects. One whose parent is not among them (filtered out)
 * stands at the top.
 */
function asTree(objects: readonly JsonObject[], parent: string, show: Show): readonly JsonObject[] {
  const nodes = new Map<unknown, JsonObject & { readonly children: JsonObject[] }>();
  for (const object of objects) nodes.set(object['id'], { ...show(object), children: [] });
  const top: JsonObject[] = [];
  for (const object of objects) {
    const node = nodes.get(object['id']);
    if (node !== undefined) (nodes.get(object[parent])?.children ?? top).push(node);
  }
  return top;
}

function childrenOf(objects: readonly JsonObject[], parent: string): ReadonlyMap<unknown, readonly JsonObject[]> {
  const found = new Map<unknown, JsonObject[]>();
  for (const object of objects) {
    const known = found.get(object[parent]);
    if (known === undefined) found.set(object[parent], [object]);
    else known.push(object);
  }
  return found;
}

/** The parent exists, belongs to the same owner, and is not below the object itself. */
function mustHaveParent(object: JsonObject, { siblings, place, own }: Step, parent: string): void {
  const above = (row: JsonObject): JsonObject | undefined =>
    typeof row[parent] === 'string' ? siblings.get(place, row[parent]) : undefined;
  if (typeof object[parent] === 'string' && above(object) === undefined) throw missingReference(parent);
  for (let found = above(object); found !== undefined; found = above(found))
    if (found['id'] === own)
      throw invalid({ field: parent, rule: 'invalid', reason: 'it cannot be placed below itself', source: 'body' });
}

function isSlugTaken(object: JsonObject, { siblings, place, own }: Step, { parent, slugs }: TreeRules): boolean {
  return siblings
    .all(place)
    .some(
      (other) =>
        other['slug'] === object['slug'] &&
        other['id'] !== own &&
        (slugs === 'all' || (other[parent] ?? null) === (object[parent] ?? null)),
    );
}

/** Puts one among the children of another, or of the top, at a place from the start or, below zero, from the end. */
export function moveTo(step: Step, parent: string, at: number): void {
  const { siblings, world, place, own, before } = step;
  if (before === undefined) throw notFound();
  const wanted = step.given[parent] ?? null;
  if (typeof wanted === 'string' && siblings.get(place, wanted) === undefined) throw notFound();
  const moved: JsonObject = { ...before, [parent]: wanted, updated_at: world.now() };
  mustHaveParent(moved, step, parent);
  if (isSlugTaken(moved, step, { parent, slugs: 'siblings' }))
    throw conflict('A document with this slug exists at the new place');
  const others = siblings.all(place).filter((row) => (row[parent] ?? null) === wanted && row['id'] !== own);
  const order = [...inOrder(others)];
  order.splice(at < 0 ? Math.max(0, order.length + 1 + at) : Math.min(at, order.length), 0, moved);
  world.together(() => {
    order.forEach((row, position) => {
      if (row['position'] !== position || row === moved) siblings.put(place, String(row['id']), { ...row, position });
    });
  });
}
