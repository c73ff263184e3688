import { defined, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { asObject, asText, BadAnswer } from './http/json.js';
import type { ListPage } from './http/list-reader.js';
import { idOf, type PageShape, readItems, readPage } from './http/page.js';
import type { Query } from './http/path.js';
import type { HttpAnswer } from './http/transport.js';

/** How a list is read to its end. Query parameters by their names, members of an answer by the names on the way. */
export type PagingRule = NumberedPages | OffsetPages | CursorPages | LastPages | LinkedPages | OneAnswer | OneTree;

interface Items {
  /** Member with the items, by its dotted path; empty: the answer itself is the list. */
  readonly items: string;
}

interface Pages extends Items {
  /** Where the number of all items stands. Left out: nowhere, and an empty page that names no other one ends the list. */
  readonly total?: readonly string[];
  /** False: the number may be missing. */
  readonly counted?: boolean;
  /** Items asked for at a time, and the parameter that asks. */
  readonly size?: { readonly parameter: string; readonly items: number };
}

export interface NumberedPages extends Pages {
  readonly by: 'number';
  readonly number: string;
  /** Number of the first page; default 1. */
  readonly first?: number;
}

/** Items are skipped: as many as came before. */
export interface OffsetPages extends Pages {
  readonly by: 'offset';
  readonly offset: string;
}

/** Every page names the next, by a text or by an address that holds it. */
export interface CursorPages extends Pages {
  readonly by: 'cursor';
  readonly cursor: string;
  readonly next: readonly string[];
}

/** The next page is asked for by the id of the last item of this one. */
export interface LastPages extends Pages {
  readonly by: 'last';
  readonly cursor: string;
  /** Where an answer says that there are more. */
  readonly more: readonly string[];
}

/** Every page names the address of the next, whose query is sent as it stands, to where the list is. */
export interface LinkedPages extends Pages {
  readonly by: 'link';
  /** Where the address stands in an answer. Left out: in its header Link, as `rel="next"`. */
  readonly next?: readonly string[];
}

export interface OneAnswer extends Items {
  readonly by: 'none';
}

/** One answer with nested `children`; a child that does not name its `parent` gets it from where it stands. */
export interface OneTree extends Items {
  readonly by: 'tree';
  readonly children: string;
  readonly parent: string;
}

/** One GET: what `read` makes of the answer. */
export type Get<T> = (
  query: Query,
  read: (body: Json, headers: HttpAnswer['headers']) => FollowedPage<T> | BadAnswer,
) => Promise<FollowedPage<T>>;

/** Turns the items of an answer into objects, or says what is wrong with them. */
export type Decode<T> = (items: readonly JsonObject[]) => readonly T[] | BadAnswer;

/** True for a list that comes in one answer. */
export function isOneAnswer(rule: PagingRule): boolean {
  return rule.by === 'none' || rule.by === 'tree';
}

/** Reads page by page; pages count from 1. `ids` false: items have no id of their own. */
export function pageFetcher<T>(
  rule: PagingRule,
  get: Get<T>,
  decode: Decode<T>,
  ids: boolean,
): (number: number) => Promise<ListPage<T>> {
  const whole = (body: Json, items: (body: Json) => readonly JsonObject[] | BadAnswer): ListPage<T> | BadAnswer => {
    const found = items(body);
    const decoded = found instanceof BadAnswer ? found : decode(found);
    return decoded instanceof BadAnswer ? decoded : { items: decoded, total: decoded.length };
  };
  switch (rule.by) {
    case 'none':
      return () => get(firstQuery(rule), (body) => whole(body, () => readItems(body, { items: rule.items, ids })));
    case 'tree':
      return () =>
        get(firstQuery(rule), (body) =>
          whole(body, () => flattened(rule, readItems(body, { items: rule.items, ids }))),
        );
    case 'number':
      return (number) => get(numberedQuery(rule, number), (body) => onePage(rule, body, decode, ids));
    case 'offset':
      return offsetFetcher(rule, (query) => get(query, (body) => onePage(rule, body, decode, ids)));
    case 'cursor':
      return followingFetcher(firstQuery(rule), (query) => get(query, (body) => cursorPage(rule, body, decode, ids)));
    case 'last':
      return followingFetcher(firstQuery(rule), (query) => get(query, (body) => lastPage(rule, body, decode, ids)));
    case 'link':
      return followingFetcher(firstQuery(rule), (query) =>
        get(query, (body, headers) => linkedPage(rule, body, headers, decode, ids)),
      );
  }
}

/** What the first page is asked for with. */
export function firstQuery(rule: PagingRule): Query {
  switch (rule.by) {
    case 'none':
    case 'tree':
      return [];
    case 'number':
      return numberedQuery(rule, 1);
    case 'offset':
      return offsetQuery(rule, 0);
    case 'cursor':
    case 'last':
    case 'link':
      return queryOf(rule);
  }
}

function numberedQuery(rule: NumberedPages, number: number): Query {
  return queryOf(rule, [rule.number, String(number - 1 + (rule.first ?? 1))]);
}

function offsetQuery(rule: OffsetPages, items: number): Query {
  return queryOf(rule, [rule.offset, String(items)]);
}

/** The query for one page of a numbered list. */
export function queryOf({ size }: Pages, ...more: readonly (readonly [string, string])[]): Query {
  return [...(size === undefined ? [] : [[size.parameter, String(size.items)] as const]), ...more];
}

function shapeOf(rule: Pages, ids: boolean): PageShape {
  return {
    items: rule.items,
    total: rule.total ?? ['\u0000'],
    counted: rule.total !== undefined && rule.counted !== false,
    ids,
  };
}

function onePage<T>(rule: Pages, body: Json, decode: Decode<T>, ids: boolean): ListPage<T> | BadAnswer {
  const page = readPage(body, shapeOf(rule, ids));
  if (page instanceof BadAnswer) return page;
  const items = decode(page.items);
  return items instanceof BadAnswer ? items : { ...page, items };
}

/** Pages of the size of the first, whatever size was asked for: a wrong guess is found by the count. */
function offsetFetcher<T>(
  rule: OffsetPages,
  fetch: (query: Query) => Promise<ListPage<T>>,
): (number: number) => Promise<ListPage<T>> {
  let size = 0;
  return async (number) => {
    const page = await fetch(offsetQuery(rule, (number - 1) * size));
    if (number === 1) size = page.items.length;
    return page;
  };
}

interface FollowedPage<T> extends ListPage<T> {
  /** What the next page is asked for with, where this one says so. */
  readonly next?: Query | undefined;
}

function cursorPage<T>(rule: CursorPages, body: Json, decode: Decode<T>, ids: boolean): FollowedPage<T> | BadAnswer {
  const query = (said: string): Query => queryOf(rule, [rule.cursor, cursorIn(rule, said)]);
  return followedPage(onePage(rule, body, decode, ids), textAt(body, rule.next), query);
}

function lastPage<T>(rule: LastPages, body: Json, decode: Decode<T>, ids: boolean): FollowedPage<T> | BadAnswer {
  const page = onePage(rule, body, decode, ids);
  if (page instanceof BadAnswer) return page;
  const items = readItems(body, { items: rule.items, ids });
  const last = items instanceof BadAnswer ? undefined : items.at(-1)?.['id'];
  const isMore = rule.more.reduce<Json | undefined>((at, name) => asObject(at)?.[name], body);
  if (isMore !== true || last === undefined) return { ...page, next: undefined };
  const id = typeof last === 'number' ? String(last) : asText(last);
  return id === undefined ? new BadAnswer(wrongNext) : { ...page, next: queryOf(rule, [rule.cursor, id]) };
}

/** Only the query of an address is used: nothing that an answer says sends a call elsewhere. */
function linkedPage<T>(
  rule: LinkedPages,
  body: Json,
  headers: HttpAnswer['headers'],
  decode: Decode<T>,
  ids: boolean,
): FollowedPage<T> | BadAnswer {
  const said = rule.next === undefined ? nextLink(headers['link']) : textAt(body, rule.next);
  return followedPage(onePage(rule, body, decode, ids), said, queryIn);
}

/** `query`: what the next page is asked for with, of what this one says. */
function followedPage<T>(
  page: ListPage<T> | BadAnswer,
  said: string | undefined | BadAnswer,
  query: (said: string) => Query,
): FollowedPage<T> | BadAnswer {
  if (page instanceof BadAnswer) return page;
  if (said instanceof BadAnswer) return said;
  const next = said === undefined ? undefined : query(said);
  return next?.length === 0 ? new BadAnswer(wrongNext) : { ...page, next };
}

const wrongNext = 'a next page that none can be';

/** A text that says something; undefined where there is none. */
function textAt(body: Json, way: readonly string[]): string | undefined | BadAnswer {
  const said = way.reduce<Json | undefined>((at, name) => asObject(at)?.[name], body) ?? null;
  return said !== null && typeof said !== 'string' ? new BadAnswer(wrongNext) : asText(said);
}

function queryIn(address: string): Query {
  const question = address.indexOf('?');
  return question < 0 ? [] : [...new URLSearchParams(address.slice(question).replace(/#.*$/s, ''))];
}

/** The cursor in the address of the next page, or the text itself. */
function cursorIn({ cursor }: CursorPages, text: string): string {
  return queryIn(text).find(([name]) => name === cursor)?.[1] ?? text;
}

/**
 * One page after the other, also where several are asked for at a time. What follows the last is an empty page, for which
 * nothing is sent; a list whose first page is its last is known to be whole.
 */
function followingFetcher<T>(
  first: Query,
  fetch: (query: Query) => Promise<FollowedPage<T>>,
): (number: number) => Promise<ListPage<T>> {
  let before: Promise<FollowedPage<T>>;
  const follow = async (known: Promise<FollowedPage<T>>): Promise<FollowedPage<T>> => {
    const { next, total } = await known;
    if (next === undefined) return { items: [], next, ...defined({ total }) };
    const page = await fetch(next);
    // An empty one that names itself is where those end that always name one.
    return page.items.length === 0 && String(page.next) === String(next) ? { ...page, next: undefined } : page;
  };
  return async (number) => {
    before = number === 1 ? fetch(first) : follow(before);
    const { next, ...page } = await before;
    if (next !== undefined) return { ...page, isFollowed: true };
    return number === 1 ? { ...page, total: page.total ?? page.items.length } : page;
  };
}

/** Parents before children. */
function flattened(rule: OneTree, roots: readonly JsonObject[] | BadAnswer): readonly JsonObject[] | BadAnswer {
  if (roots instanceof BadAnswer) return roots;
  const items: JsonObject[] = [];
  const open = roots.map((node) => ({ node, parent: null as Json })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parent } = next;
    items.push(rule.parent in node ? node : { ...node, [rule.parent]: parent });
    const given = Object.hasOwn(node, rule.children) ? node[rule.children] : null;
    const children = given === null ? [] : readItems(node, { items: rule.children });
    if (children instanceof BadAnswer) return children;
    for (const child of [...children].reverse()) open.push({ node: child, parent: idOf(node) ?? null });
  }
  return items;
}

const parameter = String.raw`\s*;\s*([\w!#$&+.^|~-]+\*?)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";,]+)))?`;
/** A link with all its parameters, which are looked at one by one. */
const links = new RegExp(`<([^>]*)>((?:${parameter.replaceAll(/\((?!\?)/g, '(?:')})*)`, 'g');
const parameters = new RegExp(parameter, 'g');

/** The address that a header Link names as the next one (RFC 8288, `rel="next"`). */
export function nextLink(header: string | readonly string[] | undefined): string | undefined {
  const text = [header ?? []].flat().join(', ');
  for (const [, address, said = ''] of text.matchAll(links))
    for (const [, name = '', quoted, plain = ''] of said.matchAll(parameters))
      if (name.toLowerCase() === 'rel' && (quoted ?? plain).toLowerCase().split(/\s+/).includes('next')) return address;
  return undefined;
}
