import { type Answer, type Call, type Route, created, noContent, ok } from '../route.js';
import { readFilters, textOperators } from '../list/filter.js';
import { defaultTitle, frontMatter, withoutTrailingSpace } from '../markdown.js';
import { conflict, notFound, slugConflict } from '../problem.js';
import { documentSlug } from '../slug.js';
import type { DocumentRow } from '../store/rows.js';
import { type World, siblingsKey, slugKey } from '../store/world.js';
import { changedDocument, movedDocument, newDocument } from '../validate/bodies.js';
import { readBody } from '../validate/checks.js';
import { findApi } from './apis.js';
import { answerTree, byPosition, checkParent, deleteTree } from './document-tree.js';

/** Documents of an API. */
export function documentRoutes(world: World): readonly Route[] {
  const collection = '/v3/apis/{apiId}/documents';
  const item = `${collection}/{documentId}`;
  const family = 'catalogue';
  return [
    { method: 'POST', path: collection, family, handle: (call) => create(world, call) },
    { method: 'GET', path: collection, family, handle: (call) => list(world, call) },
    { method: 'GET', path: item, family, handle: (call) => ok(show(find(world, call))) },
    { method: 'PATCH', path: item, family, handle: (call) => change(world, call) },
    { method: 'DELETE', path: item, family, handle: (call) => remove(world, call) },
    { method: 'POST', path: `${item}/move`, family, handle: (call) => move(world, call) },
  ];
}

function find(world: World, call: Call): DocumentRow {
  const api = findApi(world, call.param('apiId'));
  const document = findIn(world, api.id, call.param('documentId'));
  if (document === undefined) throw notFound();
  return document;
}

function findIn(world: World, apiId: string, id: string): DocumentRow | undefined {
  const document = world.documents.get(id);
  return document?.api_id === apiId ? document : undefined;
}

function create(world: World, call: Call): Answer {
  const api = findApi(world, call.param('apiId'));
  const given = readBody(newDocument, call.body);
  const front = frontMatter(given.content);
  const title = given.title ?? defaultTitle(given.content);
  const parent = given.parent_document_id === undefined ? (front.parent_document_id ?? null) : given.parent_document_id;
  checkParent(parent, undefined, (id) => findIn(world, api.id, id));
  const now = world.now();
  const document: DocumentRow = {
    id: crypto.randomUUID(),
    api_id: api.id,
    parent_document_id: parent,
    title,
    slug: given.slug ?? front.slug ?? documentSlug(title),
    status: given.status ?? front.status ?? 'unpublished',
    content: withoutTrailingSpace(given.content),
    position: world.nextPosition(),
    created_at: now,
    updated_at: now,
  };
  if (isSlugTaken(world, document)) throw slugConflict();
  world.documents.put(document);
  return created(show(document));
}

/** Slugs are unique among siblings; whether the platform looks at the whole API is unpublished. */
function isSlugTaken(world: World, document: DocumentRow): boolean {
  const key = slugKey(document.api_id, document.parent_document_id, document.slug);
  return world.documents.find('slug', key).some((row) => row.id !== document.id);
}

function list(world: World, call: Call): Answer {
  const api = findApi(world, call.param('apiId'));
  const filters = readFilters<DocumentRow>(call.query, {
    fields: { status: { operators: textOperators, read: (row) => row.status } },
  });
  const rows = world.documents.find('api', api.id).filter((row) => filters.every((filter) => filter.matches(row)));
  return answerTree(world, rows, showSummary);
}

function change(world: World, call: Call): Answer {
  const document = find(world, call);
  const given = readBody(changedDocument, call.body);
  const parent = given.parent_document_id === undefined ? document.parent_document_id : given.parent_document_id;
  checkParent(parent, document.id, (id) => findIn(world, document.api_id, id));
  const changed: DocumentRow = {
    ...document,
    parent_document_id: parent,
    title: given.title ?? document.title,
    slug: given.slug ?? document.slug,
    status: given.status ?? document.status,
    content: given.content === undefined ? document.content : withoutTrailingSpace(given.content),
    // A document that changes its parent goes to the end there.
    position: parent === document.parent_document_id ? document.position : world.nextPosition(),
    updated_at: world.now(),
  };
  if (isSlugTaken(world, changed)) throw slugConflict();
  world.documents.put(changed);
  return ok(show(changed));
}

function remove(world: World, call: Call): Answer {
  deleteDocument(world, find(world, call));
  return noContent;
}

export function deleteDocument(world: World, document: DocumentRow): void {
  deleteTree(world, world.documents, document.api_id, document);
}

function move(world: World, call: Call): Answer {
  const document = find(world, call);
  const given = readBody(movedDocument, call.body);
  const parent = given.parent_document_id ?? null;
  if (parent !== null && findIn(world, document.api_id, parent) === undefined) throw notFound();
  checkParent(parent, document.id, (id) => findIn(world, document.api_id, id));
  const moved: DocumentRow = { ...document, parent_document_id: parent, updated_at: world.now() };
  if (isSlugTaken(world, moved)) throw conflict('A document with this slug exists at the new place');
  const others = world.documents.find('siblings', siblingsKey(document.api_id, parent));
  const siblings = others.filter((row) => row.id !== document.id).sort(byPosition);
  siblings.splice(placeOf(given.index ?? 0, siblings.length), 0, moved);
  world.together(() => {
    siblings.forEach((row, position) => {
      if (row.position !== position || row === moved) world.documents.put({ ...row, position });
    });
  });
  return noContent;
}

/** A negative index counts from the end: -1 is the last place. */
function placeOf(index: number, siblings: number): number {
  return index < 0 ? Math.max(0, siblings + 1 + index) : Math.min(index, siblings);
}

function showSummary(row: DocumentRow): Record<string, unknown> {
  return {
    id: row.id,
    title: row.title,
    slug: row.slug,
    status: row.status,
    parent_document_id: row.parent_document_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function show(row: DocumentRow): Record<string, unknown> {
  return { ...showSummary(row), content: row.content };
}
