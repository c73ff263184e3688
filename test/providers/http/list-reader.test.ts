import { describe, expect, test } from 'vitest';
import { BadAnswer } from '@platform-sync/rest/http/json';
import { readList, UnsteadyList, type ListPage, type ReadList } from '@platform-sync/rest/http/list-reader';
import { pageFetcher } from '@platform-sync/rest/paging';

type Pages = (number: number, reading: number) => ListPage<string>;

const ids = (count: number, from = 0): readonly string[] => Array.from({ length: count }, (_, at) => `i${from + at}`);

/** Pages of `size` out of `count` items. */
const right =
  (count: number, size: number): Pages =>
  (number) => ({ items: ids(count).slice((number - 1) * size, number * size), total: count });

async function reading(
  pages: Pages,
  isEnough?: (morePages: number) => boolean,
): Promise<{
  readonly list?: ReadList<string>;
  readonly error?: string;
  readonly isMoving?: boolean;
  readonly asked: number[];
}> {
  const asked: number[] = [];
  let readings = 0;
  const request = {
    fetchPage: (number: number) => {
      if (number === 1) readings += 1;
      asked.push(number);
      return Promise.resolve(pages(number, readings));
    },
    keyOf: (item: string) => item,
    ...(isEnough === undefined ? {} : { isEnough: ({ morePages }: { morePages: number }) => isEnough(morePages) }),
  };
  try {
    return { list: await readList(request), asked };
  } catch (error) {
    if (error instanceof UnsteadyList) return { error: error.message, isMoving: error.isMoving, asked };
    throw error;
  }
}

describe('a list that adds up', () => {
  test.each([
    [0, 100, 1],
    [1, 100, 1],
    [100, 100, 1],
    [101, 100, 2],
    [250, 100, 3],
    [250, 50, 5],
    [250, 1, 250],
    [2000, 10, 200],
  ])('%i items in pages of %i are read in %i calls', async (count, size, calls) => {
    const { list, asked } = await reading(right(count, size));
    expect(list).toMatchObject({ isComplete: true, total: count });
    expect([...(list?.items ?? [])].sort()).toEqual([...ids(count)].sort());
    expect(asked).toHaveLength(calls);
  });

  test('pages may grow smaller on the way', async () => {
    const sizes = [100, 50, 50, 50];
    const pages: Pages = (number) => {
      const from = sizes.slice(0, number - 1).reduce((sum, size) => sum + size, 0);
      return { items: ids(sizes[number - 1] ?? 0, from), total: 250 };
    };
    expect((await reading(pages)).list?.items).toHaveLength(250);
  });

  test('without a number of items, an empty page ends it', async () => {
    const pages: Pages = (number) => ({ items: number < 3 ? ids(2, number * 2) : [] });
    const { list, asked } = await reading(pages);
    expect(list).toMatchObject({ isComplete: true, total: 4 });
    expect(asked).toEqual([1, 2, 3]);
  });

  test.each<[string, readonly string[], number]>([
    ['of a next page is followed', ['a', 'b', ''], 3],
    ['of itself ends it', ['a', 'b', 'b'], 3],
  ])('without a number of items, an empty page with the name %s', async (_, names, calls) => {
    const asked: (string | undefined)[] = [];
    const fetchPage = pageFetcher<string>(
      { by: 'cursor', items: 'items', cursor: 'after', next: ['next'] },
      (query, read) => {
        const at = asked.push(query[0]?.[1]) - 1;
        // The first page has nothing that is for whoever asks.
        const page = read({ items: at === 1 ? [{ id: 'i1' }] : [], next: names[at] ?? '' }, {});
        return page instanceof BadAnswer ? Promise.reject(page) : Promise.resolve(page);
      },
      (items) => items.map(({ id }) => String(id)),
      true,
    );
    expect(await readList({ fetchPage, keyOf: (item) => item })).toMatchObject({ isComplete: true, items: ['i1'] });
    expect(asked).toHaveLength(calls);
  });

  test('the first page can be enough; then nothing is known about the rest', async () => {
    const { list, asked } = await reading(right(250, 100), (morePages) => morePages === 2);
    expect(list).toMatchObject({ isComplete: false, total: 250 });
    expect(asked).toEqual([1]);
  });

  test('says of one that it has read in part, and that counts nothing, no number', async () => {
    const { list } = await reading(
      (number) => ({ items: number < 4 ? ids(2, number * 2) : [] }),
      () => true,
    );
    expect(list).toMatchObject({ isComplete: false, total: 0 });
  });
});

describe('a list that moves', () => {
  test.each<[string, Pages]>([
    ['its number of items', (number, nth) => ({ ...right(150, 100)(number, nth), total: number === 1 ? 151 : 150 })],
    ['an item, onto the next page', (number) => ({ items: number === 1 ? ids(100) : ids(50, 99), total: 150 })],
  ])('is read once more: %s', async (_, moving) => {
    const { list, asked } = await reading((number, nth) => (nth === 1 ? moving : right(150, 100))(number, nth));
    expect(list).toMatchObject({ isComplete: true, total: 150 });
    expect(asked).toEqual([1, 2, 1, 2]);
  });
});

describe('a list that others work on', () => {
  /** The list grows or shrinks by one behind its first page, at each of the readings that are named. */
  const growing =
    (by: number, at: readonly number[]): Pages =>
    (number, readings) => {
      const total = 30 + (number > 1 && at.includes(readings) ? by : 0);
      return { items: ids(10, (number - 1) * 10), total };
    };

  test.each([1, -1])('is told as moving when it changes by %i in both readings', async (by) => {
    expect(await reading(growing(by, [1, 2]))).toMatchObject({
      isMoving: true,
      error: expect.stringContaining('changed'),
    });
  });

  test('is read when it stands still the second time', async () => {
    expect((await reading(growing(1, [1]))).list?.items).toHaveLength(30);
  });

  test.each<[string, Pages]>([
    ['shows the same page again', () => ({ items: ids(100), total: 900 })],
    [
      'says a number on one page alone',
      (number) => (number === 1 ? { items: ids(2), total: 4 } : { items: ids(2, 2) }),
    ],
    [
      'moves first, and then shows an item twice',
      (number, readings) => (readings === 1 ? growing(1, [1])(number, 1) : { items: ['a', 'a'], total: 2 }),
    ],
  ])('is none that %s', async (_, pages) => {
    expect((await reading(pages)).isMoving).toBe(false);
  });
});

describe('a list that cannot be believed', () => {
  test.each<[string, Pages, RegExp, number]>([
    ['fewer items than it says', () => ({ items: ids(3), total: 5 }), /twice/, 4],
    ['more items than it says', () => ({ items: ids(3), total: 2 }), /has 2 items, and shows 3/, 2],
    ['none of the items it says', () => ({ items: [], total: 5 }), /has 5 items, and shows 0/, 2],
    ['the same page again and again', () => ({ items: ids(100), total: 900 }), /twice/, 18],
    ['the same page again and again, uncounted', () => ({ items: ids(100) }), /twice/, 4],
    ['one item twice on a page', () => ({ items: ['a', 'a'], total: 2 }), /twice/, 2],
    [
      'an empty page in the middle',
      (number) => ({ items: number === 2 ? [] : ids(10, number * 10), total: 30 }),
      /shows 10/,
      6,
    ],
    [
      'a number of items that comes and goes',
      (number) => (number === 1 ? { items: ids(2), total: 4 } : { items: ids(2, 2) }),
      /changed/,
      4,
    ],
    ['an end that never comes', (number) => ({ items: [`i${number}`] }), /no end/, 20_000],
  ])('%s', async (_, pages, why, calls) => {
    const { error, asked } = await reading(pages);
    expect(error).toMatch(why);
    expect(asked).toHaveLength(calls);
  });
});
