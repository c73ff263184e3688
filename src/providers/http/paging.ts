import type { Json, JsonObject } from '../../engine/model/value.js';
import { asList, asObject } from './json.js';

/** The most items asked for at a time. */
export const pageSize = 100;

/** A page of `{"meta": {"page": {number, size, total}}, "data": [...]}`; both members may be missing. */
export interface Page {
  readonly items: readonly JsonObject[];
  /** Items in the whole collection, when the server says so. */
  readonly total?: number;
  /** Number to ask for next; absent on the last page. */
  readonly nextPage?: number;
}

/** Reads the answer to page `number` (from 1). */
export function readPage(body: Json | undefined, number: number): Page {
  const answer = asObject(body);
  const items = (asList(answer?.data) ?? []).map(asObject).filter((item) => item !== undefined);
  const meta = asObject(asObject(answer?.meta)?.page);
  const total = count(meta?.total);
  // A server may hand out smaller pages than asked for; then it says so.
  const size = count(meta?.size) ?? pageSize;
  const more = items.length > 0 && (total === undefined || number * Math.max(1, size) < total);
  return { items, ...(total === undefined ? {} : { total }), ...(more ? { nextPage: number + 1 } : {}) };
}

function count(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** All items of a collection, page by page. An item that slid onto the next page meanwhile (same id) comes once. */
export async function* allItems(fetchPage: (number: number) => Promise<Page>): AsyncGenerator<JsonObject> {
  const seen = new Set<Json>();
  for (let number: number | undefined = 1; number !== undefined;) {
    const page: Page = await fetchPage(number);
    for (const item of page.items) {
      if (item.id !== undefined && seen.has(item.id)) continue;
      if (item.id !== undefined) seen.add(item.id);
      yield item;
    }
    number = page.nextPage;
  }
}
