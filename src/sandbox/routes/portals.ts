import { endInside } from '../described/store.js';
import { patchMap } from '../json.js';
import { answerList } from '../list/list.js';
import { conflict, missingReference, notFound } from '../problem.js';
import { type Answer, type Call, type Route, created, noContent, ok } from '../route.js';
import type { PortalRow } from '../store/rows.js';
import type { World } from '../store/world.js';
import { readBody } from '../validate/checks.js';
import { checkLabelCount } from '../validate/labels.js';
import { changedPortal, newPortal, type PortalBody } from '../validate/portal-bodies.js';
import { portalRules } from './lookup-rules.js';

/** Portals. */
export function portalRoutes(world: World): readonly Route[] {
  const family = 'catalogue';
  const item = '/v3/portals/{portalId}';
  return [
    { method: 'POST', path: '/v3/portals', family, handle: (call) => create(world, call) },
    {
      method: 'GET',
      path: '/v3/portals',
      family,
      handle: (call) => answerList(world, world.portals, portalRules, call.query, showPortal),
    },
    { method: 'GET', path: item, family, handle: (call) => ok(showPortal(findPortal(world, call))) },
    { method: 'PATCH', path: item, family, handle: (call) => change(world, call) },
    { method: 'DELETE', path: item, family, handle: (call) => remove(world, call) },
  ];
}

export function findPortal(world: World, call: Call): PortalRow {
  const portal = world.portals.get(call.param('portalId'));
  if (portal === undefined) throw notFound();
  return portal;
}

function create(world: World, call: Call): Answer {
  const given = readBody(newPortal, call.body);
  const now = world.now();
  const id = crypto.randomUUID();
  const domain = `${id.slice(0, 12)}.portal.example.com`;
  const portal = withBody(
    world,
    {
      ...{ id, name: given.name, display_name: given.name, description: null, authentication_enabled: true },
      notifications_developer_pii_visibility_enabled: false,
      ...{ rbac_enabled: false, sipr_enabled: false, auto_approve_developers: false, auto_approve_applications: false },
      // Which of the two it is when nothing is said is unpublished.
      ...{ default_api_visibility: 'private', default_page_visibility: 'private' },
      ...{ default_application_auth_strategy_id: null, default_domain: domain, canonical_domain: domain },
      ...{ labels: given.labels ?? {}, created_at: now, updated_at: now },
    },
    given,
  );
  world.portals.put(portal);
  return created(showPortal(portal));
}

function change(world: World, call: Call): Answer {
  const portal = findPortal(world, call);
  const given = readBody(changedPortal, call.body);
  const labels = given.labels === null ? {} : patchMap(portal.labels, given.labels ?? {});
  checkLabelCount(labels, 'labels');
  const changed = withBody(world, { ...portal, labels, updated_at: world.now() }, given);
  world.portals.put(changed);
  return ok(showPortal(changed));
}

function withBody(world: World, portal: PortalRow, { name, ...given }: PortalBody): PortalRow {
  const said = Object.fromEntries(Object.entries(given).filter(([field]) => field !== 'labels'));
  const changed: PortalRow = { ...portal, ...said, name: name ?? portal.name };
  const holder = world.portals.all().find((row) => row.name === changed.name);
  if (holder !== undefined && holder.id !== portal.id) throw conflict(`name: "${changed.name}" already exists`);
  const strategy = changed.default_application_auth_strategy_id;
  if (strategy !== null && world.strategies.get(strategy) === undefined)
    throw missingReference('default_application_auth_strategy_id');
  return changed;
}

/** What is published there keeps a portal, unless its end is forced; everything in it goes with it. */
function remove(world: World, call: Call): Answer {
  const { id } = findPortal(world, call);
  const published = world.publications.find('portal', id);
  if (published.length > 0 && call.query['force'] !== 'true')
    throw conflict(`${String(published.length)} APIs are published to this portal`);
  world.together(() => {
    for (const row of published) world.publications.delete(row.id);
    for (const row of world.pages.find('portal', id)) world.pages.delete(row.id);
    for (const row of world.snippets.find('portal', id)) world.snippets.delete(row.id);
    for (const row of world.portalTeams.find('portal', id)) deletePortalTeam(world, row.id);
    for (const rows of [world.portalCustomizations, world.portalAuth, world.portalLogos, world.portalFavicons])
      rows.delete(id);
    world.portalDomains.delete(id);
    world.portals.delete(id);
    endInside(world, `/v3/portals/${id}`);
  });
  return noContent;
}

/** A team takes what it may do with it. */
export function deletePortalTeam(world: World, id: string): void {
  for (const role of world.portalTeamRoles.find('team', id)) world.portalTeamRoles.delete(role.id);
  world.portalTeams.delete(id);
}

/** Portals of the seed say nothing of it, as some answers of the platform don't. */
function showPortal(portal: PortalRow): Record<string, unknown> {
  return portal;
}
