import { type Answer, type Call, type Route, created, noContent, ok } from '../route.js';
import { type JsonObject, patchMap } from '../json.js';
import { answerList } from '../list/list.js';
import { decodedText, withoutTrailingSpace } from '../markdown.js';
import { notFound, slugConflict } from '../problem.js';
import type { ProductDocumentRow } from '../store/rows.js';
import { type World, slugKey } from '../store/world.js';
import { changedProductDocument, newProductDocument } from '../validate/bodies.js';
import { readBody } from '../validate/checks.js';
import { byPosition, checkParent, deleteTree } from './document-tree.js';
import { findProduct } from './products.js';

/** Documents of an API product: paged, with metadata, and a slug that is unique in the whole product. */
export function productDocumentRoutes(world: World): readonly Route[] {
  const collection = '/v2/api-products/{apiProductId}/documents';
  const item = `${collection}/{id}`;
  const family = 'catalogue';
  return [
    { method: 'POST', path: collection, family, handle: (call) => create(world, call) },
    { method: 'GET', path: collection, family, handle: (call) => list(world, call) },
    { method: 'GET', path: item, family, handle: (call) => ok(show(find(world, call))) },
    { method: 'PATCH', path: item, family, handle: (call) => change(world, call) },
    {
      method: 'DELETE',
      path: item,
      family,
      handle: (call) => {
        deleteProductDocument(world, find(world, call));
        return noContent;
      },
    },
  ];
}

function find(world: World, call: Call): ProductDocumentRow {
  const product = findProduct(world, call.param('apiProductId'));
  const row = findIn(world, product.id, call.param('id'));
  if (row === undefined) throw notFound();
  return row;
}

function findIn(world: World, productId: string, id: string): ProductDocumentRow | undefined {
  const row = world.productDocuments.get(id);
  return row?.api_product_id === productId ? row : undefined;
}

function create(world: World, call: Call): Answer {
  const product = findProduct(world, call.param('apiProductId'));
  const given = readBody(newProductDocument, call.body);
  const parent = given.parent_document_id ?? null;
  checkParent(parent, undefined, (id) => findIn(world, product.id, id));
  const now = world.now();
  const row: ProductDocumentRow = {
    id: crypto.randomUUID(),
    api_product_id: product.id,
    parent_document_id: parent,
    title: given.title,
    slug: given.slug,
    status: given.status,
    content: storedContent(given.content),
    metadata: mergeMetadata({}, given.metadata),
    position: world.nextPosition(),
    created_at: now,
    updated_at: now,
  };
  refuseTakenSlug(world, row);
  world.productDocuments.put(row);
  return created(show(row));
}

function change(world: World, call: Call): Answer {
  const row = find(world, call);
  const given = readBody(changedProductDocument, call.body);
  const parent = given.parent_document_id === undefined ? row.parent_document_id : given.parent_document_id;
  checkParent(parent, row.id, (id) => findIn(world, row.api_product_id, id));
  const changed: ProductDocumentRow = {
    ...row,
    parent_document_id: parent,
    title: given.title ?? row.title,
    slug: given.slug ?? row.slug,
    status: given.status ?? row.status,
    content: given.content === undefined ? row.content : storedContent(given.content),
    metadata: mergeMetadata(row.metadata, given.metadata),
    position: parent === row.parent_document_id ? row.position : world.nextPosition(),
    updated_at: world.now(),
  };
  refuseTakenSlug(world, changed);
  world.productDocuments.put(changed);
  return ok(show(changed));
}

function refuseTakenSlug(world: World, row: ProductDocumentRow): void {
  const taken = world.productDocuments.find('slug', slugKey(row.api_product_id, null, row.slug));
  if (taken.some((other) => other.id !== row.id)) throw slugConflict();
}

function storedContent(given: string | null | undefined): string {
  return withoutTrailingSpace(decodedText(given ?? ''));
}

/** Per key, like the other maps: that a PATCH replaces the whole of it is not published either. */
function mergeMetadata(old: JsonObject, given: JsonObject | undefined): JsonObject {
  return given === undefined ? old : patchMap(old, given);
}

export function deleteProductDocument(world: World, row: ProductDocumentRow): void {
  deleteTree(world, world.productDocuments, row.api_product_id, row);
}

function list(world: World, call: Call): Answer {
  const product = findProduct(world, call.param('apiProductId'));
  const source = {
    name: `documents of ${product.id}`,
    all: () => [...world.productDocuments.find('product', product.id)].sort(byPosition),
  };
  return answerList(world, source, {}, call.query, showSummary);
}

function showSummary(row: ProductDocumentRow): Record<string, unknown> {
  return {
    id: row.id,
    parent_document_id: row.parent_document_id,
    slug: row.slug,
    status: row.status,
    title: row.title,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** `ast`, the parsed text, is part of the answer that no client of ours reads: always empty here. */
function show(row: ProductDocumentRow): Record<string, unknown> {
  return { ...showSummary(row), content: row.content, metadata: row.metadata, ast: [] };
}
