import { defined } from '../../engine/model/defined.js';
import type { Json, JsonObject } from '../../engine/model/value.js';
import { asObject, asText } from '../http/json.js';
import type { ListPage } from '../http/list-reader.js';
import { idOf, readItems, readPage } from '../http/page.js';
import type { PageShape } from '../http/page.js';
import type { Query } from '../http/path.js';
import { Wrong } from '../http/wrong.js';

/** How a list is read to its end. Query parameters by their names, members of an answer by the names on the way. */
export type PagingRule = NumberedPages | OffsetPages | CursorPages | OneAnswer | OneTree;

interface Items {
  /** Member with the items; empty: the answer itself is the list. */
  readonly items: string;
}

interface Pages extends Items {
  /** Where the number of all items stands. Left out: nowhere, and the list ends with an empty page or the last cursor. */
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
export type Get = <T>(query: Query, read: (body: Json) => T | Wrong) => Promise<T>;

/** Turns the items of an answer into objects, or says what is wrong with them. */
export type Decode<T> = (items: readonly JsonObject[]) => readonly T[] | Wrong;

/** True for a list that comes in one answer. */
export function isOneAnswer(rule: PagingRule): boolean {
  return rule.by === 'none' || rule.by === 'tree';
}

/** Reads page by page; pages count from 1. `ids` false: items have no id of their own. */
export function pageFetcher<T>(
  rule: PagingRule,
  get: Get,
  decode: Decode<T>,
  ids: boolean,
): (number: number) => Promise<ListPage<T>> {
  const whole = (body: Json, items: (body: Json) => readonly JsonObject[] | Wrong): ListPage<T> | Wrong => {
    const found = items(body);
    const decoded = found instanceof Wrong ? found : decode(found);
    return decoded instanceof Wrong ? decoded : { items: decoded, total: decoded.length };
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
      return cursorFetcher(rule, (query) => get(query, (body) => cursorPage(rule, body, decode, ids)));
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

function onePage<T>(rule: Pages, body: Json, decode: Decode<T>, ids: boolean): ListPage<T> | Wrong {
  const page = readPage(body, shapeOf(rule, ids));
  if (page instanceof Wrong) return page;
  const items = decode(page.items);
  return items instanceof Wrong ? items : { ...page, items };
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

interface CursorPage<T> extends ListPage<T> {
  readonly next: string | undefined;
}

function cursorPage<T>(rule: CursorPages, body: Json, decode: Decode<T>, ids: boolean): CursorPage<T> | Wrong {
  const page = onePage(rule, body, decode, ids);
  if (page instanceof Wrong) return page;
  const said = rule.next.reduce<Json | undefined>((at, name) => asObject(at)?.[name], body) ?? null;
  if (said !== null && typeof said !== 'string') return new Wrong('a next page that none can be');
  return { ...page, next: asText(said) === undefined ? undefined : cursorIn(rule, said as string) };
}

/** The cursor in the address of the next page, or the text itself. */
function cursorIn({ cursor }: CursorPages, text: string): string {
  const question = text.indexOf('?');
  return (question < 0 ? undefined : new URLSearchParams(text.slice(question)).get(cursor)) ?? text;
}

/**
 * One page after the other, also where several are asked for at a time. What follows the last is an empty page, for which
 * nothing is sent; a list whose first page is its last is known to be whole.
 */
function cursorFetcher<T>(
  rule: CursorPages,
  fetch: (query: Query) => Promise<CursorPage<T>>,
): (number: number) => Promise<ListPage<T>> {
  let before: Promise<CursorPage<T>>;
  const follow = async (known: Promise<CursorPage<T>>): Promise<CursorPage<T>> => {
    const { next, total } = await known;
    if (next !== undefined) return fetch(queryOf(rule, [rule.cursor, next]));
    return { items: [], next, ...defined({ total }) };
  };
  return async (number) => {
    before = number === 1 ? fetch(firstQuery(rule)) : follow(before);
    const { next, ...page } = await before;
    return number === 1 && next === undefined ? { ...page, total: page.total ?? page.items.length } : page;
  };
}

/** Parents before children. */
function flattened(rule: OneTree, roots: readonly JsonObject[] | Wrong): readonly JsonObject[] | Wrong {
  if (roots instanceof Wrong) return roots;
  const items: JsonObject[] = [];
  const open = roots.map((node) => ({ node, parent: null as Json })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parent } = next;
    items.push(rule.parent in node ? node : { ...node, [rule.parent]: parent });
    const given = Object.hasOwn(node, rule.children) ? node[rule.children] : null;
    const children = given === null ? [] : readItems(node, { items: rule.children });
    if (children instanceof Wrong) return children;
    for (const child of [...children].reverse()) open.push({ node: child, parent: idOf(node) ?? null });
  }
  return items;
}
