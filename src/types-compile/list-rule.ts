import { isList, isObject, type JsonObject } from '../engine/model/value.js';
import type { PagingRule } from '../providers/rest/paging.js';
import type { Description } from './description.js';
import { kindOf, merged } from './merge.js';
import { callOf, plainPath } from './type-site.js';

/** How a list comes in pages: by what its query takes and what its answer holds or names. Undefined: nothing in it is a list. */
export function pagingOf(description: Description, list: JsonObject): PagingRule | undefined {
  const answer = merged(description, description.answerOf(list));
  const items = kindOf(answer) === 'array' ? '' : listMember(description, answer);
  if (items === undefined) return undefined;
  const names = parametersOf(description, list);
  const named = (pattern: RegExp): string | undefined => names.find((name) => pattern.test(name));
  const sizeName = named(/^(?:page\[size\]|size|limit|per_?page|page_?size)$/i);
  const size = sizeName === undefined ? {} : { size: { parameter: sizeName, items: 100 } };
  const total = totalOf(description, answer);
  const counted = total === undefined ? {} : { total };
  const cursor = named(/^(?:page\[after\]|cursor|after|page_?token)$/i);
  const next = nextOf(description, answer, cursor ?? named(/^(?:offset|skip)$/i));
  if (cursor !== undefined && next !== undefined) return { by: 'cursor', items, cursor, next, ...counted, ...size };
  const offset = named(/^(?:offset|skip)$/i);
  // An offset that the answer hands out is a cursor.
  if (offset !== undefined && next !== undefined && total === undefined)
    return { by: 'cursor', items, cursor: offset, next, ...size };
  const number = named(/^(?:page\[number\]|page)$/i);
  if (number !== undefined) return { by: 'number', items, number, ...counted, ...size };
  if (offset !== undefined) return { by: 'offset', items, offset, ...counted, ...size };
  if (hasLink(description, list)) return { by: 'link', items, ...counted, ...size };
  const address = addresses.find((way) => kindAt(description, answer, way) === 'string');
  if (address !== undefined) return { by: 'link', items, next: address, ...counted, ...size };
  return { by: 'none', items };
}

/** Members that hold the address of the next page, where no parameter takes what they hold. */
const addresses = [
  ['meta', 'page', 'next'],
  ['meta', 'next'],
  ['links', 'next'],
  ['_links', 'next', 'href'],
  ['paging', 'next'],
  ['next'],
] as const;

/** A header Link of the answer (RFC 8288). */
function hasLink(description: Description, list: JsonObject): boolean {
  const answers = description.at(list['responses']);
  const done = Object.keys(answers).find((status) => status.startsWith('2')) ?? '';
  const headers = Object.keys(description.at(description.at(answers[done])['headers']));
  return headers.some((name) => name.toLowerCase() === 'link');
}

/** Where an answer says what comes next, whether or not anything takes it. */
export function nextShown(description: Description, answer: JsonObject): readonly string[] | undefined {
  return nexts.find((way) => kindAt(description, answer, way) === 'string');
}

function parametersOf(description: Description, list: JsonObject): readonly string[] {
  const parameters = isList(list['parameters']) ? list['parameters'] : [];
  return parameters
    .map((each) => description.at(each))
    .flatMap(({ in: where, name }) => (where === 'query' && typeof name === 'string' ? [name] : []));
}

function listMember(description: Description, answer: JsonObject): string | undefined {
  const lists = Object.entries(description.at(answer['properties'])).filter(
    ([, schema]) => kindOf(merged(description, schema)) === 'array',
  );
  return (lists.find(([name]) => name === 'data' || name === 'items') ?? lists[0])?.[0];
}

const totals = [['meta', 'page', 'total'], ['meta', 'total'], ['total'], ['count'], ['total_count']] as const;
const nexts = [
  ['meta', 'page', 'next'],
  ['meta', 'next'],
  ['next'],
  ['offset'],
  ['next_cursor'],
  ['nextPageToken'],
] as const;

function totalOf(description: Description, answer: JsonObject): readonly string[] | undefined {
  return totals.find((way) => ['integer', 'number'].includes(kindAt(description, answer, way) ?? ''));
}

/** Where the next page stands: best in a member called like the parameter that takes it. */
function nextOf(
  description: Description,
  answer: JsonObject,
  parameter: string | undefined,
): readonly string[] | undefined {
  const own = parameter === undefined ? [] : [[parameter]];
  return [...own, ...nexts].find((way) => kindAt(description, answer, way) === 'string');
}

function kindAt(description: Description, answer: JsonObject, way: readonly string[]): string | undefined {
  let at: JsonObject = answer;
  for (const name of way) {
    const properties = description.at(at['properties']);
    const next = properties[name];
    if (!isObject(next)) return undefined;
    at = merged(description, next);
  }
  return kindOf(at);
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
