import { type JsonObject, isJsonObject, mergePatch } from '../json.js';
import { Problem } from '../problem.js';
import type { Objects } from '../described/objects.js';
import { describedSiblings, endInside } from '../described/siblings.js';
import type { Route } from '../route.js';
import { type Router, routerOf } from '../router.js';
import { apiSlug, documentSlug } from '../slug.js';
import type { Collection, Row } from '../store/collection.js';
import { managedField } from '../wire.js';
import { kinds, placeOf } from '../store/kinds.js';
import type { World } from '../store/world.js';

/**
 * Edits behind everyone's back: merges a patch into the object, makes the object when there is none, or with
 * `{"$delete": true}` removes it and what hangs on it. Answers the object, undefined when it is gone.
 */
export function editObject(objects: Objects, collection: Collection, id: string, patch: JsonObject): Row | undefined {
  const { world } = objects;
  if (patch['$delete'] === true) {
    deleteObject(objects, collection, id);
    return undefined;
  }
  const old = collection.get(id);
  const now = world.now();
  const base = old ?? blank(world, collection.name, id, patch, now);
  // Of a gateway times are numbers.
  const moved = typeof base['updated_at'] === 'number' ? Math.floor(Date.parse(now) / 1000) : now;
  const edited = mergePatch(base, { updated_at: moved, ...patch });
  const row: Row = { ...keepNulls(edited, patch), id };
  world.place(collection, row);
  return row;
}

/** The same in a collection that has no name of its own, by its path with ids. */
export function editDescribed(world: World, place: string, own: string, patch: JsonObject): JsonObject | undefined {
  const siblings = describedSiblings(world);
  if (patch['$delete'] === true) {
    siblings.delete(place, own);
    return undefined;
  }
  siblings.put(place, own, keepNulls(mergePatch(siblings.get(place, own) ?? {}, patch), patch));
  return siblings.get(place, own);
}

/**
 * Adds the objects of a seed, or says what is wrong with it. Under a path the platform itself takes them: a list is made one by
 * one, with the ids that its objects have, and a lone object is put there. Under the name of a collection they are stored as
 * they are, each over the defaults of its kind; one that exists already is edited.
 */
export function plant(
  objects: Objects,
  routes: readonly Route[],
  seed: Readonly<Record<string, unknown>>,
): string | undefined {
  const find = routerOf(routes);
  for (const [name, given] of Object.entries(seed)) {
    const problem = name.startsWith('/') ? sow(find, name, given) : store(objects, name, given);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function store(objects: Objects, name: string, rows: unknown): string | undefined {
  const { world } = objects;
  const collection = world.collections.get(name);
  if (collection === undefined) return `there is no collection "${name}"`;
  if (!Array.isArray(rows) || !rows.every(isJsonObject)) return `${name}: a list of objects is expected`;
  world.together(() => {
    for (const row of rows) {
      const id = typeof row['id'] === 'string' ? row['id'] : idOf(world, row);
      editObject(objects, collection, id, row);
    }
  });
  return undefined;
}

/** Sends what a seed has under a path where a client would send it. */
function sow(find: Router, path: string, given: unknown): string | undefined {
  const verbs = Array.isArray(given) ? ['POST'] : ['PUT', 'POST', 'PATCH'];
  const found = verbs.map((verb) => find(verb, path)).find((each) => each !== undefined);
  if (found === undefined) return `the platform takes nothing at ${path}`;
  for (const [at, each] of (Array.isArray(given) ? (given as readonly unknown[]) : [given]).entries()) {
    const { id, ...body } = isJsonObject(each) ? each : {};
    const call = { query: {}, header: () => undefined, ...(typeof id === 'string' ? { id } : {}) };
    try {
      found.route.handle({ ...call, param: found.param, body: isJsonObject(each) ? body : each });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return `${path}${Array.isArray(given) ? ` [${String(at)}]` : ''}: ${wordsOf(error)}`;
    }
  }
  return undefined;
}

function wordsOf({ parts: { status, invalid = [], detail } }: Problem): string {
  if (invalid.length > 0)
    return invalid.map(({ reason, field }) => (reason.includes(field) ? reason : `${field} ${reason}`)).join(', ');
  return detail ?? (status === 404 ? 'what it lies in is not there' : `refused with ${String(status)}`);
}

/** A publication is known by its pair; everything else gets a fresh id. */
function idOf(world: World, row: JsonObject): string {
  const { api_id: api, portal_id: portal } = row;
  return typeof api === 'string' && typeof portal === 'string' ? `${api}/${portal}` : world.id();
}

/** In a merge patch a null removes; at the top level our rows want it kept: their nullable fields are always there. */
function keepNulls(edited: JsonObject, patch: JsonObject): JsonObject {
  const nulls = Object.entries(patch).filter(([, value]) => value === null);
  return { ...edited, ...Object.fromEntries(nulls) };
}

/** Nothing keeps it: what hangs on it goes along. */
function deleteObject(objects: Objects, collection: Collection, id: string): void {
  const row = collection.get(id);
  const kind = kinds.find(({ name }) => name === collection.name);
  if (row === undefined) return;
  if (kind === undefined) {
    collection.delete(id);
    return endInside(objects.world, id);
  }
  const place = placeOf(kind, row);
  const step = { siblings: objects.siblingsOf(kind.path), place, given: {}, before: row, query: { force: 'true' } };
  const own = kind.own === undefined ? 'only' : String(row[kind.own]);
  try {
    objects.end(kind.path, row, { ...step, own });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    step.siblings.delete(place, own);
  }
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
    'system-accounts': () => ({ description: '', [managedField]: false }),
  };
  return { ...common, ...kinds[kind]?.() };
}

const blankApi: JsonObject = { name: 'api', description: null, version: null, labels: {}, attributes: {} };

function blankDocument(world: World, title = 'Untitled'): JsonObject {
  const position = world.nextPosition();
  return { title, slug: documentSlug(title), parent_document_id: null, status: 'unpublished', content: '', position };
}
