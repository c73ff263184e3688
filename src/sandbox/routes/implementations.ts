import { defined } from '../defined.js';
import { type Answer, type Call, type Route, created, noContent, ok } from '../route.js';
import { type ListRules, answerList } from '../list/list.js';
import { idOperators, timeOperators } from '../list/filter.js';
import { conflict, invalid, missingReference, notFound } from '../problem.js';
import type { ImplementationRow } from '../store/rows.js';
import type { World } from '../store/world.js';
import { newImplementation } from '../validate/bodies.js';
import { readBody } from '../validate/checks.js';
import { findApi, present } from './apis.js';

/** What implements an API: one gateway service, or one control plane. There is no update. */
export function implementationRoutes(world: World): readonly Route[] {
  const rules = listRules(world);
  const item = '/v3/apis/{apiId}/implementations/{implementationId}';
  const family = 'catalogue';
  return [
    {
      method: 'POST',
      path: '/v3/apis/{apiId}/implementations',
      family,
      handle: (call) => create(world, call),
    },
    { method: 'GET', path: item, family, handle: (call) => ok(show(find(world, call))) },
    {
      method: 'DELETE',
      path: item,
      family,
      handle: (call) => {
        world.implementations.delete(find(world, call).id);
        return noContent;
      },
    },
    {
      method: 'GET',
      path: '/v3/api-implementations',
      family,
      handle: (call) => answerList(world, world.implementations, rules, call.query, showItem),
    },
  ];
}

function find(world: World, call: Call): ImplementationRow {
  const row = world.implementations.get(call.param('implementationId'));
  if (row === undefined || row.api_id !== call.param('apiId')) throw notFound();
  return row;
}

function create(world: World, call: Call): Answer {
  const api = findApi(world, call.param('apiId'));
  const given = readBody(newImplementation, call.body);
  const { service, control_plane } = given;
  if ((service === undefined) === (control_plane === undefined)) {
    const reason = 'exactly one of service and control_plane is required';
    throw invalid({ field: 'service', rule: service === undefined ? 'required' : 'invalid', reason, source: 'body' });
  }
  if (service !== undefined && world.gatewayServices.get(service.id)?.control_plane_id !== service.control_plane_id) {
    throw missingReference('service.id');
  }
  if (control_plane !== undefined && world.controlPlanes.get(control_plane.control_plane_id) === undefined) {
    throw missingReference('control_plane.control_plane_id');
  }
  if (world.implementations.first('api', api.id) !== undefined) {
    throw conflict('An implementation already exists for this API');
  }
  if (service !== undefined && world.implementations.first('service', service.id) !== undefined) {
    throw conflict('The gateway service is already linked to another API');
  }
  const now = world.now();
  const row: ImplementationRow = {
    id: crypto.randomUUID(),
    api_id: api.id,
    ...defined({ service, control_plane }),
    created_at: now,
    updated_at: now,
  };
  world.implementations.put(row);
  return created(show(row));
}

/** Below its API it does not repeat the API's id; in the list of all it does. */
function show(row: ImplementationRow): Record<string, unknown> {
  return {
    id: row.id,
    ...(row.service === undefined ? {} : { service: { ...row.service, auth_strategy_sync_error: null } }),
    ...(row.control_plane === undefined
      ? {}
      : { control_plane: { ...row.control_plane, access_control_enforcement_enabled: true } }),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function showItem(row: ImplementationRow): Record<string, unknown> {
  return { ...show(row), api_id: row.api_id };
}

function controlPlaneOf(row: ImplementationRow): string | undefined {
  return (row.service ?? row.control_plane)?.control_plane_id;
}

function listRules(world: World): ListRules<ImplementationRow> {
  const { implementations } = world;
  return {
    filters: {
      fields: {
        id: { operators: idOperators, read: (row) => row.id, lookup: (id) => present(implementations.get(id)) },
        api_id: {
          operators: idOperators,
          read: (row) => row.api_id,
          lookup: (id) => implementations.find('api', id),
        },
        service_id: {
          operators: idOperators,
          read: (row) => row.service?.id,
          lookup: (id) => implementations.find('service', id),
        },
        control_plane_id: { operators: idOperators, read: controlPlaneOf },
        created_at: { operators: timeOperators, read: (row) => row.created_at },
        updated_at: { operators: timeOperators, read: (row) => row.updated_at },
      },
    },
    sorts: {
      id: (row) => row.id,
      api_id: (row) => row.api_id,
      control_plane_id: controlPlaneOf,
      service_id: (row) => row.service?.id,
      created_at: (row) => row.created_at,
      updated_at: (row) => row.updated_at,
    },
  };
}
