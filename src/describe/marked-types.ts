import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { Description } from './description.js';
import { listsOf } from './list-rule.js';
import { membershipAt } from './memberships.js';
import { aboveOf, callOf, plainPath, sentPath, type Operation, type TypeSite, type UnnamedSite } from './type-site.js';

const methods = ['post', 'put', 'patch', 'get', 'delete'] as const;

interface MarkedCall {
  readonly method: (typeof methods)[number];
  readonly path: string;
  readonly call: JsonObject;
}

/** Types that marks at calls name: `Api#create`, `Logo#create,update`. `way` leads to the mark. */
export function markedTypes(description: Description, way: string): readonly TypeSite[] {
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
