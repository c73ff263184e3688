import { endInside } from '../described/store.js';
import { type Answer, type Call, type Route, created, noContent, ok } from '../route.js';
import { patchMap } from '../json.js';
import { type ListRules, answerList } from '../list/list.js';
import { textOperators } from '../list/filter.js';
import { missingReference, notFound } from '../problem.js';
import type { ProductRow } from '../store/rows.js';
import type { World } from '../store/world.js';
import { changedProduct, newProduct } from '../validate/bodies.js';
import { readBody } from '../validate/checks.js';
import { checkLabelCount } from '../validate/labels.js';

/** API products, the older family. */
export function productRoutes(world: World): readonly Route[] {
  const rules = listRules(world);
  const family = 'catalogue';
  return [
    { method: 'POST', path: '/v2/api-products', family, handle: (call) => create(world, call) },
    {
      method: 'GET',
      path: '/v2/api-products',
      family,
      handle: (call) => answerList(world, world.products, rules, call.query, (row) => show(world, row)),
    },
    {
      method: 'GET',
      path: '/v2/api-products/{id}',
      family,
      handle: (call) => ok(show(world, findProduct(world, call.param('id')))),
    },
    { method: 'PATCH', path: '/v2/api-products/{id}', family, handle: (call) => change(world, call) },
    {
      method: 'DELETE',
      path: '/v2/api-products/{id}',
      family,
      handle: (call) => {
        deleteProduct(world, findProduct(world, call.param('id')).id);
        return noContent;
      },
    },
  ];
}

export function findProduct(world: World, id: string): ProductRow {
  const product = world.products.get(id);
  if (product === undefined) throw notFound();
  return product;
}

function create(world: World, call: Call): Answer {
  const given = readBody(newProduct, call.body);
  checkPortals(world, given.portal_ids);
  const now = world.now();
  const product: ProductRow = {
    id: crypto.randomUUID(),
    name: given.name,
    description: given.description ?? null,
    labels: given.labels ?? {},
    public_labels: given.public_labels ?? {},
    portal_ids: given.portal_ids ?? [],
    created_at: now,
    updated_at: now,
  };
  world.products.put(product);
  return created(show(world, product));
}

function change(world: World, call: Call): Answer {
  const product = findProduct(world, call.param('id'));
  const given = readBody(changedProduct, call.body);
  checkPortals(world, given.portal_ids);
  const labels = given.labels === null ? {} : patchMap(product.labels, given.labels ?? {});
  const publicLabels = patchMap(product.public_labels, given.public_labels ?? {});
  checkLabelCount(labels, 'labels');
  checkLabelCount(publicLabels, 'public_labels');
  const changed: ProductRow = {
    ...product,
    name: given.name ?? product.name,
    description: given.description === undefined ? product.description : given.description,
    labels,
    public_labels: publicLabels,
    portal_ids: given.portal_ids ?? product.portal_ids,
    updated_at: world.now(),
  };
  world.products.put(changed);
  return ok(show(world, changed));
}

/** Products know the older portals only. */
function checkPortals(world: World, ids: readonly string[] | undefined): void {
  const missing = ids?.findIndex((id) => world.classicPortals.get(id) === undefined) ?? -1;
  if (missing >= 0) throw missingReference(`portal_ids.${String(missing)}`);
}

/** Its documents go with it. */
export function deleteProduct(world: World, id: string): void {
  world.together(() => {
    for (const row of world.productDocuments.find('product', id)) world.productDocuments.delete(row.id);
    world.products.delete(id);
    endInside(world, `/v2/api-products/${id}`);
  });
}

function show(world: World, row: ProductRow): Record<string, unknown> {
  const portals = row.portal_ids.flatMap((id) => {
    const portal = world.classicPortals.get(id);
    return portal === undefined ? [] : [{ portal_id: portal.id, portal_name: portal.name }];
  });
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    labels: row.labels,
    public_labels: row.public_labels,
    portal_ids: world.anyOrder(row.portal_ids),
    portals: world.anyOrder(portals),
    version_count: 0,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function listRules(world: World): ListRules<ProductRow> {
  return {
    filters: {
      fields: {
        name: {
          operators: textOperators,
          read: (row) => row.name,
          lookup: (name) => world.products.find('name', name),
        },
      },
    },
    labels: { labels: (row) => row.labels, public_labels: (row) => row.public_labels },
    sorts: { name: (row) => row.name },
  };
}
