import { defined } from '../defined.js';
import type { ListRules } from '../list/list.js';
import { answerList } from '../list/list.js';
import { textOperators } from '../list/filter.js';
import { notFound } from '../problem.js';
import type { Route } from '../route.js';
import { ok } from '../route.js';
import type { VersionRow } from '../store/rows.js';
import type { World } from '../store/world.js';

const rules: ListRules<VersionRow> = {
  filters: {
    fields: {
      version: { operators: textOperators, read: (row) => row.version },
      type: { operators: textOperators, read: (row) => row.type },
    },
  },
  sorts: { created_at: (row) => row.created_at },
};

/** Versions of an API, made by its `spec_content`. They can be read here, not written. */
export function versionRoutes(world: World): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v3/apis/{apiId}/versions',
      family: 'catalogue',
      handle: (call) => {
        const api = world.apis.get(call.param('apiId'));
        if (api === undefined) throw notFound();
        const source = { name: `versions of ${api.id}`, all: () => world.versions.find('api', api.id) };
        return answerList(world, source, rules, call.query, showSummary);
      },
    },
    {
      method: 'GET',
      path: '/v3/apis/{apiId}/versions/{versionId}',
      family: 'catalogue',
      handle: (call) => {
        const row = world.versions.get(call.param('versionId'));
        if (row === undefined || row.api_id !== call.param('apiId')) throw notFound();
        return ok(showVersion(row));
      },
    },
  ];
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
