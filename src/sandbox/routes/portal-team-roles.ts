import { answerList } from '../list/list.js';
import { conflict, notFound } from '../problem.js';
import { type Answer, type Call, type Route, created, noContent } from '../route.js';
import type { PortalTeamRow, TeamRoleRow } from '../store/rows.js';
import type { World } from '../store/world.js';
import { readBody } from '../validate/checks.js';
import { newTeamRole } from '../validate/portal-settings.js';
import { findPortal } from './portals.js';

/** What teams of a portal may do: given and taken, never changed, and never shown alone. */
export function teamRoleRoutes(world: World): readonly Route[] {
  const collection = '/v3/portals/{portalId}/teams/{teamId}/assigned-roles';
  const family = 'catalogue';
  return [
    { method: 'POST', path: collection, family, handle: (call) => create(world, call) },
    { method: 'GET', path: collection, family, handle: (call) => list(world, call) },
    {
      method: 'DELETE',
      path: `${collection}/{roleId}`,
      family,
      handle: (call) => {
        const row = world.portalTeamRoles.get(call.param('roleId'));
        if (row === undefined || row.team_id !== teamOf(world, call).id) throw notFound();
        world.portalTeamRoles.delete(row.id);
        return noContent;
      },
    },
  ];
}

function teamOf(world: World, call: Call): PortalTeamRow {
  const row = world.portalTeams.get(call.param('teamId'));
  if (row === undefined || row.portal_id !== findPortal(world, call).id) throw notFound();
  return row;
}

function create(world: World, call: Call): Answer {
  const team = teamOf(world, call);
  const given = readBody(newTeamRole, call.body);
  const { role_name, entity_id, entity_type_name, entity_region } = given;
  const now = world.now();
  const row: TeamRoleRow = {
    ...{ id: crypto.randomUUID(), team_id: team.id, created_at: now, updated_at: now },
    ...{ role_name, entity_id, entity_type_name, entity_region },
  };
  if (world.portalTeamRoles.find('team', team.id).some((other) => same(other, row)))
    throw conflict('The team has the role already');
  world.portalTeamRoles.put(row);
  return created(show(row));
}

function same(a: TeamRoleRow, b: TeamRoleRow): boolean {
  const key = ({ role_name, entity_id, entity_type_name, entity_region }: TeamRoleRow): string =>
    JSON.stringify([role_name, entity_id, entity_type_name, entity_region]);
  return key(a) === key(b);
}

function list(world: World, call: Call): Answer {
  const { id } = teamOf(world, call);
  const source = { name: `roles of ${id}`, all: () => world.portalTeamRoles.find('team', id) };
  return answerList(world, source, {}, call.query, show);
}

function show({ id, role_name, entity_id, entity_type_name, entity_region }: TeamRoleRow): Record<string, unknown> {
  return { id, role_name, entity_id, entity_type_name, entity_region };
}
