import { defined, isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { PagingRule } from '@platform-sync/rest/paging';
import type { Description } from './description.js';
import { kindOf, merged } from './merge.js';
import { callOf, plainPath } from './type-site.js';

/** Items that are asked for at a time, where the service allows as many. */
const mostItems = 100;

/** How a list comes in pages: by what its query takes and what its answer holds or names. Undefined: nothing in it is a list. */
export function pagingOf(description: Description, list: JsonObject): PagingRule | undefined {
  const answer = merged(description, description.answerOf(list));
  const way = itemsAt(description, answer);
  if (way === undefined) return undefined;
  const items = way.join('.');
  const asked = askedBy(description, list);
  const size = sizeOf(asked);
  const members = kindOf(answer) === 'array' ? [] : membersIn(description, answer);
  const total = totalOf(members);
  const counted = total === undefined ? {} : { total: total.path, ...(total.isSure ? {} : { counted: false }) };
  const cursor = asked.find(({ role }) => role === 'cursor');
  const offset = asked.find(({ role }) => role === 'offset');
  const number = asked.find(({ role }) => role === 'number');
  const next = nextOf(members, cursor ?? offset);
  if (cursor !== undefined && next !== undefined)
    return { by: 'cursor', items, cursor: cursor.name, next, ...counted, ...size };
  // An offset that the answer hands out is a cursor.
  if (offset !== undefined && next !== undefined && total === undefined)
    return { by: 'cursor', items, cursor: offset.name, next, ...size };
  if (number !== undefined)
    return {
      by: 'number',
      items,
      number: number.name,
      ...(number.least === 0 ? { first: 0 } : {}),
      ...counted,
      ...size,
    };
  if (offset !== undefined) return { by: 'offset', items, offset: offset.name, ...counted, ...size };
  if (hasLink(description, list)) return { by: 'link', items, ...counted, ...size };
  const more = members.find(
    ({ name, kind }) => kind === 'boolean' && /^(?:has)?(?:more|next)(?:page|items|results)?$/.test(name),
  );
  if (cursor !== undefined && more !== undefined)
    return { by: 'last', items, cursor: cursor.name, more: more.path, ...counted, ...size };
  const address = addressOf(members);
  if (address !== undefined) return { by: 'link', items, next: address, ...counted, ...size };
  // A list that is the whole answer leaves no other place for it.
  if (cursor !== undefined && items === '') return { by: 'link', items, ...size };
  return { by: 'none', items };
}

/** True where pages are taken to be named in a header that the description leaves out. */
export function isLinkGuessed(description: Description, list: JsonObject, rule: PagingRule | undefined): boolean {
  return rule?.by === 'link' && rule.next === undefined && !hasLink(description, list);
}

type Role = 'size' | 'number' | 'offset' | 'cursor';

const roles: Readonly<Record<Role, RegExp>> = {
  size: /^(?:size|limit|perpage|pagesize|pagelimit|maxresults?|maxitems|itemsperpage|resultsperpage|numberperpage|top|take|count|max)$/,
  number: /^page(?:number|num|no|index)?$/,
  offset: /^(?:page)?(?:offset|skip|start|startat|startindex|firstresult)$/,
  cursor:
    /^(?:page)?(?:cursor|token|after|marker|bookmark|iterator|continue|continuation|continuationtoken|nexttoken|nextcursor|nextpagetoken|startcursor|startingafter|startafter|afterid|scrollid|exclusivestartkey)$/,
};

interface Asked {
  readonly name: string;
  readonly role: Role;
  readonly least: Json | undefined;
  readonly most: number;
}

/** Query parameters that lead through pages, by what they are called in any spelling. */
function askedBy(description: Description, list: JsonObject): readonly Asked[] {
  return queriesOf(description, list).flatMap(({ name, schema }): readonly Asked[] => {
    const { minimum, default: preset, maximum } = merged(description, schema);
    const role = (Object.keys(roles) as Role[]).find((each) => roles[each].test(plainName(name)));
    const least = preset === 0 || minimum === 0 ? 0 : undefined;
    return role === undefined ? [] : [{ name, role, least, most: typeof maximum === 'number' ? maximum : mostItems }];
  });
}

/** Query parameters one by one: an object that is spread over several (`deepObject`) is asked for by its members. */
function queriesOf(
  description: Description,
  { parameters }: JsonObject,
): readonly { readonly name: string; readonly schema: Json | undefined }[] {
  return (isList(parameters) ? parameters : [])
    .map((each) => description.at(each))
    .flatMap(({ in: where, name, schema, style }) => {
      if (where !== 'query' || typeof name !== 'string') return [];
      const members = style === 'deepObject' ? description.at(merged(description, schema)['properties']) : {};
      const spread = Object.entries(members).map(([member, its]) => ({ name: `${name}[${member}]`, schema: its }));
      return spread.length > 0 ? spread : [{ name, schema }];
    });
}

function sizeOf(asked: readonly Asked[]): { readonly size?: { readonly parameter: string; readonly items: number } } {
  const size = asked.find(({ role }) => role === 'size');
  return defined({ size: size && { parameter: size.name, items: Math.max(1, Math.min(mostItems, size.most)) } });
}

/** What a description asks for pages with, as it says it: signs of pages. */
export function signsOfPages(description: Description, list: JsonObject): readonly string[] {
  const answer = merged(description, description.answerOf(list));
  const next = kindOf(answer) === 'array' ? undefined : nextOf(membersIn(description, answer), undefined);
  return [...askedBy(description, list).map(({ name }) => name), ...(next === undefined ? [] : [next.join('.')])];
}

/** `page[after]`, `pageAfter` and `$page_after` are one name. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** A header Link of the answer (RFC 8288). */
function hasLink(description: Description, list: JsonObject): boolean {
  const answers = description.at(list['responses']);
  const done = Object.keys(answers).find((status) => status.startsWith('2')) ?? '';
  const headers = Object.keys(description.at(description.at(answers[done])['headers']));
  return headers.some((name) => name.toLowerCase() === 'link');
}

/** Where the items of a list stand in an answer; an empty way: it is the list. Undefined: it holds none. */
export function itemsAt(description: Description, answer: JsonObject): readonly string[] | undefined {
  if (kindOf(answer) === 'array') return [];
  const members = Object.entries(description.at(answer['properties'])).map(
    ([name, schema]) => [name, merged(description, schema)] as const,
  );
  const lists = members.filter(([, schema]) => kindOf(schema) === 'array');
  const ofRecords = lists.filter(([, { items }]) => !isScalar(description, items));
  const called = (each: readonly (typeof members)[number][]): string | undefined =>
    (each.find(([name]) => name === 'data' || name === 'items' || name === 'results') ?? each[0])?.[0];
  const own = called(ofRecords) ?? called(lists);
  if (own !== undefined) return [own];
  const deeper = members.flatMap(([name, schema]): (readonly string[])[] => {
    const inner = Object.entries(description.at(schema['properties'])).find(([, each]) => {
      const at = merged(description, each);
      return kindOf(at) === 'array' && !isScalar(description, at['items']);
    });
    return inner === undefined ? [] : [[name, inner[0]]];
  });
  return deeper.length === 1 ? deeper[0] : undefined;
}

function isScalar(description: Description, schema: Json | undefined): boolean {
  return ['string', 'integer', 'number', 'boolean'].includes(kindOf(merged(description, schema)) ?? '');
}

interface Member {
  readonly path: readonly string[];
  /** Its name, and those of what it stands in, in one spelling. */
  readonly name: string;
  readonly above: string;
  readonly kind: string | undefined;
  /** Every answer has it, and not as null. */
  readonly isSure: boolean;
}

/** What an answer says beside its items. */
function membersIn(
  description: Description,
  schema: JsonObject,
  path: readonly string[] = [],
  isSure = true,
): readonly Member[] {
  const required = new Set(isList(schema['required']) ? schema['required'].map(String) : []);
  return Object.entries(description.at(schema['properties'])).flatMap(([name, each]): readonly Member[] => {
    const at = merged(description, each);
    const isOwn = isSure && required.has(name) && at['nullable'] !== true && !asKinds(at['type']).includes('null');
    const member = {
      ...{ path: [...path, name], name: plainName(name), above: plainName(path.at(-1) ?? '') },
      ...{ kind: kindOf(at), isSure: isOwn },
    };
    const inside = isObject(at['properties']) && path.length < 2;
    return inside ? [member, ...membersIn(description, at, [...path, name], isOwn)] : [member];
  });
}

function asKinds(type: Json | undefined): readonly Json[] {
  return isList(type) ? type : [];
}

function totalOf(members: readonly Member[]): Member | undefined {
  const isNumber = ({ kind }: Member): boolean => kind === 'integer' || kind === 'number';
  const has = (name: string): boolean => members.some((each) => each.name === name && each.path.length === 1);
  return (
    members.find(
      (each) => isNumber(each) && /^(?:total|totalcount|totalitems|totalresults|totalelements)$/.test(each.name),
    ) ??
    // Beside addresses of both neighbours it counts all.
    members.find((each) => isNumber(each) && each.name === 'count' && has('next') && has('previous'))
  );
}

const nextNames = [
  /^next(?:page)?(?:cursor|token|marker|offset)$/,
  /^next$/,
  /^(?:end|last)cursor$/,
  /^(?:cursor|after|iterator|marker|bookmark|continue|continuation|continuationtoken|scrollid|lastid|offset|lastevaluatedkey)$/,
];

/** Where the next page stands: best in a member called like the parameter that takes it. */
function nextOf(members: readonly Member[], asked: Asked | undefined): readonly string[] | undefined {
  const texts = members.filter(({ kind, above }) => kind === 'string' && !/^(?:prev|previous|self|first)/.test(above));
  const own = asked === undefined ? undefined : texts.find(({ name }) => name === plainName(asked.name));
  return (
    own ?? nextNames.map((pattern) => texts.find(({ name }) => pattern.test(name))).find((each) => each !== undefined)
  )?.path;
}

/** Members that hold the address of the next page, where no parameter takes what they hold. */
function addressOf(members: readonly Member[]): readonly string[] | undefined {
  const texts = members.filter(({ kind }) => kind === 'string');
  return (
    texts.find(({ name }) => /^(?:next|(?:odata)?nextlink|next(?:page)?(?:url|uri))$/.test(name)) ??
    texts.find(({ name, above }) => above === 'next' && /^(?:href|url|uri)$/.test(name))
  )?.path;
}

/** The GET of each path, of several the one that says most of how it is asked. */
export function listsOf({ paths }: Description): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const [path, item] of paths) {
    const call = callOf(item, 'get');
    if (call === undefined || path.endsWith('}')) continue;
    const known = found.get(plainPath(path));
    if (known === undefined || parameterCount(call) > parameterCount(known)) found.set(plainPath(path), call);
  }
  return found;
}

function parameterCount({ parameters }: JsonObject): number {
  return isList(parameters) ? parameters.length : 0;
}
