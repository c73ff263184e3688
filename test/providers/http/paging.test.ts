import { describe, expect, test } from 'vitest';
import { allItems, readPage } from '../../../src/providers/http/paging.js';
import type { Json } from '../../../src/engine/model/value.js';

const items = (count: number, from = 0): Json => Array.from({ length: count }, (_, at) => ({ id: `i${from + at}` }));

test.each<[string, Json | undefined, number, { total?: number; nextPage?: number }]>([
  [
    'the first of three',
    { meta: { page: { number: 1, size: 100, total: 250 } }, data: items(100) },
    1,
    { total: 250, nextPage: 2 },
  ],
  ['the last of three', { meta: { page: { number: 3, size: 100, total: 250 } }, data: items(50) }, 3, { total: 250 }],
  ['exactly full', { meta: { page: { number: 2, size: 100, total: 200 } }, data: items(100) }, 2, { total: 200 }],
  [
    'smaller pages than asked for',
    { meta: { page: { number: 2, size: 50, total: 120 } }, data: items(50) },
    2,
    { total: 120, nextPage: 3 },
  ],
  ['no size', { meta: { page: { total: 101 } }, data: items(100) }, 1, { total: 101, nextPage: 2 }],
  ['numbers as text', { meta: { page: { size: '10', total: '11' } }, data: items(10) }, 1, { total: 11, nextPage: 2 }],
  ['no meta, more may come', { data: items(3) }, 1, { nextPage: 2 }],
  ['no meta, nothing more', { data: [] }, 4, {}],
  [
    'an empty page ends, whatever the total',
    { meta: { page: { size: 100, total: 500 } }, data: [] },
    2,
    { total: 500 },
  ],
  ['an empty collection', { meta: { page: { size: 100, total: 0 } }, data: [] }, 1, { total: 0 }],
  ['data null', { meta: {}, data: null }, 1, {}],
  ['nothing at all', undefined, 1, {}],
])('page: %s', (_, body, number, expected) => {
  const { items: _items, ...rest } = readPage(body, number);
  expect(rest).toEqual(expected);
});

describe('all items', () => {
  const collect = async (pages: readonly Json[]): Promise<{ ids: Json[]; asked: number[] }> => {
    const asked: number[] = [];
    const ids: Json[] = [];
    const fetchPage = (number: number): Promise<ReturnType<typeof readPage>> => {
      asked.push(number);
      return Promise.resolve(readPage(pages[number - 1], number));
    };
    for await (const item of allItems(fetchPage)) ids.push(item.id ?? null);
    return { ids, asked };
  };

  test('reads to the end and asks no page too many', async () => {
    const meta = { page: { size: 2, total: 5 } };
    const pages = [
      { meta, data: items(2) },
      { meta, data: items(2, 2) },
      { meta, data: items(1, 4) },
    ];
    expect(await collect(pages)).toEqual({ ids: ['i0', 'i1', 'i2', 'i3', 'i4'], asked: [1, 2, 3] });
  });

  test('an item that slid onto the next page comes once', async () => {
    const meta = { page: { size: 2, total: 4 } };
    expect(
      (
        await collect([
          { meta, data: items(2) },
          { meta, data: items(2, 1) },
        ])
      ).ids,
    ).toEqual(['i0', 'i1', 'i2']);
  });

  test('without meta it goes on to the empty page', async () => {
    expect((await collect([{ data: items(2) }, { data: items(1, 2) }, { data: [] }])).asked).toEqual([1, 2, 3]);
  });
});
