import type { CallOptions, CollectionPage, RemoteObject } from '../../../engine/model/provider.js';
import type { ResourceType } from '../../../engine/model/resource-type.js';
import type { Json, JsonObject } from '../../../engine/model/value.js';
import { asList, asObject } from '../../http/json.js';
import { pageSize, readPage, type Page } from '../../http/paging.js';
import type { Query } from '../../http/path.js';
import { pathOf } from './addressing.js';
import { decodeObject } from './decode.js';
import type { Session } from './session.js';
import type { WireType } from './wire-type.js';

/** One page of a collection; a tree comes as one page. `filters` narrow it. */
export async function listPage(
  session: Session,
  type: ResourceType,
  wire: WireType,
  scope: Readonly<Record<string, string>>,
  number: number,
  options: CallOptions,
  filters: Query = [],
): Promise<CollectionPage> {
  const { items, ...page } = await readItems(session, wire, scope, number, options, filters);
  const objects = items.map((item) => decodeObject(type, wire, item, { scope, listed: true }));
  return { ...page, objects: objects.filter((object): object is RemoteObject => object !== undefined) };
}

async function readItems(
  session: Session,
  wire: WireType,
  scope: Readonly<Record<string, string>>,
  number: number,
  options: CallOptions,
  filters: Query,
): Promise<Page> {
  const path = pathOf(wire.list.path ?? wire.collection, scope);
  if (wire.list.shape === 'tree') {
    const items = flattened(asList(asObject(await session.call({ method: 'GET', path, ...options }))?.data) ?? []);
    return { items, total: items.length };
  }
  const paging: Query = [
    ['page[size]', String(pageSize)],
    ['page[number]', String(number)],
  ];
  return readPage(await session.call({ method: 'GET', path, query: [...filters, ...paging], ...options }), number);
}

/** Parents before children; a child that does not name its parent gets it from where it stands. */
function flattened(roots: readonly Json[]): readonly JsonObject[] {
  const items: JsonObject[] = [];
  const open = roots.map((node) => ({ node: asObject(node), parent: null as Json })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parent } = next;
    if (node === undefined) continue;
    items.push('parent_document_id' in node ? node : { ...node, parent_document_id: parent });
    const children = asList(node.children) ?? [];
    for (let at = children.length - 1; at >= 0; at -= 1)
      open.push({ node: asObject(children[at]), parent: node.id ?? null });
  }
  return items;
}
