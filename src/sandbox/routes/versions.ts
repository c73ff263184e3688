import { defined } from '../defined.js';
import { type ListRules, answerList } from '../list/list.js';
import { textOperators } from '../list/filter.js';
import { conflict, notFound } from '../problem.js';
import { type Answer, type Call, type Route, created, noContent, ok } from '../route.js';
import { operationsIn, readSpecification } from '../specification.js';
import type { ApiRow, VersionRow } from '../store/rows.js';
import { type World, versionKey } from '../store/world.js';
import { changedVersion, newVersion } from '../validate/bodies.js';
import { readBody } from '../validate/checks.js';

const rules: ListRules<VersionRow> = {
  filters: {
    fields: {
      version: { operators: textOperators, read: (row) => row.version },
      type: { operators: textOperators, read: (row) => row.type },
    },
  },
  sorts: { created_at: (row) => row.created_at },
};

/** Versions of an API: made by its `spec_content`, or one by one. */
export function versionRoutes(world: World): readonly Route[] {
  const collection = '/v3/apis/{apiId}/versions';
  const item = `${collection}/{versionId}`;
  const family = 'catalogue';
  return [
    { method: 'POST', path: collection, family, handle: (call) => create(world, call) },
    { method: 'GET', path: collection, family, handle: (call) => list(world, call) },
    { method: 'GET', path: item, family, handle: (call) => ok(showVersion(find(world, call))) },
    { method: 'PATCH', path: item, family, handle: (call) => change(world, call) },
    {
      method: 'DELETE',
      path: item,
      family,
      handle: (call) => {
        world.versions.delete(find(world, call).id);
        return noContent;
      },
    },
  ];
}

function apiOf(world: World, call: Call): ApiRow {
  const api = world.apis.get(call.param('apiId'));
  if (api === undefined) throw notFound();
  return api;
}

function find(world: World, call: Call): VersionRow {
  const row = world.versions.get(call.param('versionId'));
  if (row === undefined || row.api_id !== call.param('apiId')) throw notFound();
  return row;
}

function list(world: World, call: Call): Answer {
  const api = apiOf(world, call);
  const source = { name: `versions of ${api.id}`, all: () => world.versions.find('api', api.id) };
  return answerList(world, source, rules, call.query, showSummary);
}

function create(world: World, call: Call): Answer {
  const api = apiOf(world, call);
  const given = readBody(newVersion, call.body);
  const now = world.now();
  const row = withContent(
    {
      id: crypto.randomUUID(),
      api_id: api.id,
      version: given.version ?? '',
      content: null,
      messages: [],
      created_at: now,
      updated_at: now,
    },
    given.spec.content ?? null,
  );
  refuseTaken(world, row);
  world.versions.put(row);
  return created(showVersion(row));
}

/** The name stays when only the specification changes; whether it follows `info.version` is unpublished. */
function change(world: World, call: Call): Answer {
  const row = find(world, call);
  const given = readBody(changedVersion, call.body);
  const named = {
    ...row,
    version: given.version === undefined ? row.version : (given.version ?? ''),
    updated_at: world.now(),
  };
  const changed = withContent(named, given.spec?.content === undefined ? row.content : given.spec.content);
  // A name that stays collides with nobody, whatever others were given behind everyone's back.
  if (changed.version !== row.version) refuseTaken(world, changed);
  if (call.query['force'] !== 'true') refuseLostOperations(world, row, changed);
  world.versions.put(changed);
  return ok(showVersion(changed));
}

/** A version without a name has the one that its specification says. */
function withContent(row: VersionRow, content: string | null): VersionRow {
  const { type: _, ...rest } = row;
  const specification = content === null ? { messages: [] } : readSpecification(content);
  const version = row.version === '' ? (specification.version ?? '1.0.0') : row.version;
  return { ...rest, version, content, ...defined({ type: specification.type }), messages: specification.messages };
}

function refuseTaken(world: World, row: VersionRow): void {
  const holder = world.versions.first('key', versionKey(row.api_id, row.version));
  if (holder !== undefined && holder.id !== row.id) throw conflict(`version: "${row.version}" already exists`);
}

/** Where access to operations is enforced, none disappears unless that is forced. */
function refuseLostOperations(world: World, old: VersionRow, changed: VersionRow): void {
  const isEnforced = world.implementations.find('api', old.api_id).some((row) => row.control_plane !== undefined);
  if (!isEnforced) return;
  const left = operationsIn(changed.content ?? '');
  const lost = [...operationsIn(old.content ?? '')].filter((operation) => !left.has(operation));
  if (lost.length > 0) throw conflict(`Operations with access control would be removed: ${lost.join(', ')}`);
}

/** The one that counts as current: the newest. */
export function latestVersion(versions: readonly VersionRow[]): VersionRow | undefined {
  return versions.reduce<VersionRow | undefined>(
    (latest, row) => (latest === undefined || row.created_at > latest.created_at ? row : latest),
    undefined,
  );
}

export function showSummary(row: VersionRow): Record<string, unknown> {
  return {
    id: row.id,
    version: row.version,
    spec: row.type === undefined ? {} : { type: row.type },
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function showVersion(row: VersionRow): Record<string, unknown> {
  return {
    ...showSummary(row),
    spec: {
      content: row.content,
      ...defined({ type: row.type }),
      validation_messages: row.messages.map((message) => ({ message })),
    },
  };
}
