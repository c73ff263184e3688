import { describe, expect, it } from 'vitest';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import { departures, endsById, goingAlong, Homes, listsInside, type Inside } from '@platform-sync/engine/plan/contents';
import type { Step } from '@platform-sync/engine/plan/step';
import { listed, planInput, planned, recordOf, remoteObject, type World } from './made-up-plan.js';

/** What lives in what: by its place, by what it is nested in, and by an id of which no type says whose it is. */

const tome = (address: string, inputs: JsonObject = {}, values: JsonObject = {}): RecordedResource =>
  recordOf(address, 'Tome', { title: address, ...inputs }, { outputs: { title: address, ...inputs, ...values } });
const editions = (of: string, ...ids: readonly string[]) =>
  listed(
    'Edition',
    ids.map((id) => remoteObject(id, { number: id }, { tomeId: `id-${of}` })),
    { scope: { tomeId: `id-${of}` } },
  );
const stickers = (of: string, ...ids: readonly string[]) =>
  listed(
    'Sticker',
    ids.map((id) => remoteObject(id, { name: id }, { of })),
    { scope: { of } },
  );

/** What goes along with all that a world deletes: `whose address in home`. */
function along(world: World, inside?: Inside): readonly string[] {
  const steps = [...planned(world).steps.values()];
  return goingAlong(planInput(world), steps, steps, inside).map(
    ({ of, address, home }) => `${of} ${address} in ${home.address}`,
  );
}

describe('editions of a tome that ends', () => {
  const text = { text: 'Once' };
  it.each<[string, World, readonly string[]]>([
    [
      'are all told where the tome keeps no text',
      { records: [tome('t')], snapshot: { listed: [editions('t', 'e1', 'e2')] } },
      ['nobody Edition:e1 in t', 'nobody Edition:e2 in t'],
    ],
    [
      'are told but for the one that is shown as its text',
      { records: [tome('t', text, { newest: { id: 'e2' } })], snapshot: { listed: [editions('t', 'e1', 'e2', 'e3')] } },
      ['nobody Edition:e1 in t', 'nobody Edition:e3 in t'],
    ],
    [
      'are told but for one where none is shown',
      { records: [tome('t', text)], snapshot: { listed: [editions('t', 'e1', 'e2')] } },
      ['nobody Edition:e2 in t'],
    ],
    [
      'are told but for one of each tome',
      {
        records: [tome('t', text), tome('u', text)],
        snapshot: { listed: [editions('t', 'e1', 'e2'), editions('u', 'f1', 'f2')] },
      },
      ['nobody Edition:e2 in t', 'nobody Edition:f2 in u'],
    ],
    [
      'are no part of what has another type',
      { records: [tome('t', text)], snapshot: { listed: [stickers('id-t', 's1')] } },
      ['nobody Sticker:s1 in t'],
    ],
  ])('%s', (_what, world, expected) => {
    expect(along(world)).toEqual(expected);
  });
});

describe('a sticker of something that ends', () => {
  it.each<[string, World, readonly string[]]>([
    [
      'goes along with what has the id',
      { records: [tome('t')], snapshot: { listed: [stickers('id-t', 's1'), stickers('id-u', 's2')] } },
      ['nobody Sticker:s1 in t'],
    ],
    [
      'goes along with what shows its own id',
      { records: [tome('t', {}, { id: 'id-t' })], snapshot: { listed: [stickers('id-t', 's1')] } },
      ['nobody Sticker:s1 in t'],
    ],
    [
      'stays where the id is borrowed: a membership has that of its member',
      { records: [tome('t', {}, { member: 'id-t' })], snapshot: { listed: [stickers('id-t', 's1')] } },
      [],
    ],
    [
      'goes along with what lives in it, too',
      {
        records: [recordOf('a', 'Shelf', { name: 'A' }), recordOf('b', 'Book', { shelfId: 'id-a', title: 'B' })],
        wanted: { b: { type: 'Book', properties: { shelfId: 'id-a', title: 'B' } } },
        snapshot: { listed: [stickers('id-b', 's1')] },
      },
      ['stack b in a', 'nobody Sticker:s1 in a'],
    ],
  ])('%s', (_what, world, expected) => {
    expect(along(world)).toEqual(expected);
  });

  /** A note with an id, on a shelf that ends. */
  const onShelf = (id: string, inputs: JsonObject): World => ({
    records: [
      recordOf('a', 'Shelf', { name: 'A' }),
      recordOf('n', 'Note', { shelfId: 'id-a', ...inputs }, { identity: { id, scope: {} } }),
    ],
    wanted: { n: { type: 'Note', properties: { shelfId: 'id-a', ...inputs } } },
  });
  const page = listed('Page', [remoteObject('p', { number: 1 }, { shelfId: 'id-z', bookId: 'x' })], {
    scope: { shelfId: 'id-z', bookId: 'x' },
  });

  it.each<[string, World, readonly string[]]>([
    [
      'goes along by way of what has the id',
      { ...onShelf('x', { text: 't' }), snapshot: { listed: [stickers('x', 's1')] } },
      ['stack n in a', 'nobody Sticker:s1 in a'],
    ],
    [
      'does not by way of what has only borrowed it',
      { ...onShelf('x', { text: 'x' }), snapshot: { listed: [stickers('x', 's1')] } },
      ['stack n in a'],
    ],
    [
      'and a page does not by way of a note with the id of its book',
      { ...onShelf('x', { text: 't' }), snapshot: { listed: [page] } },
      ['stack n in a'],
    ],
  ])('%s', (_what, world, expected) => {
    expect(along(world)).toEqual(expected);
  });

  it('is no home for what its type says lives in something else', () => {
    const records = [recordOf('a', 'Shelf', { name: 'A' }, { identity: { id: 'same', scope: {} } }), tome('t')];
    const steps = [...planned({ records, wanted: {} }).steps.values()];
    const end = endsById(steps);
    expect([end('library:index/tome:Tome', 'same'), end('library:index/shelf:Shelf', 'same')?.address]).toEqual([
      undefined,
      'a',
    ]);
  });

  it('is looked for in nothing of which no type is known', () => {
    const strangers = { ...stickers('id-t', 's1'), type: 'other:index/thing:Thing' };
    expect(along({ records: [tome('t')] }, { recorded: [], listed: [strangers], unread: [] })).toEqual([]);
  });
});

describe('what another stack has recorded in a tome that ends', () => {
  const inside = (record: RecordedResource): Inside => ({
    recorded: [{ project: 'library', stack: 'prod', targets: {}, record }],
    ...{ listed: [], unread: [] },
  });
  const edition = recordOf('e', 'Edition', { tomeId: 'id-t', number: '1' });

  it('is told by its stack, with what it holds', () => {
    const steps = [...planned({ records: [tome('t')] }).steps.values()];
    const [found] = goingAlong(planInput({ records: [tome('t')] }), steps, steps, inside(edition));
    expect(found).toMatchObject({
      of: 'other',
      owner: 'library/prod',
      object: { identity: edition.identity, values: edition.outputs },
    });
  });

  it('is where that stack has it, whatever this one has at the address', () => {
    const shelves = [recordOf('a', 'Shelf', { name: 'A' }), recordOf('b', 'Shelf', { name: 'B' })];
    const note = recordOf('n', 'Note', { shelfId: 'id-b', text: 'N' });
    const theirs = recordOf('n', 'Note', { shelfId: 'id-a', text: 'O' }, { identity: { id: 'o', scope: {} } });
    const wanted = {
      b: { properties: { name: 'B' } },
      n: { type: 'Note', properties: { shelfId: 'id-b', text: 'N' } },
    };
    expect(along({ records: [...shelves, note], wanted }, inside(theirs))).toEqual(['other n in a']);
  });

  it('is not told by a list as well', () => {
    const world = { records: [tome('t')], snapshot: { listed: [editions('t', 'id-e')] } };
    expect(along(world, inside(edition))).toEqual(['other e in t']);
  });
});

describe('what a record lives in', () => {
  const shelf = recordOf('a', 'Shelf', { name: 'A' });
  const book = recordOf('b', 'Book', { shelfId: 'id-a', title: 'B' });
  const note = recordOf('n', 'Note', { shelfId: 'id-a', text: 'N' });
  const sticker = recordOf('s', 'Sticker', { of: 'id-a', name: 'S' });
  const other = recordOf('o', 'Shelf', { name: 'O' });
  const alike = recordOf('c', 'Club', { name: 'C' }, { identity: shelf.identity });
  const cover = recordOf('v', 'Cover', { tomeId: 'id-t', colour: 'red' });
  const alikeTome = recordOf('d', 'Club', { name: 'D' }, { identity: { id: 'id-t', scope: {} } });
  const records = [shelf, book, note, sticker, other, alike, cover, tome('t'), alikeTome];
  const homes = new Homes(planInput({ records }));

  it.each([
    ['its place', book, shelf, true],
    ['what it is nested in', note, shelf, true],
    ['whatever has the id, where no type says of what', sticker, shelf, true],
    ['and that may be anything', sticker, alike, true],
    ['what its type is a part of', cover, tome('t'), true],
    ['nothing else with the id of that', cover, alikeTome, false],
    ['no other place', book, other, false],
    ['nothing of another type', book, alike, false],
    ['nothing of another type that it is nested in', note, alike, false],
    ['nothing of which it says nothing', shelf, other, false],
  ])('is %s', (_what, record, home, expected) => {
    expect(homes.livesIn(record, home)).toBe(expected);
  });
});

describe('lists that are read to see what a tome holds', () => {
  const lists = (values: JsonObject, more: Partial<Step> = {}): readonly string[] => {
    const world: World = { records: [tome('t', {}, values)] };
    const ends = [...planned(world).steps.values()].map((step) => ({ ...step, ...more }));
    const found = listsInside(planInput(world), ends, [], new Set());
    return found.lists.map(({ type, scope }) => `${type.name} ${JSON.stringify(scope)}`);
  };
  const edition = 'Edition {"tomeId":"id-t"}';

  it.each<[string, JsonObject, Partial<Step>, readonly string[]]>([
    ['are those of what may lie directly in it, and is listed at all', {}, {}, [edition]],
    ['are read where it shows that there is one', { newest: { id: 'e' } }, {}, [edition]],
    ['are not read where it shows that there is none', { newest: null }, {}, []],
    ['are not read where a forced delete has said that all may go', {}, { force: true }, []],
  ])('%s', (_what, values, more, expected) => {
    expect(lists(values, more)).toEqual(expected);
  });
});

describe('who leaves a home before it ends', () => {
  const shelves = [recordOf('a', 'Shelf', { name: 'A' }), recordOf('b', 'Shelf', { name: 'B' })];
  const note = recordOf('n', 'Note', { shelfId: 'id-a', text: 'N' });
  const world = (to: string, text: string, mode: 'keep' | 'end' = 'end'): World => ({
    records: [...shelves, note],
    wanted: {
      ...(mode === 'keep' ? { a: { properties: { name: 'A' } } } : {}),
      b: { properties: { name: 'B' } },
      n: { type: 'Note', properties: { shelfId: to, text } },
    },
  });
  const leaving = (given: World): readonly string[] =>
    departures(planInput(given), [...planned(given).steps.values()]).map(
      ({ address, home }) => `${address} leaves ${home}`,
    );

  it.each<[string, World, readonly string[]]>([
    ['what moves out', world('id-b', 'N'), ['n leaves a']],
    ['what moves out and changes besides', world('id-b', 'M'), ['n leaves a']],
    ['nobody where it only changes', world('id-a', 'M'), []],
    ['nobody where the home stays', world('id-b', 'N', 'keep'), []],
    ['what ends itself', { records: [...shelves, note], wanted: { b: { properties: { name: 'B' } } } }, ['n leaves a']],
    ['nobody where all end that lives nowhere', { records: shelves }, []],
  ])('%s', (_who, given, expected) => {
    expect(leaving(given)).toEqual(expected);
  });

  it('and what leads to what ends leads elsewhere before, whatever state says of what it depends on', () => {
    const card = recordOf('c', 'Card', { name: 'C', shelf: 'id-a' });
    const leading = (shelf: string): World => ({
      records: [...shelves, card],
      wanted: { b: { properties: { name: 'B' } }, c: { type: 'Card', properties: { name: 'C', shelf } } },
    });
    expect([leaving(leading('id-b')), leaving(leading('id-a'))]).toEqual([['c leaves a'], []]);
  });

  it('and what has left does not go along with it', () => {
    expect(along(world('id-b', 'M'))).toEqual([]);
    expect(along(world('id-a', 'M'))).toEqual(['stack n in a']);
  });
});
