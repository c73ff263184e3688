import { describe, expect, it } from 'vitest';
import { markField } from '@platform-sync/core/model/ownership-mark';
import { ProviderError, type Provider, type RemoteObject } from '@platform-sync/core/model/provider';
import type { Reading } from '@platform-sync/core/model/snapshot';
import type { JsonObject } from '@platform-sync/core/model/value';
import { asDiagnostic } from '@platform-sync/engine/refresh/list-collection';
import { findExisting, readExisting, readListed, secondLooks } from '@platform-sync/engine/refresh/find-existing';
import { isLongFor, look } from '@platform-sync/engine/reads/look';
import { readsOf, stubProvider } from '../apply/stubs.js';
import { typeOf } from '../plan/made-up-types.js';

/** Objects that state does not know: found by id, by key, or in a list, and believed when two answers agree. */

const shelf = typeOf('Shelf');
const book = typeOf('Book');
const page = typeOf('Page');
const card = typeOf('Card');

const object = (id: string, values: JsonObject = {}, scope: Readonly<Record<string, string>> = {}): RemoteObject => ({
  identity: { id, scope },
  values: { name: 'A', updatedAt: '1', ...values },
});
const down = new ProviderError('unavailable', [{ severity: 'error', code: 'down', summary: 'It is down.' }]);
const told = (reading: Reading): unknown =>
  reading.kind === 'failed' ? reading.diagnostic.code : reading.kind === 'found' ? reading.values : reading.kind;
const asked: string[] = [];
const providerWith = (calls: Partial<Provider>): Provider =>
  stubProvider({
    readWriteOnly: (_type, { id }) => {
      asked.push(id);
      return Promise.resolve({ door: 'shut' });
    },
    ...calls,
  });
const reading = (answer: RemoteObject | undefined): Partial<Provider> => ({ read: () => Promise.resolve(answer) });

describe('an object that is named by its id', () => {
  const read = (calls: Partial<Provider>): Promise<Reading> =>
    readExisting(readsOf(providerWith(calls)), shelf, { id: 'a', scope: {} });

  it('is all that its own answer and what is asked for besides show', async () => {
    expect(told(await read(reading(object('a'))))).toEqual({ name: 'A', updatedAt: '1', door: 'shut' });
  });

  it('is gone where there is none, and unknown where the call fails', async () => {
    expect(told(await read(reading(undefined)))).toBe('gone');
    expect(told(await read({ read: () => Promise.reject(down) }))).toBe('down');
    const bug = new Error('bug');
    await expect(read({ read: () => Promise.reject(bug) })).rejects.toBe(bug);
  });

  it('has its place among its values', async () => {
    const found = object('t', { title: 'T' }, { shelfId: 'a' });
    const values = await readExisting(readsOf(providerWith(reading(found))), book, found.identity);
    expect(told(values)).toEqual({ shelfId: 'a', name: 'A', title: 'T', updatedAt: '1' });
  });
});

describe('an object that is looked for by its key', () => {
  const a = object('a');
  const find = (found: readonly RemoteObject[], calls: Partial<Provider> = reading(a), more = {}): Promise<Reading> =>
    findExisting(
      readsOf(providerWith({ find: () => Promise.resolve(found), ...calls })),
      shelf,
      {},
      { name: 'A' },
      more,
    );

  it('is the only one of its key', async () => {
    expect(told(await find([a]))).toEqual({ name: 'A', updatedAt: '1', door: 'shut' });
    expect(told(await find([]))).toBe('gone');
    const several = await find([object('b'), a]);
    expect(several).toEqual({
      kind: 'failed',
      diagnostic: {
        ...{ severity: 'error', code: 'several-found', hint: 'Say which one: sync adopt ADDRESS ID' },
        summary: '2 Shelf objects have this natural key: a, b.',
      },
    });
  });

  it('bears the mark that is asked for', async () => {
    const marked = object('a', { [markField]: 'mine' });
    const theirs = object('b', { [markField]: 'theirs' });
    expect(told(await find([theirs, marked], reading(marked), { mark: 'mine' }))).toMatchObject({
      [markField]: 'mine',
    });
    expect(told(await find([theirs], reading(theirs), { mark: 'mine' }))).toBe('gone');
  });

  it('is asked for what it does not show only where that is compared', async () => {
    asked.length = 0;
    expect(told(await find([a], reading(a), { inputs: { name: 'A' } }))).not.toHaveProperty('door');
    expect(asked).toEqual([]);
    expect(told(await find([a], reading(a), { inputs: { door: 'open' } }))).toHaveProperty('door', 'shut');
    expect(asked).toEqual(['a']);
  });

  it.each<[string, RemoteObject | undefined]>([
    ['shows nothing', undefined],
    ['shows another name', object('a', { name: 'B' })],
    ['shows another object', object('b')],
  ])('is not believed where the object itself %s', async (_what, answer) => {
    const read = await find([a], reading(answer));
    expect(read).toEqual({
      kind: 'failed',
      diagnostic: {
        ...{ severity: 'error', code: 'contradictory-answers' },
        summary: 'A list shows the Shelf a differently from the object itself, so neither is used.',
        hint: 'Somebody may be changing it right now. Try again a little later.',
      },
    });
  });

  it('is compared in what it lives in, too', async () => {
    const listed = object('t', { title: 'T', shelfId: 'b' }, { shelfId: 'a' });
    const same = object('t', { title: 'T', shelfId: 'c' }, { shelfId: 'a' });
    const other = object('t', { title: 'T', shelfId: 'b' }, { shelfId: 'b' });
    expect(told(await readListed(readsOf(providerWith(reading(same))), book, listed, {}))).toHaveProperty('title', 'T');
    expect(told(await readListed(readsOf(providerWith(reading(other))), book, listed, {}))).toBe(
      'contradictory-answers',
    );
  });

  it('takes a second answer that is there already, also one that says no', async () => {
    const never: Partial<Provider> = {};
    expect(told(await readListed(readsOf(providerWith(never)), shelf, a, {}, a))).toEqual({
      name: 'A',
      updatedAt: '1',
    });
    expect(told(await readListed(readsOf(providerWith(never)), shelf, a, {}, 'missing'))).toBe('contradictory-answers');
  });
});

describe('a list for the sake of keys', () => {
  const list = (pages: number, seen: unknown[] = []): Partial<Provider> => ({
    list: (_type, scope, options) => {
      const isEnough = options?.isEnough?.({ objects: [], morePages: pages - 1 }) ?? false;
      seen.push(scope);
      return Promise.resolve({ objects: [object('a')], total: 1, isComplete: !isEnough });
    },
  });
  const keys = (count: number, unread: number | undefined, type = shelf, pages = 1) =>
    isLongFor({ type, scope: {}, of: count }, unread)
      ? undefined
      : look(providerWith(list(pages)), { type, scope: {}, of: count });

  it.each<[string, number, number | undefined, typeof shelf, boolean]>([
    ['one key of a list that has pages is asked for', 1, undefined, shelf, false],
    ['one key of a list without pages is listed', 1, undefined, page, true],
    ['two keys are listed', 2, undefined, shelf, true],
    ['two keys with as many pages left are asked for', 2, 2, shelf, false],
    ['two keys with fewer pages left are listed', 2, 1, shelf, true],
  ])('%s', async (_what, count, unread, type, isListed) => {
    expect((await keys(count, unread, type)) !== undefined).toBe(isListed);
  });

  it('ends where more pages follow than there are keys, and says what it did not read', async () => {
    expect(await keys(2, undefined, shelf, 4)).toMatchObject({ morePages: 3, objects: [object('a')] });
    expect(await keys(2, undefined, shelf, 3)).toMatchObject({ morePages: 0, objects: [object('a')] });
  });
});

describe('second looks', () => {
  const listing = (objects: readonly RemoteObject[], pages = 1) => {
    const calls: unknown[] = [];
    const provider = providerWith({
      list: (type, scope, options) => {
        calls.push([type.name, scope]);
        options?.isEnough?.({ objects, morePages: pages - 1 });
        return Promise.resolve({ objects, total: objects.length, isComplete: pages === 1 });
      },
    });
    return {
      calls,
      look: (shown: Parameters<typeof secondLooks>[1]) => secondLooks(readsOf(provider), shown),
    };
  };
  const [one, two, three] = ['1', '2', '3'].map((id) => object(id)) as [RemoteObject, RemoteObject, RemoteObject];
  const cards = (...all: readonly RemoteObject[]) => all.map((listed) => ({ type: card, listed }));

  it('are one list for objects of one place, where lists show the whole object', async () => {
    const { calls, look } = listing([one, two]);
    const looks = await look(cards(one, two, three));
    expect([...looks.values()]).toEqual([one, two, 'missing']);
    expect(calls).toEqual([['Card', {}]]);
  });

  it('say nothing of what a list that was not read to its end lacks', async () => {
    const { look } = listing([one], 9);
    expect([...(await look(cards(one, two))).values()]).toEqual([one]);
  });

  it('are not worth a list for a single object, nor where lists leave fields out, nor where there is no list', async () => {
    const { calls, look } = listing([one, two]);
    expect((await look(cards(one))).size).toBe(0);
    expect((await look([one, two].map((listed) => ({ type: shelf, listed })))).size).toBe(0);
    const unlisted = { ...card, collection: { ...card.collection, listed: false as const } };
    expect((await look([one, two].map((listed) => ({ type: unlisted, listed })))).size).toBe(0);
    expect(calls).toEqual([]);
  });

  it('ask for each place once', async () => {
    const pages = ['a', 'b'].flatMap((bookId) => ['1', '2'].map((id) => object(id, {}, { shelfId: 's', bookId })));
    const { calls, look } = listing(pages);
    await look(pages.map((listed) => ({ type: page, listed })));
    expect(calls).toEqual([
      ['Page', { shelfId: 's', bookId: 'a' }],
      ['Page', { shelfId: 's', bookId: 'b' }],
    ]);
  });
});

it('an error without words of its own is told by its message', () => {
  const bare = Object.assign(new ProviderError('unavailable', []), { message: 'no answer' });
  expect(asDiagnostic(bare)).toEqual({ severity: 'error', code: 'platform-error', summary: 'no answer' });
  expect(asDiagnostic(down)).toMatchObject({ code: 'down' });
});
