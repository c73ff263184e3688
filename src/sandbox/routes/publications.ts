import { type Answer, type Call, type Route, noContent, ok } from '../route.js';
import { type ListRules, answerList } from '../list/list.js';
import { idOperators, textOperators } from '../list/filter.js';
import { notFound } from '../problem.js';
import type { PublicationRow } from '../store/rows.js';
import type { World } from '../store/world.js';
import { publication } from '../validate/bodies.js';
import { readBody } from '../validate/checks.js';
import { findApi } from './apis.js';

/** Which API is published to which portal. */
export function publicationRoutes(world: World): readonly Route[] {
  const rules = listRules(world);
  const item = '/v3/apis/{apiId}/publications/{portalId}';
  const family = 'catalogue';
  return [
    { method: 'PUT', path: item, family, handle: (call) => publish(world, call) },
    { method: 'GET', path: item, family, handle: (call) => ok(show(find(world, call))) },
    {
      method: 'DELETE',
      path: item,
      family,
      handle: (call) => {
        world.publications.delete(find(world, call).id);
        return noContent;
      },
    },
    {
      method: 'GET',
      path: '/v3/api-publications',
      family,
      handle: (call) => answerList(world, world.publications, rules, call.query, showItem),
    },
  ];
}

function find(world: World, call: Call): PublicationRow {
  const row = world.publications.get(`${call.param('apiId')}/${call.param('portalId')}`);
  if (row === undefined) throw notFound();
  return row;
}

function publish(world: World, call: Call): Answer {
  const api = findApi(world, call.param('apiId'));
  const portal = world.portals.get(call.param('portalId'));
  if (portal === undefined) throw notFound();
  const given = readBody(publication, call.body ?? {});
  const id = `${api.id}/${portal.id}`;
  const old = world.publications.get(id);
  const now = world.now();
  const strategy = portal.default_application_auth_strategy_id;
  const row: PublicationRow = {
    id,
    api_id: api.id,
    portal_id: portal.id,
    visibility: given.visibility ?? 'private',
    auth_strategy_ids:
      given.auth_strategy_ids === undefined ? (strategy === null ? null : [strategy]) : given.auth_strategy_ids,
    auto_approve_registrations: given.auto_approve_registrations ?? false,
    created_at: old?.created_at ?? now,
    updated_at: now,
  };
  world.publications.put(row);
  return ok(show(row));
}

function show(row: PublicationRow): Record<string, unknown> {
  return {
    visibility: row.visibility,
    auth_strategy_ids: row.auth_strategy_ids,
    auto_approve_registrations: row.auto_approve_registrations,
    warnings: [],
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function showItem(row: PublicationRow): Record<string, unknown> {
  return { api_id: row.api_id, portal_id: row.portal_id, entity_type: 'api', ...show(row) };
}

function listRules(world: World): ListRules<PublicationRow> {
  const portalName = (row: PublicationRow): string | undefined => world.portals.get(row.portal_id)?.name;
  const apiName = (row: PublicationRow): string | undefined => world.apis.get(row.api_id)?.name;
  return {
    filters: {
      fields: {
        portal_id: {
          operators: idOperators,
          read: (row) => row.portal_id,
          lookup: (id) => world.publications.find('portal', id),
        },
        portal_name: { operators: textOperators, read: portalName },
        api_id: {
          operators: idOperators,
          read: (row) => row.api_id,
          lookup: (id) => world.publications.find('api', id),
        },
        api_name: { operators: textOperators, read: apiName },
        auth_strategy_id: { operators: idOperators, read: (row) => row.auth_strategy_ids },
        entity_type: { operators: textOperators, read: () => 'api' },
      },
    },
    sorts: {
      portal_id: (row) => row.portal_id,
      portal_name: portalName,
      api_id: (row) => row.api_id,
      api_name: apiName,
      created_at: (row) => row.created_at,
      updated_at: (row) => row.updated_at,
    },
  };
}
