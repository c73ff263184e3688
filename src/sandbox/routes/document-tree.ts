import { invalid, missingReference } from '../problem.js';
import { ok, type Answer } from '../route.js';
import type { Collection, Row } from '../store/collection.js';
import { siblingsKey, type World } from '../store/world.js';

/** A document among its siblings, below an API or a product. */
interface TreeRow extends Row {
  readonly parent_document_id: string | null;
  readonly position: number;
}

interface Node {
  readonly id: string;
  readonly children: Node[];
  readonly [field: string]: unknown;
}

/**
 * The documents as a tree, siblings in their order. Nested without recursion: a chain may be as long as there are
 * documents. A document whose parent is not among the rows (filtered out) stands at the top.
 */
function tree<T extends TreeRow>(rows: readonly T[], show: (row: T) => Record<string, unknown>): Node[] {
  const nodes = new Map<string, Node>();
  for (const row of rows) nodes.set(row.id, { ...show(row), id: row.id, children: [] });
  const top: Node[] = [];
  for (const row of rows) {
    const node = nodes.get(row.id);
    const parent = row.parent_document_id === null ? undefined : nodes.get(row.parent_document_id);
    if (node !== undefined) (parent?.children ?? top).push(node);
  }
  return top;
}

export function byPosition(a: TreeRow, b: TreeRow): number {
  return a.position - b.position;
}

/**
 * Checks a parent that a request names: it exists, belongs to the same owner, and is not below the document itself.
 * `find` answers only documents of the owner.
 */
export function checkParent(
  parent: string | null,
  moved: string | undefined,
  find: (id: string) => TreeRow | undefined,
): void {
  if (parent === null) return;
  const found = find(parent);
  if (found === undefined) throw missingReference('parent_document_id');
  for (let above: TreeRow | undefined = found; above !== undefined; above = parentOf(above, find)) {
    if (above.id !== moved) continue;
    const reason = 'a document cannot be placed below itself';
    throw invalid({ field: 'parent_document_id', rule: 'invalid', reason, source: 'body' });
  }
}

function parentOf(row: TreeRow, find: (id: string) => TreeRow | undefined): TreeRow | undefined {
  return row.parent_document_id === null ? undefined : find(row.parent_document_id);
}

/** All documents of an owner as one tree: in their order, or in any where the sandbox shuffles. */
export function answerTree<T extends TreeRow>(
  world: World,
  rows: readonly T[],
  show: (row: T) => Record<string, unknown>,
): Answer {
  const ordered = world.shuffle === undefined ? [...rows].sort(byPosition) : world.anyOrder(rows);
  return ok({ data: tree(ordered, show) });
}

/** What happens to children is unpublished; here they go with their parent, so that none is left without a place. */
export function deleteTree<T extends TreeRow>(
  world: World,
  rows: Pick<Collection<T, 'siblings'>, 'find' | 'delete'>,
  owner: string,
  row: T,
): void {
  const found: T[] = [row];
  for (let at = 0; at < found.length; at += 1) {
    const next = found[at];
    if (next !== undefined) found.push(...rows.find('siblings', siblingsKey(owner, next.id)));
  }
  world.together(() => {
    for (const { id } of found.reverse()) rows.delete(id);
  });
}
