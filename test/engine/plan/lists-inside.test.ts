import { describe, expect, it } from 'vitest';
import { collectionKey } from '@platform-sync/core/model/identity';
import type { Json } from '@platform-sync/core/model/value';
import { goingAlong, idsOfEnds, listsInside, seenInside } from '@platform-sync/engine/plan/contents';
import { failedReading, listed, planInput, planned, recordOf, remoteObject, type World } from './made-up-plan.js';
import { typeOf } from './made-up-types.js';

/** Which lists are read to see what else ends with a shelf, and what is found there. */

const shelf = recordOf('a', 'Shelf', { name: 'A' });
const lists = (world: World, asked: readonly string[] = [], most?: number) => {
  const { steps } = planned(world);
  const input = planInput(world);
  const ends = [...steps.values()].filter(({ action }) => action === 'delete' || action === 'replace');
  const along = goingAlong(input, [...steps.values()], steps.values());
  const found = listsInside(input, ends, along, new Set(asked), most);
  return {
    lists: found.lists.map(({ type, scope, homes }) => `${type.name} ${JSON.stringify(scope)} ${homes.join()}`),
    unread: found.unread.map(({ type, homes }) => `${typeOf(type.split(':').at(-1) ?? '').name} ${homes.join()}`),
  };
};
const nothing = { lists: [], unread: [] };

describe('what is looked into when a shelf ends', () => {
  it('is the list of what it may hold', () => {
    expect(lists({ records: [shelf] })).toEqual({ lists: ['Note {} a'], unread: [] });
  });

  it('is one list for two shelves whose notes stand in one', () => {
    const other = recordOf('b', 'Shelf', { name: 'B' });
    expect(lists({ records: [shelf, other] })).toEqual({ lists: ['Note {} a,b'], unread: [] });
  });

  it('is nothing where all stay', () => {
    expect(lists({ records: [shelf], wanted: { a: { properties: { name: 'A' } } } })).toEqual(nothing);
  });

  it('is nothing that was read to its end, and what was read in part', () => {
    const read = (morePages: number): World => ({
      records: [shelf],
      snapshot: { listed: [listed('Note', [], { morePages })] },
    });
    expect(lists(read(0))).toEqual(nothing);
    expect(lists(read(2))).toEqual({ lists: ['Note {} a'], unread: [] });
  });

  it('is nothing that was asked for, and nothing of an object that is gone', () => {
    expect(lists({ records: [shelf] }, [collectionKey(typeOf('Note'), {})])).toEqual(nothing);
    expect(lists({ records: [shelf], readings: { a: { kind: 'gone' } } })).toEqual(nothing);
  });

  it('is a list for each place, and none where there are more than are looked into and than objects end', () => {
    const books = ['b', 'd'].map((key) => recordOf(key, 'Book', { shelfId: 'id-a', title: key }));
    const pages = (...homes: string[]): readonly string[] =>
      ['b', 'd'].map((key, at) => `Page {"shelfId":"id-a","bookId":"id-${key}"} ${homes[at] ?? ''}`);
    for (const most of [1, 2])
      expect(lists({ records: books }, [], most)).toEqual({ lists: pages('b', 'd'), unread: [] });
    const wanted = Object.fromEntries(
      books.map(({ address, inputs }) => [address, { type: 'Book', properties: inputs }]),
    );
    const along = { records: [shelf, ...books], wanted };
    expect(lists(along, [], 2)).toEqual({ lists: ['Note {} a', ...pages('a', 'a')], unread: [] });
    expect(lists(along, [], 1)).toEqual({ lists: ['Note {} a'], unread: ['Page a,a'] });
  });

  it('is what goes along, too, where it is known to be there', () => {
    const book = recordOf('b', 'Book', { shelfId: 'id-a', title: 'T' });
    const wanted = { b: { type: 'Book', properties: { shelfId: 'id-a', title: 'T' } } };
    const of = (world: World): readonly string[] => lists({ records: [shelf, book], wanted, ...world }).lists;
    const page = 'Page {"shelfId":"id-a","bookId":"id-b"} a';
    expect(of({})).toEqual(['Note {} a', page]);
    expect(of({ wanted: {}, removed: ['b'], readings: { b: failedReading() } })).toEqual(['Note {} a']);
    const stranger = listed('Book', [remoteObject('s', { title: 's' }, { shelfId: 'id-a' })], {
      scope: { shelfId: 'id-a' },
    });
    expect(of({ records: [shelf], wanted: {}, snapshot: { listed: [stranger] } })).toEqual([
      'Note {} a',
      page.replace('id-b', 's'),
    ]);
  });

  it('is nothing where a delete is forced: all in it may go', () => {
    const club = recordOf('c', 'Club', { name: 'C' });
    const allow = [{ guard: 'force:c', reason: 'it moved' }];
    expect(lists({ records: [club], more: { allow } })).toEqual(nothing);
  });
});

describe('what the last look before the end is held against', () => {
  it('is what a list showed that was looked at once more, whatever the first one lacked', () => {
    const first = listed('Note', [remoteObject('n', { text: 'n' }), remoteObject('o', { text: 'o' })]);
    const diagnostic = { severity: 'error', code: 'incomplete-list', summary: 'It lacks one.' } as const;
    const key = collectionKey(typeOf('Note'), {});
    const shown = (isUncertain: boolean, again: readonly ReturnType<typeof listed>[]) => {
      const world: World = {
        records: [shelf],
        snapshot: { listed: [first], uncertain: new Map(isUncertain ? [[key, diagnostic]] : []) },
      };
      const ends = [...planned(world).steps.values()];
      const lists = seenInside(planInput(world), ends, [], { listed: again });
      return lists.map((list) => [list.type.name, [...list.shown].length]);
    };
    const second = listed('Note', [remoteObject('n', { text: 'n' })]);
    expect(shown(false, [])).toEqual([['Note', 2]]);
    expect(shown(true, [])).toEqual([]);
    expect(shown(true, [second])).toEqual([['Note', 1]]);
  });
});

describe('what shows itself what it holds', () => {
  const page = typeOf('Page');
  const types = new Map(planInput({}).types).set(page.token, {
    ...page,
    collection: { ...page.collection, idsIn: 'pages' },
  });
  const book = recordOf('b', 'Book', { shelfId: 'id-a', title: 'T' });
  const kept = recordOf('p', 'Page', { shelfId: 'id-a', bookId: 'id-z', number: 1 });
  const wanted = { p: { type: 'Page', properties: kept.inputs } };

  it.each<[string, Json, number]>([
    ['is known', ['id-p'], 0],
    ['is nothing', [], 0],
    ['is known in part', ['id-p', 'id-q'], 1],
    ['is no list of ids', [{ id: 'id-p' }], 1],
    ['is not shown', null, 1],
  ])('where that %s', (_name, pages, count) => {
    const reading = { kind: 'found', identity: book.identity, values: { title: 'T', pages } } as const;
    const world: World = { records: [book, kept], wanted, readings: { b: reading }, more: { types } };
    expect(lists(world).lists).toHaveLength(count);
  });

  it('where it is not known what is read', () => {
    const reading = { kind: 'found', identity: book.identity, values: { title: 'T', pages: ['id-p'] } } as const;
    const readings = { b: reading, p: failedReading() };
    expect(lists({ records: [book, kept], wanted, readings, more: { types } }).lists).toHaveLength(1);
  });
});

describe('ids of what ends', () => {
  it('are those of objects and of what they live in, and none of what stays or was never there', () => {
    const book = recordOf('b', 'Book', { shelfId: 'id-a', title: 'T' });
    const kept = recordOf('k', 'Card', { name: 'K' });
    const wanted = { k: { type: 'Card', properties: { name: 'K' } } };
    const { steps } = planned({ records: [shelf, book, kept], wanted });
    expect([...idsOfEnds(steps.values())].sort()).toEqual(['id-a', 'id-b']);
  });
});

describe('what another stack has recorded in a shelf that ends', () => {
  const inside = (record: ReturnType<typeof recordOf>): World => ({
    records: [shelf],
    more: {
      inside: { recorded: [{ project: 'library', stack: 'prod', targets: {}, record }], listed: [], unread: [] },
    },
  });
  const guards = (world: World): readonly string[] =>
    planned(world).plan.guards.flatMap(({ name, summary }) => (name === 'emptyCatalogue' ? [] : `${name}: ${summary}`));

  it('is held by a guard that names the stack, and one that is protected by a guard of its own', () => {
    expect(guards(inside(recordOf('t', 'Note', { shelfId: 'id-a', text: 't' })))).toEqual([
      'goes-along:a: the end of a would also end 1 object that the stack library/prod manages: t',
    ]);
    const shelved = recordOf('t', 'Book', { shelfId: 'id-a', title: 't' }, { protect: true });
    expect(guards(inside(shelved))).toEqual([
      'delete:library/prod:t: t of the stack library/prod is protected and would end with a, which it lives in',
      'goes-along:a: the end of a would also end 1 object that the stack library/prod manages: t',
    ]);
  });

  it('is held as well where it is the very object that ends, which both have recorded', () => {
    const own = {
      records: [shelf, recordOf('b', 'Shelf', { name: 'B' })],
      wanted: { b: { properties: { name: 'B' } } },
    };
    const same = { ...recordOf('t', 'Shelf', { name: 'A' }, { protect: true }), identity: shelf.identity };
    expect(guards({ ...inside(same), ...own })).toEqual([
      'delete:library/prod:t: t of the stack library/prod is protected and would end with a, which is the same object',
      'goes-along:a: the end of a would also end 1 object that the stack library/prod manages: t',
    ]);
    expect(guards({ ...inside({ ...same, type: typeOf('Stamp').token, protect: false }), ...own })).toEqual([]);
  });

  it('counts once among the deletes where it is the very object, and else as what goes along', () => {
    const limits = { maxDeletes: 1, maxDeletePercent: 100, allow: [] };
    const limited = (world: World): World => ({
      ...world,
      wanted: { b: { properties: { name: 'B' } } },
      records: [shelf, recordOf('b', 'Shelf', { name: 'B' })],
      more: { ...world.more, guards: limits },
    });
    const names = (world: World): readonly string[] => planned(limited(world)).plan.guards.map(({ name }) => name);
    const same = { ...recordOf('t', 'Shelf', { name: 'A' }), identity: shelf.identity };
    expect(names(inside(same))).toEqual(['goes-along:a']);
    expect(names(inside(recordOf('t', 'Note', { shelfId: 'id-a', text: 't' })))).toEqual([
      'goes-along:a',
      'maxDeletes',
    ]);
  });

  it('is held by guards that name whose resources are concerned', () => {
    const own = { type: 'Note', properties: { shelfId: 'id-a', text: 'n' } };
    const world: World = {
      ...inside(recordOf('t', 'Book', { shelfId: 'id-a', title: 't' }, { protect: true })),
      wanted: { n: { ...own, options: { protect: true } } },
      records: [shelf, recordOf('n', 'Note', own.properties)],
    };
    const limited = { ...world.more, guards: { maxDeletes: 1, maxDeletePercent: 100, allow: [] } };
    expect(planned({ ...world, more: limited }).plan.guards.map(({ name, addresses }) => [name, addresses])).toEqual([
      ['delete:n', ['n', 'a']],
      ['delete:library/prod:t', ['a']],
      ['goes-along:a', ['a']],
      ['maxDeletes', ['a', 'n']],
    ]);
  });

  it('is nothing that lives elsewhere', () => {
    expect(guards(inside(recordOf('t', 'Note', { shelfId: 'id-z', text: 't' })))).toEqual([]);
  });

  it('is told once where a list shows it, too', () => {
    const world = inside(recordOf('t', 'Note', { shelfId: 'id-a', text: 't' }));
    const shown = listed('Note', [remoteObject('id-t', { shelfId: 'id-a', text: 't' })]);
    expect(guards({ ...world, snapshot: { listed: [shown] } })).toEqual(guards(world));
  });
});
