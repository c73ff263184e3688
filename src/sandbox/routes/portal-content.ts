import { answerList, type ListRules } from '../list/list.js';
import { textOperators } from '../list/filter.js';
import { contentTitle } from '../markdown.js';
import { conflict, notFound } from '../problem.js';
import { type Answer, type Call, type Route, created, noContent, ok } from '../route.js';
import type { PortalTeamRow, SnippetRow } from '../store/rows.js';
import { type World, portalKey } from '../store/world.js';
import { readBody } from '../validate/checks.js';
import { changedPortalTeam, changedSnippet, newPortalTeam, newSnippet } from '../validate/portal-bodies.js';
import { deletePortalTeam, findPortal } from './portals.js';

/** What lives in a portal by a name: snippets and teams. */
export function portalContentRoutes(world: World): readonly Route[] {
  const family = 'catalogue';
  const snippets = '/v3/portals/{portalId}/snippets';
  const teams = '/v3/portals/{portalId}/teams';
  return [
    { method: 'POST', path: snippets, family, handle: (call) => createSnippet(world, call) },
    { method: 'GET', path: snippets, family, handle: (call) => listSnippets(world, call) },
    { method: 'GET', path: `${snippets}/{id}`, family, handle: (call) => ok(showSnippet(snippet(world, call))) },
    { method: 'PATCH', path: `${snippets}/{id}`, family, handle: (call) => changeSnippet(world, call) },
    {
      method: 'DELETE',
      path: `${snippets}/{id}`,
      family,
      handle: (call) => {
        world.snippets.delete(snippet(world, call).id);
        return noContent;
      },
    },
    { method: 'POST', path: teams, family, handle: (call) => createTeam(world, call) },
    { method: 'GET', path: teams, family, handle: (call) => listTeams(world, call) },
    { method: 'GET', path: `${teams}/{id}`, family, handle: (call) => ok(showTeam(team(world, call))) },
    { method: 'PATCH', path: `${teams}/{id}`, family, handle: (call) => changeTeam(world, call) },
    {
      method: 'DELETE',
      path: `${teams}/{id}`,
      family,
      handle: (call) => {
        deletePortalTeam(world, team(world, call).id);
        return noContent;
      },
    },
  ];
}

function snippet(world: World, call: Call): SnippetRow {
  const row = world.snippets.get(call.param('id'));
  if (row === undefined || row.portal_id !== findPortal(world, call).id) throw notFound();
  return row;
}

function createSnippet(world: World, call: Call): Answer {
  const portal = findPortal(world, call);
  const given = readBody(newSnippet, call.body);
  const now = world.now();
  const row: SnippetRow = {
    ...{ id: crypto.randomUUID(), portal_id: portal.id, title: null, description: null },
    ...{ visibility: portal.default_page_visibility, status: 'unpublished', created_at: now, updated_at: now },
    ...given,
    ...contentTitle(given.content),
  };
  refuseTaken(row, world.snippets.first('key', portalKey(portal.id, row.name)));
  world.snippets.put(row);
  return created(showSnippet(row));
}

function changeSnippet(world: World, call: Call): Answer {
  const row = snippet(world, call);
  const given = readBody(changedSnippet, call.body);
  const changed: SnippetRow = {
    ...row,
    ...given,
    ...contentTitle(given.content ?? row.content),
    updated_at: world.now(),
  };
  refuseTaken(row, world.snippets.first('key', portalKey(row.portal_id, changed.name)));
  world.snippets.put(changed);
  return ok(showSnippet(changed));
}

const snippetRules: ListRules<SnippetRow> = {
  filters: { fields: { name: { operators: textOperators, read: (row) => row.name } } },
};

function listSnippets(world: World, call: Call): Answer {
  const { id } = findPortal(world, call);
  const source = { name: `snippets of ${id}`, all: () => world.snippets.find('portal', id) };
  return answerList(world, source, snippetRules, call.query, ({ content: _, ...row }) => showSnippet(row));
}

function showSnippet({ portal_id: _, ...row }: Omit<SnippetRow, 'content'>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

function team(world: World, call: Call): PortalTeamRow {
  const row = world.portalTeams.get(call.param('id'));
  if (row === undefined || row.portal_id !== findPortal(world, call).id) throw notFound();
  return row;
}

function createTeam(world: World, call: Call): Answer {
  const portal = findPortal(world, call);
  const given = readBody(newPortalTeam, call.body);
  const now = world.now();
  const row: PortalTeamRow = {
    ...{ id: crypto.randomUUID(), portal_id: portal.id, name: given.name, description: given.description ?? null },
    ...{ can_own_applications: given.can_own_applications ?? false, created_at: now, updated_at: now },
  };
  refuseTaken(row, world.portalTeams.first('key', portalKey(portal.id, row.name)));
  world.portalTeams.put(row);
  return created(showTeam(row));
}

function changeTeam(world: World, call: Call): Answer {
  const row = team(world, call);
  const given = readBody(changedPortalTeam, call.body);
  const changed: PortalTeamRow = {
    ...row,
    ...given,
    can_own_applications: given.can_own_applications ?? row.can_own_applications,
    updated_at: world.now(),
  };
  refuseTaken(row, world.portalTeams.first('key', portalKey(row.portal_id, changed.name)));
  world.portalTeams.put(changed);
  return ok(showTeam(changed));
}

const teamRules: ListRules<PortalTeamRow> = {
  filters: { fields: { name: { operators: textOperators, read: (row) => row.name } } },
};

function listTeams(world: World, call: Call): Answer {
  const { id } = findPortal(world, call);
  const source = { name: `teams of ${id}`, all: () => world.portalTeams.find('portal', id) };
  return answerList(world, source, teamRules, call.query, showTeam);
}

function showTeam({ portal_id: _, ...row }: PortalTeamRow): Record<string, unknown> {
  return row;
}

function refuseTaken(
  row: { readonly id: string },
  holder: { readonly id: string; readonly name: string } | undefined,
): void {
  if (holder !== undefined && holder.id !== row.id) throw conflict(`name: "${holder.name}" already exists`);
}
