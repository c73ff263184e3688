import { type JsonObject, isJsonObject } from '../json.js';
import type { Query } from '../route.js';
import { scatter } from '../store/shuffle.js';
import type { World } from '../store/world.js';
import { type Find, readFilters } from './filter.js';
import { readLabelFilter } from './label-filter.js';
import { askedOf } from './questions.js';
import { readSort } from './sort.js';

/** Objects as they lie, to be asked. */
interface Listed {
  /** Path of the list, without the names of its parameters, and with ids. */
  readonly path: string;
  readonly place: string;
  readonly all: () => readonly JsonObject[];
  readonly find: Find;
}

const mostViews = 64;

/** The objects that a request asks for, in its order. Walking pages filters and sorts once, as long as nothing changes in between. */
export function select(world: World, listed: Listed, query: Query): readonly JsonObject[] {
  const key = viewKey(listed.place, query);
  const known = world.views.get(key);
  if (known !== undefined) return known;
  const found = ordered(world, listed, query);
  if (world.views.size >= mostViews) world.views.clear();
  world.views.set(key, found);
  return found;
}

function viewKey(name: string, query: Query): string {
  const parameters = Object.entries(query).filter(([parameter]) => !parameter.startsWith('page['));
  return parameters.length === 0 ? name : `${name} ${JSON.stringify(parameters)}`;
}

function ordered(world: World, listed: Listed, query: Query): readonly JsonObject[] {
  const asked = askedOf(world, listed.path);
  if (asked === undefined)
    return shuffled(
      world,
      listed.all().filter((object) => isAskedFor(object, query)),
    );
  const filters = readFilters(query, asked.filters, listed.find);
  const compare = asked.sorts === undefined ? undefined : readSort(query, asked.sorts);
  const candidates = filters.find((filter) => filter.candidates !== undefined)?.candidates?.() ?? listed.all();
  let objects = candidates;
  if (filters.length > 0) objects = objects.filter((object) => filters.every((filter) => filter.matches(object)));
  for (const name of asked.labels) {
    const holds = readLabelFilter(query, name);
    const labels = ({ [name]: value }: JsonObject): JsonObject => (isJsonObject(value) ? value : {});
    if (holds !== undefined) objects = objects.filter((object) => holds(labels(object)));
  }
  const mixed = shuffled(world, objects);
  return compare === undefined ? mixed : [...mixed].sort(compare);
}

function shuffled({ shuffle }: World, objects: readonly JsonObject[]): readonly JsonObject[] {
  return shuffle === undefined ? objects : scatter(objects, shuffle);
}

/** `filter[name][eq]=…` and `filter[name][contains]=…`. */
function isAskedFor(object: JsonObject, query: Query): boolean {
  return Object.entries(query).every(([parameter, wanted]) => {
    const [, field, operator = 'eq'] = /^filter\[([^\]]+)\](?:\[([^\]]+)\])?$/.exec(parameter) ?? [];
    if (field === undefined || typeof wanted !== 'string') return true;
    const value = String(object[field] ?? '');
    return operator === 'contains' ? value.toLowerCase().includes(wanted.toLowerCase()) : value === wanted;
  });
}
