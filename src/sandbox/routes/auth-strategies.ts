import { isJsonObject, patchMap, type JsonObject } from '../json.js';
import { textOperators } from '../list/filter.js';
import { answerList, type ListRules } from '../list/list.js';
import { conflict, invalid, notFound } from '../problem.js';
import { type Answer, type Call, type Route, created, noContent, ok } from '../route.js';
import type { StrategyRow } from '../store/rows.js';
import type { World } from '../store/world.js';
import { readBody } from '../validate/checks.js';
import { checkLabelCount } from '../validate/labels.js';
import { changedStrategy, newStrategy } from '../validate/portal-bodies.js';

const rules: ListRules<StrategyRow> = {
  filters: {
    fields: {
      name: { operators: textOperators, read: (row) => row.name },
      display_name: { operators: textOperators, read: (row) => row.display_name },
      strategy_type: { operators: textOperators, read: (row) => row.strategy_type },
    },
  },
};

/** How applications sign in. */
export function strategyRoutes(world: World): readonly Route[] {
  const collection = '/v2/application-auth-strategies';
  const item = `${collection}/{strategyId}`;
  const family = 'catalogue';
  const show = ({ dcr_provider_id: dcr = null, ...row }: StrategyRow): Record<string, unknown> => ({
    ...row,
    active: isUsed(world, row.id),
    dcr_provider: dcr === null ? null : { id: dcr, name: dcr, provider_type: 'http' },
  });
  return [
    { method: 'POST', path: collection, family, handle: (call) => create(world, call, show) },
    {
      method: 'GET',
      path: collection,
      family,
      handle: (call) => answerList(world, world.strategies, rules, call.query, show),
    },
    { method: 'GET', path: item, family, handle: (call) => ok(show(find(world, call))) },
    { method: 'PATCH', path: item, family, handle: (call) => change(world, call, show) },
    { method: 'DELETE', path: item, family, handle: (call) => remove(world, call) },
  ];
}

type Show = (row: StrategyRow) => Record<string, unknown>;

function find(world: World, call: Call): StrategyRow {
  const row = world.strategies.get(call.param('strategyId'));
  if (row === undefined) throw notFound();
  return row;
}

function create(world: World, call: Call, show: Show): Answer {
  const given = readBody(newStrategy, call.body);
  const now = world.now();
  const row: StrategyRow = {
    ...{ id: crypto.randomUUID(), name: given.name, display_name: given.display_name },
    ...{ strategy_type: given.strategy_type, labels: given.labels ?? {} },
    configs: configsOf(given.strategy_type, {}, given.configs),
    dcr_provider_id: given.dcr_provider_id ?? null,
    ...{ created_at: now, updated_at: now },
  };
  world.strategies.put(row);
  return created(show(row));
}

function change(world: World, call: Call, show: Show): Answer {
  const row = find(world, call);
  const given = readBody(changedStrategy, call.body);
  const labels = given.labels === null ? {} : patchMap(row.labels, given.labels ?? {});
  checkLabelCount(labels, 'labels');
  const changed: StrategyRow = {
    ...row,
    name: given.name ?? row.name,
    display_name: given.display_name ?? row.display_name,
    configs: configsOf(row.strategy_type, row.configs, given.configs ?? {}),
    ...(given.dcr_provider_id === undefined ? {} : { dcr_provider_id: given.dcr_provider_id }),
    labels,
    updated_at: world.now(),
  };
  world.strategies.put(changed);
  return ok(show(changed));
}

/** The settings of its own kind; a change names those that change, and null takes one off. */
function configsOf(type: StrategyRow['strategy_type'], old: JsonObject, given: JsonObject): JsonObject {
  const key = type === 'key_auth' ? 'key-auth' : 'openid-connect';
  const foreign = Object.keys(given).find((name) => name !== key);
  if (foreign !== undefined)
    throw invalid({ field: `configs.${foreign}`, rule: 'invalid', reason: `not of ${type}`, source: 'body' });
  const [before, change] = [old[key], given[key]];
  return { [key]: patchMap(isJsonObject(before) ? before : {}, isJsonObject(change) ? change : {}) };
}

function isUsed(world: World, id: string): boolean {
  return world.publications.all().some((row) => row.auth_strategy_ids?.includes(id) === true);
}

function remove(world: World, call: Call): Answer {
  const { id } = find(world, call);
  if (isUsed(world, id)) throw conflict('The strategy is used by published APIs');
  world.strategies.delete(id);
  return noContent;
}
