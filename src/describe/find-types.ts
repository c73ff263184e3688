import type { Description } from './description.js';
import type { Rules } from './rules-file.js';
import { aboveOf, callOf, type Operation, plainPath, sentPath, type TypeSite, type UnnamedSite } from './type-site.js';
import { pascal, singular } from './words.js';
import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { listsOf } from './list-rule.js';
import { membershipAt } from './memberships.js';
import { isOfFixedSet } from './fixed-sets.js';

/** Rule 0: what is a type. Marks say it, where the rules file says which; else it follows from the paths. */
export function findTypes(description: Description, rules: Rules): readonly TypeSite[] {
  const marked = rules.entityMark === undefined ? [] : markedTypes(description, rules.entityMark);
  const known = new Set(marked.map(({ create }) => sentPath(create[1])));
  const calls = new Set(marked.map((each) => each.calls.create));
  // Beside what marks name at a path, a call of its own without a mark makes a type where the rules file names it.
  const others = pathTypes(description).filter(
    ({ create: [, path], calls: { create } }) =>
      !known.has(path) || (rules.names[path] !== undefined && !calls.has(create)),
  );
  return [...marked, ...named(others, rules, { marked, shared: sharedWords([...description.paths.keys()]) })];
}

/** Words that most paths begin with, and that name nothing by themselves: `api` and `0` of `/api/0/teams`. */
function sharedWords(paths: readonly string[]): readonly string[] {
  const shared: string[] = [];
  let left = paths.map((path) => path.split('/').slice(1));
  for (;;) {
    const counts = new Map<string, number>();
    for (const words of left) if (words.length > 1) counts.set(words[0] ?? '', (counts.get(words[0] ?? '') ?? 0) + 1);
    const [most] = [...counts].sort(([, a], [, b]) => b - a);
    if (most === undefined || most[0].startsWith('{') || most[1] * 2 <= paths.length || most[1] < 2) return shared;
    left = left.filter(([word]) => word === most[0]).map((words) => words.slice(1));
    // Things lie there.
    if (left.some(([next = '{']) => next.startsWith('{'))) return shared;
    shared.push(most[0]);
  }
}

function withoutShared(parts: readonly string[], shared: readonly string[]): readonly string[] {
  const end = parts.findIndex((part, at) => part !== shared[at]);
  return end < 0 ? [] : parts.slice(end);
}

/** By the last fixed words in the singular: as many as it takes to tell it from others. */
function named(
  found: readonly UnnamedSite[],
  rules: Rules,
  { marked, shared }: { readonly marked: readonly TypeSite[]; readonly shared: readonly string[] },
): readonly TypeSite[] {
  const words = found.map(({ create: [, path], list, members }) => {
    const parts = (members === undefined ? path : (list ?? path)).split('/').slice(1);
    return fixedWords(withoutShared(parts, shared)) ?? fixedWords(parts) ?? ['Object'];
  });
  const text = (at: number, count: number): string => (words[at] ?? []).slice(-count).join('');
  const times = new Map<string, number>();
  for (const [at, own] of words.entries())
    for (let count = 1; count <= own.length; count += 1)
      times.set(`${count} ${text(at, count)}`, (times.get(`${count} ${text(at, count)}`) ?? 0) + 1);
  const names = found.map(({ create: [, path] }, at) => {
    const said = rules.names[path];
    if (said !== undefined) return said;
    let count = 1;
    while (count < (words[at] ?? []).length && (times.get(`${count} ${text(at, count)}`) ?? 0) > 1) count += 1;
    return text(at, count);
  });
  const seen = new Map<string, number>(marked.map(({ name }) => [name, 1]));
  return found.map((site, at) => {
    const name = names[at] ?? '';
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return { name: nth === 1 ? name : `${name}${nth}`, ...site };
  });
}

/** The words of a path that are no parameter and no version; undefined where there are none. */
function fixedWords(parts: readonly string[]): readonly string[] | undefined {
  const words = parts
    .filter((part) => !part.startsWith('{') && !/^v\d+(?:(?:alpha|beta)\d*)?$/.test(part))
    .map((part) => pascal(singular(part)).replace(/^(?=\d)/, 'No'))
    .filter((word) => word !== '');
  return words.length === 0 ? undefined : words;
}

const methods = ['post', 'put', 'patch', 'get', 'delete'] as const;

interface MarkedCall {
  readonly method: (typeof methods)[number];
  readonly path: string;
  readonly call: JsonObject;
}

/** Types that marks at calls name: `Api#create`, `Logo#create,update`. `way` leads to the mark. */
function markedTypes(description: Description, way: string): readonly TypeSite[] {
  const types = new Map<string, Map<string, MarkedCall>>();
  for (const [path, item] of description.paths)
    for (const method of methods) {
      const call = callOf(item, method);
      if (call === undefined) continue;
      for (const mark of marksOf(call, way)) {
        const [name = '', operations = 'create'] = mark.split('#');
        const own = types.get(name) ?? new Map<string, MarkedCall>();
        types.set(name, own);
        for (const operation of operations.split(',')) own.set(operation, { method, path: sentPath(path), call });
      }
    }
  const lists = listsOf(description);
  return [...types].flatMap(([name, calls]) => {
    const site = membershipOf(description, calls, lists) ?? siteOf(calls, lists);
    return site === undefined ? [] : [{ name, ...site }];
  });
}

/** One mark or several, at the end of the way or before it. */
function marksOf(call: JsonObject, way: string): readonly string[] {
  let at: Json | undefined = call;
  for (const name of way.split('/')) if (isObject(at)) at = at[name];
  return (isList(at) ? at : [at]).filter((mark) => typeof mark === 'string');
}

function membershipOf(
  description: Description,
  calls: ReadonlyMap<string, MarkedCall>,
  lists: ReadonlyMap<string, JsonObject>,
): UnnamedSite | undefined {
  const [add, remove] = [calls.get('create'), calls.get('delete')];
  if (add?.method !== 'post' || remove?.method !== 'post') return undefined;
  const list = lists.get(plainPath(aboveOf(add.path)));
  return membershipAt(description, [add.path, add.call], [remove.path, remove.call], list);
}

const makers = { post: 'POST', put: 'PUT', patch: 'PATCH' } as const;

function siteOf(
  calls: ReadonlyMap<string, MarkedCall>,
  lists: ReadonlyMap<string, JsonObject>,
): UnnamedSite | undefined {
  const create = calls.get('create');
  if (create === undefined || !(create.method in makers)) return undefined;
  const [read, remove] = [calls.get('read'), calls.get('delete')];
  const update = calls.get('update') ?? (create.method === 'post' ? undefined : create);
  const item = (read ?? update ?? remove ?? create).path;
  const isItem = item.endsWith('}');
  const shape = isItem ? (create.path === item ? 'upsert' : 'collection') : 'singleton';
  const list = isItem ? aboveOf(item) : undefined;
  const listed = list === undefined ? undefined : lists.get(plainPath(list));
  const ends = remove?.method === 'delete';
  const resets = remove?.method === 'patch' || remove?.method === 'put';
  const changes = update?.method === 'patch' ? 'PATCH' : update?.method === 'put' ? 'PUT' : undefined;
  const known: readonly (readonly [Operation, JsonObject | undefined])[] = [
    ['create', create.call],
    ['read', read?.call],
    ['update', update?.call],
    ['delete', resets ? undefined : remove?.call],
    ['reset', resets ? remove.call : undefined],
    ['list', listed],
  ];
  return {
    shape,
    create: [makers[create.method as keyof typeof makers], create.path],
    item,
    calls: Object.fromEntries(known.filter(([, call]) => call !== undefined)),
    ...(changes === undefined ? {} : { update: changes }),
    ...(remove === undefined || ends || resets ? {} : { removal: ['POST', remove.path] }),
    ...(list === undefined || listed === undefined ? {} : { list }),
  };
}

/** Last words of paths that name what is done to an object, and no object. */
const verbs = new Set(['move', 'verify', 'revoke', 'raw', 'search', 'validate', 'clone', 'sync', 'test', 'batch']);

/** Types that follow from paths: objects are made by POST where their items lie, by PUT of an item, or are always there. */
function pathTypes(description: Description): readonly UnnamedSite[] {
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
