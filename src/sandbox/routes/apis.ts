import { endInside } from '../described/store.js';
import { defined } from '../defined.js';
import { type Answer, type Call, type Route, created, noContent, ok } from '../route.js';
import { patchMap } from '../json.js';
import { type ListRules, answerList } from '../list/list.js';
import { idOperators, textOperators, timeOperators } from '../list/filter.js';
import { conflict, notFound } from '../problem.js';
import { apiSlug } from '../slug.js';
import { readSpecification } from '../specification.js';
import type { ApiRow, VersionRow } from '../store/rows.js';
import { type World, apiKey } from '../store/world.js';
import { type Attributes, changedApi, newApi } from '../validate/bodies.js';
import { readBody } from '../validate/checks.js';
import { checkLabelCount } from '../validate/labels.js';
import { latestVersion, showSummary } from './versions.js';

/** APIs, and the specification that may come along with a new one. */
export function apiRoutes(world: World): readonly Route[] {
  const rules = listRules(world);
  const family = 'catalogue';
  return [
    { method: 'POST', path: '/v3/apis', family, handle: (call) => create(world, call) },
    {
      method: 'GET',
      path: '/v3/apis',
      family,
      handle: (call) => answerList(world, world.apis, rules, call.query, (row) => showApi(world, row)),
    },
    {
      method: 'GET',
      path: '/v3/apis/{apiId}',
      family,
      handle: (call) => ok(showApi(world, findApi(world, call.param('apiId')))),
    },
    { method: 'PATCH', path: '/v3/apis/{apiId}', family, handle: (call) => change(world, call) },
    { method: 'DELETE', path: '/v3/apis/{apiId}', family, handle: (call) => remove(world, call) },
  ];
}

export function findApi(world: World, id: string): ApiRow {
  const api = world.apis.get(id);
  if (api === undefined) throw notFound();
  return api;
}

function create(world: World, call: Call): Answer {
  const given = readBody(newApi, call.body);
  const specification = given.spec_content === undefined ? undefined : readSpecification(given.spec_content);
  const version = given.version === undefined ? (specification?.version ?? null) : given.version;
  refuseTaken(world, given.name, version);
  const now = world.now();
  const api: ApiRow = {
    id: crypto.randomUUID(),
    name: given.name,
    description: given.description ?? null,
    version,
    slug: given.slug ?? apiSlug(given.name, version),
    labels: given.labels ?? {},
    attributes: mergeAttributes({}, given.attributes),
    created_at: now,
    updated_at: now,
  };
  world.together(() => {
    world.apis.put(api);
    if (specification === undefined || given.spec_content === undefined) return;
    const row: VersionRow = {
      id: crypto.randomUUID(),
      api_id: api.id,
      version: specification.version ?? version ?? '1.0.0',
      content: given.spec_content,
      ...defined({ type: specification.type }),
      messages: specification.messages,
      created_at: now,
      updated_at: now,
    };
    world.versions.put(row);
  });
  return created(showApi(world, api));
}

function change(world: World, call: Call): Answer {
  const api = findApi(world, call.param('apiId'));
  const given = readBody(changedApi, call.body);
  const name = given.name ?? api.name;
  const version = given.version === undefined ? api.version : given.version;
  if (name !== api.name || version !== api.version) refuseTaken(world, name, version);
  const labels = given.labels === null ? {} : patchMap(api.labels, given.labels ?? {});
  checkLabelCount(labels, 'labels');
  const changed: ApiRow = {
    ...api,
    name,
    version,
    description: given.description === undefined ? api.description : given.description,
    slug: changedSlug(api, given.slug, name, version),
    labels,
    attributes: mergeAttributes(api.attributes, given.attributes),
    updated_at: world.now(),
  };
  world.apis.put(changed);
  return ok(showApi(world, changed));
}

/** A slug stays when the name changes; only an explicit null asks for the default again. */
function changedSlug(
  api: ApiRow,
  given: string | null | undefined,
  name: string,
  version: string | null,
): string | null {
  if (given === undefined) return api.slug;
  return given ?? apiSlug(name, version);
}

function mergeAttributes(old: ApiRow['attributes'], changes: Attributes | undefined): ApiRow['attributes'] {
  return changes === undefined ? old : patchMap<readonly string[]>(old, changes);
}

function refuseTaken(world: World, name: string, version: string | null): void {
  if (world.apis.first('key', apiKey(name, version)) === undefined) return;
  const which = version === null ? `name: "${name}"` : `name and version: "${name}" "${version}"`;
  throw conflict(`${which} already exists and must be unique.`);
}

function remove(world: World, call: Call): Answer {
  deleteApi(world, findApi(world, call.param('apiId')).id);
  return noContent;
}

/** Everything below an API goes with it. */
export function deleteApi(world: World, id: string): void {
  world.together(() => {
    for (const row of world.documents.find('api', id)) world.documents.delete(row.id);
    for (const row of world.implementations.find('api', id)) world.implementations.delete(row.id);
    for (const row of world.publications.find('api', id)) world.publications.delete(row.id);
    for (const row of world.versions.find('api', id)) world.versions.delete(row.id);
    world.apis.delete(id);
    endInside(world, `/v3/apis/${id}`);
  });
}

/** The wire form; attribute arrays lose their order on the way, as on the platform. */
function showApi(world: World, api: ApiRow): Record<string, unknown> {
  const versions = world.versions.find('api', api.id);
  const current = latestVersion(versions);
  return {
    id: api.id,
    name: api.name,
    description: api.description,
    version: api.version,
    slug: api.slug,
    labels: api.labels,
    attributes: Object.fromEntries(
      Object.entries(api.attributes).map(([key, values]) => [key, world.disorder(values)]),
    ),
    api_spec_ids: world.anyOrder(versions.map((row) => row.id)),
    portals: world.anyOrder(showPortals(world, api.id)),
    implementation_mode: implementationMode(world, api.id),
    current_version_summary: current === undefined ? null : showSummary(current),
    created_at: api.created_at,
    updated_at: api.updated_at,
  };
}

function showPortals(world: World, apiId: string): readonly Record<string, string>[] {
  return world.publications.find('api', apiId).flatMap((publication) => {
    const portal = world.portals.get(publication.portal_id);
    return portal === undefined ? [] : [{ id: portal.id, name: portal.name, display_name: portal.display_name }];
  });
}

function implementationMode(world: World, apiId: string): string | null {
  const implementation = world.implementations.first('api', apiId);
  if (implementation === undefined) return null;
  return implementation.service === undefined ? 'access_control_enforcement' : 'gateway_entity_binding';
}

function listRules(world: World): ListRules<ApiRow> {
  return {
    filters: {
      fields: {
        id: { operators: idOperators, read: (row) => row.id, lookup: (id) => present(world.apis.get(id)) },
        name: { operators: textOperators, read: (row) => row.name, lookup: (name) => world.apis.find('name', name) },
        version: { operators: textOperators, read: (row) => row.version },
        implementation_mode: { operators: textOperators, read: (row) => implementationMode(world, row.id) },
        created_at: { operators: timeOperators, read: (row) => row.created_at },
        updated_at: { operators: timeOperators, read: (row) => row.updated_at },
      },
      maps: {
        labels: { operators: textOperators, read: (row) => row.labels },
        attributes: { operators: textOperators, read: (row) => row.attributes },
      },
    },
    sorts: {
      name: (row) => row.name,
      version: (row) => row.version,
      created_at: (row) => row.created_at,
      updated_at: (row) => row.updated_at,
    },
  };
}

/** What an index by id finds, as a list. */
export function present<T>(row: T | undefined): readonly T[] {
  return row === undefined ? [] : [row];
}
