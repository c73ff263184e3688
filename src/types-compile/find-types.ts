import type { JsonObject } from '../engine/model/value.js';
import { isObject } from '../engine/model/value.js';
import type { Description } from './description.js';
import type { Rules } from './rules-file.js';
import { pascal, singular } from './words.js';

/** Where objects of one type are made, read, changed and listed. */
export interface TypeSite {
  readonly name: string;
  readonly shape: 'collection' | 'upsert' | 'singleton';
  /** Paths with the parameters as the description calls them. */
  readonly create: readonly ['POST' | 'PUT' | 'PATCH', path: string];
  readonly item: string;
  readonly calls: Readonly<Partial<Record<'create' | 'read' | 'update' | 'delete' | 'list', JsonObject>>>;
  readonly update?: 'PATCH' | 'PUT';
  readonly list?: string;
}

/** Last words of paths that name what is done to an object, and no object. */
const verbs = new Set(['move', 'verify', 'revoke', 'raw', 'search', 'validate', 'clone', 'sync', 'test', 'batch']);

type Unnamed = Omit<TypeSite, 'name'> & { readonly marked: string | undefined };

/** Rule 0: what is a type. Objects are made by POST where their items lie, by PUT of an item, or are always there. */
export function findTypes(description: Description, rules: Rules): readonly TypeSite[] {
  const found: Unnamed[] = [];
  const items = itemsOf(description);
  for (const [path, item] of description.paths) {
    const last = path.split('/').at(-1) ?? '';
    if (verbs.has(last) || path.includes('#')) continue;
    const site = collectionAt(items, path, item) ?? aloneAt(description, items, path, item);
    if (site !== undefined) found.push({ ...site, marked: markOf(site.calls.create ?? {}, rules) });
  }
  return named(found, rules);
}

type Items = ReadonlyMap<string, readonly [path: string, calls: JsonObject]>;

/** The item of each collection that can be read or deleted. */
function itemsOf({ paths }: Description): Items {
  const items = new Map<string, readonly [string, JsonObject]>();
  for (const [path, calls] of paths) {
    const above = path.slice(0, path.lastIndexOf('/'));
    const isItem = path.endsWith('}') && (callOf(calls, 'get') ?? callOf(calls, 'delete')) !== undefined;
    if (isItem && !items.has(above)) items.set(above, [path, calls]);
  }
  return items;
}

function collectionAt(items: Items, path: string, item: JsonObject): Omit<TypeSite, 'name'> | undefined {
  const post = callOf(item, 'post');
  const below = items.get(path);
  if (post === undefined || below === undefined || path.endsWith('}')) return undefined;
  const [own, calls] = below;
  return {
    ...{ shape: 'collection', create: ['POST', path], item: own, ...updateOf(calls) },
    calls: { ...callsOf(calls), create: post, ...named_('list', callOf(item, 'get')) },
    ...(callOf(item, 'get') === undefined ? {} : { list: path }),
  };
}

/** An item that PUT makes, or a thing that is always there. */
function aloneAt(
  description: Description,
  items: Items,
  path: string,
  item: JsonObject,
): Omit<TypeSite, 'name'> | undefined {
  const isItem = path.endsWith('}');
  const above = path.slice(0, path.lastIndexOf('/'));
  const collection = description.paths.get(above) ?? {};
  if (isItem && callOf(collection, 'post') !== undefined) return undefined;
  const method = isItem ? 'PUT' : callOf(item, 'patch') === undefined ? 'PUT' : 'PATCH';
  const make = callOf(item, method.toLowerCase());
  if (make === undefined || callOf(item, 'get') === undefined) return undefined;
  if (!isItem && items.has(path)) return undefined;
  const list = isItem ? callOf(collection, 'get') : undefined;
  return {
    ...{ shape: isItem ? 'upsert' : 'singleton', create: [method, path], item: path, ...updateOf(item) },
    calls: { ...callsOf(item), create: make, ...named_('list', list) },
    ...(list === undefined ? {} : { list: above }),
  };
}

function callsOf(item: JsonObject): TypeSite['calls'] {
  return {
    ...named_('read', callOf(item, 'get')),
    ...named_('update', callOf(item, 'patch') ?? callOf(item, 'put')),
    ...named_('delete', callOf(item, 'delete')),
  };
}

function updateOf(item: JsonObject): Pick<TypeSite, 'update'> {
  if (callOf(item, 'patch') !== undefined) return { update: 'PATCH' };
  return callOf(item, 'put') === undefined ? {} : { update: 'PUT' };
}

function named_(name: string, call: JsonObject | undefined): TypeSite['calls'] {
  return call === undefined ? {} : { [name]: call };
}

function callOf(item: JsonObject, method: string): JsonObject | undefined {
  const call = item[method];
  return isObject(call) ? (call as JsonObject) : undefined;
}

/** `Api` of the mark `Api#create`, where the rules file says which mark names types. */
function markOf(create: JsonObject, { entityMark }: Rules): string | undefined {
  const mark = entityMark
    ?.split('/')
    .reduce<unknown>((at, name) => (isObject(at) ? (at as JsonObject)[name] : undefined), create);
  return typeof mark === 'string' ? mark.split('#')[0] : undefined;
}

/** By the mark, else by the last fixed words in the singular: as many as it takes to tell it from others. */
function named(found: readonly Unnamed[], rules: Rules): readonly TypeSite[] {
  const words = found.map(({ create: [, path] }) =>
    path
      .split('/')
      .filter((part) => part !== '' && !part.startsWith('{') && !/^v\d+$/.test(part))
      .map((part) => pascal(singular(part))),
  );
  const text = (at: number, count: number): string => (words[at] ?? []).slice(-count).join('');
  const times = new Map<string, number>();
  for (const [at, own] of words.entries())
    for (let count = 1; count <= own.length; count += 1)
      times.set(`${count} ${text(at, count)}`, (times.get(`${count} ${text(at, count)}`) ?? 0) + 1);
  const names = found.map(({ marked, create: [, path] }, at) => {
    const said = rules.names[path] ?? marked;
    if (said !== undefined) return said;
    let count = 1;
    while (count < (words[at] ?? []).length && (times.get(`${count} ${text(at, count)}`) ?? 0) > 1) count += 1;
    return text(at, count);
  });
  const seen = new Map<string, number>();
  return found.map(({ marked: _, ...site }, at) => {
    const name = names[at] ?? '';
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return { name: nth === 1 ? name : `${name}${nth}`, ...site };
  });
}
