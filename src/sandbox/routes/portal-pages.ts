import { textOperators, readFilters } from '../list/filter.js';
import { contentTitle } from '../markdown.js';
import { missingReference, notFound, slugConflict } from '../problem.js';
import { type Answer, type Call, type Route, created, noContent, ok } from '../route.js';
import type { PageRow } from '../store/rows.js';
import { type World, slugKey } from '../store/world.js';
import { readBody } from '../validate/checks.js';
import { changedPage, newPage, type PageBody } from '../validate/portal-bodies.js';
import { answerTree, checkParent, deleteTree } from './document-tree.js';
import { findPortal } from './portals.js';

/** Pages of a portal. */
export function pageRoutes(world: World): readonly Route[] {
  const collection = '/v3/portals/{portalId}/pages';
  const item = `${collection}/{pageId}`;
  const family = 'catalogue';
  return [
    { method: 'POST', path: collection, family, handle: (call) => create(world, call) },
    { method: 'GET', path: collection, family, handle: (call) => list(world, call) },
    { method: 'GET', path: item, family, handle: (call) => ok(show(find(world, call))) },
    { method: 'PATCH', path: item, family, handle: (call) => change(world, call) },
    { method: 'DELETE', path: item, family, handle: (call) => remove(world, call) },
  ];
}

function find(world: World, call: Call): PageRow {
  const page = world.pages.get(call.param('pageId'));
  if (page === undefined || page.portal_id !== findPortal(world, call).id) throw notFound();
  return page;
}

function create(world: World, call: Call): Answer {
  const portal = findPortal(world, call);
  const given = readBody(newPage, call.body);
  const now = world.now();
  const page = withBody(
    world,
    {
      ...{
        id: crypto.randomUUID(),
        portal_id: portal.id,
        parent_document_id: null,
        slug: given.slug,
        title: given.slug,
      },
      ...{ description: null, content: given.content, visibility: portal.default_page_visibility },
      ...{ status: 'unpublished', position: world.nextPosition(), created_at: now, updated_at: now },
    },
    given,
  );
  world.pages.put(page);
  return created(show(page));
}

function change(world: World, call: Call): Answer {
  const page = find(world, call);
  const changed = withBody(world, { ...page, updated_at: world.now() }, readBody(changedPage, call.body));
  world.pages.put(changed);
  return ok(show(changed));
}

/** What the front matter says of title and description beats what the body says: the opposite of documents of APIs. */
function withBody(world: World, page: PageRow, { parent_page_id: parent, ...given }: PageBody): PageRow {
  const above = parent === undefined ? page.parent_document_id : parent;
  const findIn = (id: string): PageRow | undefined => {
    const row = world.pages.get(id);
    return row?.portal_id === page.portal_id ? row : undefined;
  };
  if (above !== null && findIn(above) === undefined) throw missingReference('parent_page_id');
  checkParent(above, page.id, findIn);
  const content = given.content ?? page.content;
  const changed: PageRow = { ...page, ...given, parent_document_id: above, ...contentTitle(content) };
  const key = slugKey(changed.portal_id, changed.parent_document_id, changed.slug);
  if (world.pages.find('slug', key).some((row) => row.id !== page.id)) throw slugConflict();
  return changed;
}

function list(world: World, call: Call): Answer {
  const portal = findPortal(world, call);
  const filters = readFilters<PageRow>(call.query, {
    fields: { slug: { operators: textOperators, read: (row) => row.slug } },
  });
  const rows = world.pages.find('portal', portal.id).filter((row) => filters.every((filter) => filter.matches(row)));
  return answerTree(world, rows, showSummary);
}

function remove(world: World, call: Call): Answer {
  const page = find(world, call);
  deleteTree(world, world.pages, page.portal_id, page);
  return noContent;
}

function showSummary(row: PageRow): Record<string, unknown> {
  return {
    ...{ id: row.id, slug: row.slug, title: row.title, visibility: row.visibility, status: row.status },
    ...(row.description === null ? {} : { description: row.description }),
    ...{ parent_page_id: row.parent_document_id, created_at: row.created_at, updated_at: row.updated_at },
  };
}

function show(row: PageRow): Record<string, unknown> {
  return { ...showSummary(row), content: row.content };
}
