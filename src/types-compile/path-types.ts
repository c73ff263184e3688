import type { JsonObject } from '../engine/model/value.js';
import type { Description } from './description.js';
import { isOfFixedSet } from './fixed-sets.js';
import { listsOf } from './list-rule.js';
import { membershipAt } from './memberships.js';
import { aboveOf, callOf, plainPath, type TypeSite, type UnnamedSite } from './type-site.js';

/** Last words of paths that name what is done to an object, and no object. */
const verbs = new Set(['move', 'verify', 'revoke', 'raw', 'search', 'validate', 'clone', 'sync', 'test', 'batch']);

/** Types that follow from paths: objects are made by POST where their items lie, by PUT of an item, or are always there. */
export function pathTypes(description: Description): readonly UnnamedSite[] {
  const items = itemsOf(description);
  const lists = listsOf(description);
  return [...description.paths].flatMap(([path, item]) => {
    const last = path.split('/').at(-1) ?? '';
    if (verbs.has(last) || path.includes('#')) return [];
    const site =
      membersAt(description, path, item) ??
      collectionAt(items, lists, path, item) ??
      aloneAt(description, items, path, item);
    return site === undefined ? [] : [site];
  });
}

type Items = ReadonlyMap<string, readonly [path: string, calls: JsonObject]>;

/** The item of each collection that can be read or deleted. */
function itemsOf({ paths }: Description): Items {
  const items = new Map<string, readonly [string, JsonObject]>();
  for (const [path, calls] of paths) {
    const above = aboveOf(path);
    const isItem = path.endsWith('}') && (callOf(calls, 'get') ?? callOf(calls, 'delete')) !== undefined;
    if (isItem && !items.has(plainPath(above))) items.set(plainPath(above), [path, calls]);
  }
  return items;
}

function collectionAt(
  items: Items,
  lists: ReadonlyMap<string, JsonObject>,
  path: string,
  item: JsonObject,
): UnnamedSite | undefined {
  const post = callOf(item, 'post');
  const below = items.get(plainPath(path));
  if (post === undefined || below === undefined || path.endsWith('}')) return undefined;
  const [own, calls] = below;
  const list = callOf(item, 'get') ?? lists.get(plainPath(path));
  return {
    ...{ shape: 'collection', create: ['POST', path], item: own, ...updateOf(calls) },
    calls: { ...callsOf(calls), create: post, ...called('list', list) },
    ...(list === undefined ? {} : { list: path }),
  };
}

function membersAt(description: Description, path: string, item: JsonObject): UnnamedSite | undefined {
  const above = aboveOf(path);
  const remove = callOf(description.paths.get(`${above}/remove`) ?? {}, 'post');
  const add = callOf(item, 'post');
  if (!path.endsWith('/add') || add === undefined || remove === undefined) return undefined;
  const list = callOf(description.paths.get(above) ?? {}, 'get');
  return membershipAt(description, [path, add], [`${above}/remove`, remove], list);
}

/** An item that PUT makes, one of a fixed set, or a thing that is always there. */
function aloneAt(description: Description, items: Items, path: string, item: JsonObject): UnnamedSite | undefined {
  const isItem = path.endsWith('}');
  const above = aboveOf(path);
  const collection = description.paths.get(above) ?? {};
  if (isItem && callOf(collection, 'post') !== undefined) return undefined;
  const isMade = !isItem && callOf(item, 'post') !== undefined && callOf(item, 'delete') !== undefined;
  const isChanged = isItem ? isOfFixedSet(description, path, item) : callOf(item, 'patch') !== undefined;
  const method = isMade ? 'POST' : isChanged ? 'PATCH' : 'PUT';
  const make = callOf(item, method.toLowerCase());
  if (make === undefined || callOf(item, 'get') === undefined) return undefined;
  if (!isItem && items.has(plainPath(path))) return undefined;
  const list = isItem ? callOf(collection, 'get') : undefined;
  return {
    ...{ shape: isItem ? 'upsert' : 'singleton', create: [method, path], item: path, ...updateOf(item) },
    calls: { ...callsOf(item), create: make, ...called('list', list) },
    ...(list === undefined ? {} : { list: above }),
  };
}

function callsOf(item: JsonObject): TypeSite['calls'] {
  return {
    ...called('read', callOf(item, 'get')),
    ...called('update', callOf(item, 'patch') ?? callOf(item, 'put')),
    ...called('delete', callOf(item, 'delete')),
  };
}

function updateOf(item: JsonObject): Pick<TypeSite, 'update'> {
  if (callOf(item, 'patch') !== undefined) return { update: 'PATCH' };
  return callOf(item, 'put') === undefined ? {} : { update: 'PUT' };
}

function called(name: string, call: JsonObject | undefined): TypeSite['calls'] {
  return call === undefined ? {} : { [name]: call };
}
