import type { Json, JsonObject } from '../json.js';
import { readPage } from '../list/page.js';
import type { Query } from '../route.js';
import type { Description } from './description.js';

/** Where a list answer holds its items, and how it is asked for its pages. */
interface PageStyle {
  readonly by: 'number' | 'offset' | 'after' | 'none';
  /** Undefined: the answer itself is the list. */
  readonly member: string | undefined;
  readonly size: string | undefined;
  /** The facts of a page stand in `meta.page`; else in `meta` itself. */
  readonly isNested: boolean;
}

export function pageStyleOf(description: Description, call: JsonObject): PageStyle {
  const query = description.queryOf(call);
  const { properties } = description.shapeOf(description.answerOf(call).schema);
  const member = [...properties].find(([, each]) => description.shapeOf(each).schema['type'] === 'array')?.[0];
  const by = query.includes('page[number]')
    ? 'number'
    : query.includes('page[after]')
      ? 'after'
      : query.includes('offset')
        ? 'offset'
        : 'none';
  const meta = description.shapeOf(properties.get('meta')).properties;
  return {
    isNested: meta.size === 0 || meta.has('page'),
    by,
    member,
    size: query.find((name) => name === 'page[size]' || name === 'size'),
  };
}

/** Schema of one item of a list. */
export function itemSchema(description: Description, call: JsonObject, { member }: PageStyle): Json | undefined {
  const { schema, properties } = description.shapeOf(description.answerOf(call).schema);
  return (member === undefined ? schema : description.shapeOf(properties.get(member)).schema)['items'];
}

/** One page of a list, as the style wants it. Cursors are the number of items before, and mean nothing to a client. */
export function page(
  style: PageStyle,
  items: readonly JsonObject[],
  show: (item: JsonObject) => JsonObject,
  query: Query,
  path: string,
): Json {
  const { by, member, size: sizeName, isNested } = style;
  if (member === undefined) return items.map(show);
  if (by === 'none') return { [member]: items.map(show) };
  if (by === 'number') {
    const { number, size } = readPage(query);
    const some = items.slice((number - 1) * size, number * size);
    return { meta: { page: { number, size, total: items.length } }, [member]: some.map(show) };
  }
  const asked = Number(sizeName === undefined ? NaN : query[sizeName]);
  const size = Number.isInteger(asked) && asked > 0 ? Math.min(asked, 100) : 10;
  const cursor = query[by === 'after' ? 'page[after]' : 'offset'];
  const start = typeof cursor === 'string' ? Number(Buffer.from(cursor, 'base64url').toString()) : 0;
  const end = start + size;
  const next = end < items.length ? Buffer.from(String(end)).toString('base64url') : null;
  const some = items.slice(start, end).map(show);
  if (by === 'after') {
    const address = next === null ? null : `${path}?page%5Bafter%5D=${next}&page%5Bsize%5D=${String(size)}`;
    const facts = { next: address, previous: null, size };
    return { meta: isNested ? { page: facts } : facts, [member]: some };
  }
  return {
    [member]: some,
    next: next === null ? null : `${path}?offset=${next}`,
    ...(next === null ? {} : { offset: next }),
  };
}
