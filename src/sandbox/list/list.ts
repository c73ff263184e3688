import { type Answer, type Query, ok } from '../route.js';
import type { Row } from '../store/collection.js';
import type { Labels } from '../store/rows.js';
import { scatter } from '../store/shuffle.js';
import type { World } from '../store/world.js';
import { type Filter, type FilterTable, readFilters } from './filter.js';
import { readLabelFilter } from './label-filter.js';
import { paged, readPage } from './page.js';
import { type SortTable, readSort } from './sort.js';

/** What a list endpoint understands. */
export interface ListRules<T> {
  readonly filters?: FilterTable<T>;
  /** `labels`-style parameters, by name. */
  readonly labels?: Readonly<Record<string, (row: T) => Labels>>;
  /** Absent: the endpoint has no sort and does not look at the parameter. */
  readonly sorts?: SortTable<T>;
}

interface Listed<T extends Row> {
  readonly name: string;
  all(): readonly T[];
}

const mostViews = 64;

/** Answers a paged list. Walking its pages filters and sorts once, as long as nothing changes in between. */
export function answerList<T extends Row, A>(
  world: World,
  source: Listed<T>,
  rules: ListRules<T>,
  query: Query,
  show: (row: T) => A,
): Answer {
  const page = readPage(query);
  const key = viewKey(source.name, query);
  let rows = world.views.get(key) as readonly T[] | undefined;
  if (rows === undefined) {
    rows = select(world, source, rules, query);
    if (world.views.size >= mostViews) world.views.clear();
    world.views.set(key, rows);
  }
  return ok(paged(rows, page, show) as Answer['body'] & object);
}

function viewKey(name: string, query: Query): string {
  const parameters = Object.entries(query).filter(([parameter]) => !parameter.startsWith('page['));
  return parameters.length === 0 ? name : `${name} ${JSON.stringify(parameters)}`;
}

function select<T extends Row>(world: World, source: Listed<T>, rules: ListRules<T>, query: Query): readonly T[] {
  const filters = rules.filters === undefined ? [] : readFilters(query, rules.filters);
  const compare = rules.sorts === undefined ? undefined : readSort(query, rules.sorts);
  let rows = filters.find((filter) => filter.candidates !== undefined)?.candidates?.() ?? source.all();
  if (filters.length > 0) rows = rows.filter((row) => filters.every((filter: Filter<T>) => filter.matches(row)));
  for (const [parameter, read] of Object.entries(rules.labels ?? {})) {
    const holds = readLabelFilter(query, parameter);
    if (holds !== undefined) rows = rows.filter((row) => holds(read(row)));
  }
  if (world.shuffle !== undefined) rows = scatter(rows, world.shuffle);
  return compare === undefined ? rows : [...rows].sort(compare);
}
