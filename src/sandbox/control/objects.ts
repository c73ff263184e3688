import { type JsonObject, isJsonObject, mergePatch } from '../json.js';
import { deleteApi } from '../routes/apis.js';
import { deleteDocument } from '../routes/documents.js';
import { deleteProductDocument } from '../routes/product-documents.js';
import { deleteProduct } from '../routes/products.js';
import { apiSlug, documentSlug } from '../slug.js';
import type { AnyCollection, Row } from '../store/collection.js';
import type { World } from '../store/world.js';

/**
 * Edits behind everyone's back: merges a patch into the object, makes the object when there is none, or with
 * `{"$delete": true}` removes it and what hangs on it. Answers the object, undefined when it is gone.
 */
export function editObject(world: World, collection: AnyCollection, id: string, patch: JsonObject): Row | undefined {
  if (patch['$delete'] === true) {
    deleteObject(world, collection, id);
    return undefined;
  }
  const old = collection.get(id);
  const now = world.now();
  const base = old ?? blank(world, collection.name, id, patch, now);
  const edited = mergePatch(base, { updated_at: now, ...patch });
  const row = { ...keepNulls(edited, patch), id } as unknown as Row;
  world.place(collection, row);
  return row;
}

/** Adds the objects of a seed, each over the defaults of its kind; one that exists already is edited. */
export function plant(world: World, seed: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, rows] of Object.entries(seed)) {
    const collection = world.collections.get(name);
    if (collection === undefined) return `there is no collection "${name}"`;
    if (!Array.isArray(rows) || !rows.every(isJsonObject)) return `${name}: a list of objects is expected`;
    world.together(() => {
      for (const row of rows) {
        const id = typeof row['id'] === 'string' ? row['id'] : idOf(row);
        editObject(world, collection, id, row);
      }
    });
  }
  return undefined;
}

/** A publication is known by its pair; everything else gets a fresh id. */
function idOf(row: JsonObject): string {
  const { api_id: api, portal_id: portal } = row;
  return typeof api === 'string' && typeof portal === 'string' ? `${api}/${portal}` : crypto.randomUUID();
}

/** In a merge patch a null removes; at the top level our rows want it kept: their nullable fields are always there. */
function keepNulls(edited: JsonObject, patch: JsonObject): JsonObject {
  const nulls = Object.entries(patch).filter(([, value]) => value === null);
  return { ...edited, ...Object.fromEntries(nulls) };
}

function deleteObject(world: World, collection: AnyCollection, id: string): void {
  const document = world.documents.get(id);
  const productDocument = world.productDocuments.get(id);
  if (collection === world.apis) deleteApi(world, id);
  else if (collection === world.products) deleteProduct(world, id);
  else if (collection === world.documents && document !== undefined) deleteDocument(world, document);
  else if (collection === world.productDocuments && productDocument !== undefined) {
    deleteProductDocument(world, productDocument);
  } else collection.delete(id);
}

/** The defaults of a new object, as far as its kind has any. */
function blank(world: World, kind: string, id: string, patch: JsonObject, now: string): JsonObject {
  const given = (field: string): string | undefined => {
    const value = patch[field];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const common = { id, created_at: now, updated_at: now };
  const kinds: Readonly<Record<string, () => JsonObject>> = {
    apis: () => ({ ...blankApi, slug: apiSlug(given('name') ?? 'api', given('version') ?? null) }),
    documents: () => blankDocument(world, given('title')),
    'product-documents': () => ({ ...blankDocument(world, given('title')), metadata: {} }),
    products: () => ({ name: 'product', description: null, labels: {}, public_labels: {}, portal_ids: [] }),
    publications: () => ({ visibility: 'private', auth_strategy_ids: null, auto_approve_registrations: false }),
    versions: () => ({ version: '1.0.0', content: '', messages: [] }),
    teams: () => ({ description: '', system_team: false, labels: {} }),
    'system-accounts': () => ({ description: '', managed: false }),
  };
  return { ...common, ...kinds[kind]?.() };
}

const blankApi: JsonObject = { name: 'api', description: null, version: null, labels: {}, attributes: {} };

function blankDocument(world: World, title = 'Untitled'): JsonObject {
  const position = world.nextPosition();
  return { title, slug: documentSlug(title), parent_document_id: null, status: 'unpublished', content: '', position };
}
