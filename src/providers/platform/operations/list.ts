import type { ListOptions, Listing, RemoteObject } from '../../../engine/model/provider.js';
import { identityKey } from '../../../engine/model/identity.js';
import type { ResourceType } from '../../../engine/model/resource-type.js';
import type { Json, JsonObject } from '../../../engine/model/value.js';
import type { ListPage } from '../../http/list-reader.js';
import { idOf, pageSize, readItems, readPage } from '../../http/paging.js';
import type { Query } from '../../http/path.js';
import { Wrong } from '../../http/wrong.js';
import { pageShape } from '../wire.js';
import { pathOf } from './addressing.js';
import { checkedObject } from './checked-object.js';
import type { Session } from './session.js';
import type { WireType } from './wire-type.js';

/** A collection; a tree comes as one page. `filters` narrow it. */
export async function listObjects(
  session: Session,
  type: ResourceType,
  wire: WireType,
  scope: Readonly<Record<string, string>>,
  { isEnough, ...options }: ListOptions,
  filters: Query = [],
): Promise<Listing> {
  // What stands in the path holds for every item; items of a list over all places name theirs.
  const place = Object.fromEntries(type.collection.scope.map((field) => [field, scope[field] ?? '']));
  const call = { path: pathOf(wire.list.path ?? wire.collection, scope), ...options };
  const decoded = (items: readonly JsonObject[] | Wrong): readonly RemoteObject[] | Wrong =>
    items instanceof Wrong
      ? items
      : allOrWrong(items.map((item) => checkedObject(type, wire, item, { scope: place, listed: true })));
  const fetchTree = (): Promise<ListPage<RemoteObject>> =>
    session.get(call, (body) => {
      const items = decoded(flattened(readItems(body, pageShape)));
      return items instanceof Wrong ? items : { items, total: items.length };
    });
  const fetchPage = (number: number): Promise<ListPage<RemoteObject>> =>
    session.get({ ...call, query: [...filters, ...pageQuery(number)] }, (body) => {
      const page = readPage(body, pageShape);
      const items = page instanceof Wrong ? page : decoded(page.items);
      if (page instanceof Wrong) return page;
      return items instanceof Wrong ? items : { ...page, items };
    });
  const { items, ...rest } = await session.list<RemoteObject>(call, {
    fetchPage: wire.list.shape === 'tree' ? fetchTree : fetchPage,
    keyOf: ({ identity }) => identityKey(type.token, identity),
    ...(isEnough === undefined
      ? {}
      : { isEnough: (start) => isEnough({ objects: start.items, morePages: start.morePages }) }),
  });
  return { objects: items, ...rest };
}

export function pageQuery(number: number): Query {
  return [
    ['page[size]', String(pageSize)],
    ['page[number]', String(number)],
  ];
}

function allOrWrong<T>(items: readonly (T | Wrong)[]): readonly T[] | Wrong {
  return items.find((item) => item instanceof Wrong) ?? (items as readonly T[]);
}

/** Parents before children; a child that does not name its parent gets it from where it stands. */
function flattened(roots: readonly JsonObject[] | Wrong): readonly JsonObject[] | Wrong {
  if (roots instanceof Wrong) return roots;
  const items: JsonObject[] = [];
  const open = roots.map((node) => ({ node, parent: null as Json })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parent } = next;
    items.push('parent_document_id' in node ? node : { ...node, parent_document_id: parent });
    const children = childrenOf(node);
    if (children instanceof Wrong) return children;
    for (const child of [...children].reverse()) open.push({ node: child, parent: idOf(node) ?? null });
  }
  return items;
}

function childrenOf(node: JsonObject): readonly JsonObject[] | Wrong {
  const given = Object.hasOwn(node, 'children') ? node.children : null;
  return given === null ? [] : readItems(node, { items: 'children' });
}
