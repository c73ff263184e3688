import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { asList, asObject, asText, BadAnswer } from './json.js';

/** A collection of more than this is taken for a wrong answer. */
const maxItems = 1_000_000;

/** Where an answer to a list call holds what. */
export interface PageShape {
  /** Dotted path of the member with the items; empty: the answer itself is the list. */
  readonly items: string;
  /** Names on the way to the number of items in the whole collection. */
  readonly total: readonly string[];
  /** True: every page says that number. False: it may be left out; then an empty page ends the list. */
  readonly counted: boolean;
  /** False: an item tells itself apart by other members than an `id`, which whoever asks has to look at. */
  readonly ids?: boolean;
}

/** The items of one page, each an object with an id. */
interface Page {
  readonly items: readonly JsonObject[];
  /** Items in the whole collection, when the server says so. */
  readonly total?: number;
}

/** Reads the answer to a list call. */
export function readPage(body: Json | undefined, shape: PageShape): Page | BadAnswer {
  const items = readItems(body, shape);
  if (items instanceof BadAnswer) return items;
  const said = shape.total.reduce<Json | undefined>((at, name) => memberOf(at, name), body);
  if (said === undefined || said === null) return shape.counted ? new BadAnswer('no number of items') : { items };
  const total = count(said);
  return total === undefined ? new BadAnswer('a number of items that none can be') : { items, total };
}

/** The items of an answer that carries all of them. */
export function readItems(
  body: Json | undefined,
  shape: Pick<PageShape, 'items' | 'ids'>,
): readonly JsonObject[] | BadAnswer {
  const held = shape.items === '' ? body : shape.items.split('.').reduce(memberOf, body);
  const items = asList(held)?.map(asObject);
  if (items === undefined) return new BadAnswer(shape.items === '' ? 'no list' : `no list "${shape.items}"`);
  const named = items.flatMap((item) =>
    item !== undefined && (shape.ids === false || idOf(item) !== undefined) ? [item] : [],
  );
  return named.length === items.length ? named : new BadAnswer('an item without an id');
}

export function idOf(item: JsonObject): string | undefined {
  return asText(memberOf(item, 'id'));
}

/** A member of its own, none that every object has. */
function memberOf(value: Json | undefined, name: string): Json | undefined {
  const object = asObject(value);
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

function count(value: Json): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= maxItems
    ? number
    : undefined;
}
