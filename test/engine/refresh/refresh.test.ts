import { describe, expect, it } from 'vitest';
import type { Event } from '@platform-sync/core/model/event';
import { ProviderError, type ProviderErrorKind, type RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Reading, Snapshot } from '@platform-sync/core/model/snapshot';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { RefreshContext } from '@platform-sync/engine/refresh/context';
import { refresh } from '@platform-sync/engine/refresh/refresh';
import { sameValue } from '@platform-sync/core/value/equality';
import { readsOf, stubProvider } from '../apply/stubs.js';
import { fieldOf } from '../plan/worlds.js';
import { planInput, recordOf, type Wanted } from '../plan/made-up-plan.js';
import { typeOf, types } from '../plan/made-up-types.js';

/** What is read, what is believed of it, and what it costs. */

const problem = (kind: ProviderErrorKind): ProviderError =>
  new ProviderError(kind, [{ severity: 'error', code: kind, summary: `It is ${kind}.` }]);

type Answer = RemoteObject | undefined | ProviderError;

interface Platform {
  readonly records?: readonly RecordedResource[];
  readonly wanted?: Readonly<Record<string, Wanted>>;
  /** By `Shelf` or `Book of s`: pages of a list, or why there is none; nothing is an empty list. */
  readonly lists?: Readonly<Record<string, readonly (readonly RemoteObject[])[] | ProviderError>>;
  /** By id: what reading it alone says, one answer after the other, the last one for ever. */
  readonly reads?: Readonly<Record<string, readonly Answer[]>>;
  readonly total?: number;
  readonly isComplete?: boolean;
  readonly context?: Partial<RefreshContext>;
}

interface Seen extends Snapshot {
  readonly calls: readonly string[];
  readonly events: readonly Event[];
}

async function look({ records = [], wanted = {}, lists = {}, reads = {}, ...more }: Platform): Promise<Seen> {
  const calls: string[] = [];
  const events: Event[] = [];
  const asked = new Map<string, number>();
  const provider = stubProvider({
    targetSource: 'The test',
    list: (type, scope, options) => {
      const place = [type.name, ...Object.values(scope)].join(' of ');
      const pages = lists[place] ?? [[]];
      if (pages instanceof ProviderError) {
        calls.push(`list ${place}`);
        return Promise.reject(pages);
      }
      const [first = []] = pages;
      const isEnough =
        pages.length > 1 && options?.isEnough?.({ objects: first, morePages: pages.length - 1 }) === true;
      const objects = isEnough ? first : pages.flat();
      calls.push(`list ${place}${isEnough ? ' begun' : ''}`);
      const isComplete = more.isComplete ?? !isEnough;
      return Promise.resolve({ objects, isComplete, total: more.total ?? pages.flat().length });
    },
    read: (_type, { id }) => {
      calls.push(`read ${id}`);
      const nth = asked.get(id) ?? 0;
      asked.set(id, nth + 1);
      const answers = reads[id] ?? [];
      const answer = answers[Math.min(nth, answers.length - 1)];
      return answer instanceof ProviderError ? Promise.reject(answer) : Promise.resolve(answer);
    },
  });
  const snapshot = await refresh({
    ...{ mode: 'auto', concurrency: 4, maxMissing: 10, same: sameValue, onEvent: (event) => events.push(event) },
    recorded: new Map(records.map((one) => [one.address, one])),
    desired: planInput({ wanted }).desired.resources,
    typeOf: (token) => types.get(token) ?? typeOf('Shelf'),
    reads: readsOf(provider),
    ...more.context,
  });
  return { ...snapshot, calls, events };
}

const shelf = (name: string, outputs: JsonObject = {}): RecordedResource =>
  recordOf(
    name,
    'Shelf',
    { name },
    { identity: { id: name, scope: {} }, outputs: { name, updatedAt: '1', ...outputs } },
  );
const book = (name: string, shelfId: string, outputs: JsonObject = {}): RecordedResource =>
  recordOf(
    name,
    'Book',
    { shelfId, title: name },
    { identity: { id: name, scope: { shelfId } }, outputs: { shelfId, title: name, updatedAt: '1', ...outputs } },
  );
const object = (record: RecordedResource, values: JsonObject = {}): RemoteObject => ({
  identity: record.identity,
  values: { ...record.outputs, ...values },
});
const a = shelf('a', { topics: { x: ['1'] } });
const b = shelf('b');
const t = book('t', 'a', { text: 'long' });
/** As lists show it: without what they leave out. */
const short = ({ identity, values }: RemoteObject): RemoteObject => {
  const { topics: _topics, text: _text, ...rest } = values;
  return { identity, values: rest };
};
const told = (snapshot: Snapshot): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...snapshot.readings].map(([address, one]) => [address, one.kind === 'failed' ? one.diagnostic.code : one.kind]),
  );
const valuesOf = (snapshot: Snapshot, address: string): JsonObject => {
  const reading: Reading | undefined = snapshot.readings.get(address);
  if (reading?.kind !== 'found') throw new Error(`${address} is ${reading?.kind ?? 'not read'}`);
  return reading.values;
};

describe('an object that a list shows', () => {
  it('as recorded costs no call of its own, and keeps what the list left out', async () => {
    const seen = await look({ records: [a], lists: { Shelf: [[short(object(a))]] } });
    expect(seen.calls).toEqual(['list Shelf']);
    expect(valuesOf(seen, 'a')).toEqual({ name: 'a', updatedAt: '1', topics: { x: ['1'] } });
  });

  it('with another revision is read; so is all of it when everything is to be read', async () => {
    const changed = object(a, { updatedAt: '2', topics: { x: ['2'] } });
    const seen = await look({ records: [a], lists: { Shelf: [[short(changed)]] }, reads: { a: [changed] } });
    expect(seen.calls).toEqual(['list Shelf', 'read a']);
    expect(valuesOf(seen, 'a')).toMatchObject({ updatedAt: '2', topics: { x: ['2'] } });
    const full = await look({
      records: [a],
      lists: { Shelf: [[short(object(a))]] },
      reads: { a: [object(a)] },
      context: { mode: 'full' },
    });
    expect(full.calls).toEqual(['list Shelf', 'read a']);
  });

  it('is read, whatever lists leave out, where the record is from before somebody changed it: this one may be older', async () => {
    const { updatedAt: _, ...outputs } = a.outputs;
    const changed = object(a, { updatedAt: '2', topics: { x: ['2'] } });
    const whole = (): ResourceType => {
      const type = typeOf('Shelf');
      const fields = Object.entries(type.fields).map(([name, rule]) => [name, { ...rule, inList: true }] as const);
      return { ...type, fields: Object.fromEntries(fields) };
    };
    const seen = await look({
      ...{ records: [{ ...a, outputs }], lists: { Shelf: [[object(a)]] }, reads: { a: [changed] } },
      context: { typeOf: whole },
    });
    expect(valuesOf(seen, 'a')).toMatchObject({ updatedAt: '2', topics: { x: ['2'] } });
  });

  it('as recorded is not believed of what has been read by itself since', async () => {
    const changed = object(b, { updatedAt: '2', name: 'c' });
    const calls: string[] = [];
    const reads = readsOf(
      stubProvider({
        list: () => Promise.resolve({ objects: [object(b)], isComplete: true, total: 1 }),
        read: (_type, { id }) => (calls.push(`read ${id}`), Promise.resolve(changed)),
      }),
    );
    await reads.read(typeOf('Shelf'), b.identity);
    const seen = await look({ records: [b], context: { reads } });
    expect(valuesOf(seen, 'b')).toMatchObject({ updatedAt: '2', name: 'c' });
    // For the recovery, and once more since the two differ.
    expect(calls).toEqual(['read b', 'read b']);
  });

  it('has its place among its values, and drops what a full answer no longer has', async () => {
    const { shelfId: _shelfId, ...values } = object(t, { updatedAt: '2' }).values;
    const { text: _text, ...bare } = values;
    const reads = { t: [{ identity: t.identity, values: bare }], a: [object(a)] };
    const seen = await look({
      records: [a, t],
      lists: { Shelf: [[short(object(a))]], 'Book of a': [[{ identity: t.identity, values: bare }]] },
      reads,
    });
    expect(valuesOf(seen, 't')).toEqual({ shelfId: 'a', title: 't', updatedAt: '2' });
  });

  it('keeps what is never answered, whoever is asked', async () => {
    const secretive = shelf('a', { door: 'sealed' });
    const answer = { identity: a.identity, values: { name: 'z', updatedAt: '2' } };
    const seen = await look({ records: [secretive], lists: { Shelf: [[answer]] }, reads: { a: [answer] } });
    expect(valuesOf(seen, 'a')).toEqual({ name: 'z', updatedAt: '2', door: 'sealed' });
  });

  it.each<[string, readonly Answer[], string, number]>([
    ['and a read says the same', [object(a, { name: 'z', updatedAt: '2' })], 'found', 1],
    ['and moved on since: it is asked again', [object(a, { name: 'y', updatedAt: '3' })], 'found', 2],
    [
      'and two reads differ',
      [object(a, { name: 'y', updatedAt: '3' }), object(a, { name: 'x', updatedAt: '4' })],
      'contradictory-answers',
      2,
    ],
    [
      'and a read of one revision says something else',
      [object(a, { name: 'y', updatedAt: '2' })],
      'contradictory-answers',
      2,
    ],
    ['and is not there', [undefined], 'contradictory-answers', 1],
    ['and goes between two reads', [object(a, { name: 'y', updatedAt: '3' }), undefined], 'contradictory-answers', 2],
    ['and cannot be read', [problem('unavailable')], 'unavailable', 1],
  ])('otherwise than recorded %s', async (_name, answers, expected, reads) => {
    const listed = short(object(a, { name: 'z', updatedAt: '2' }));
    const seen = await look({ records: [a], lists: { Shelf: [[listed]] }, reads: { a: answers } });
    expect(told(seen)).toEqual({ a: expected });
    expect(seen.calls).toHaveLength(1 + reads);
  });

  it('without a field that lists carry differs, where that field had a value', async () => {
    const { name: _name, ...values } = short(object(a)).values;
    const listed = { identity: a.identity, values };
    expect((await look({ records: [a], lists: { Shelf: [[listed]] }, reads: { a: [object(a)] } })).calls).toEqual([
      'list Shelf',
      'read a',
    ]);
    const unnamed = shelf('a', { name: null });
    expect((await look({ records: [unnamed], lists: { Shelf: [[listed]] } })).calls).toEqual(['list Shelf']);
  });
});

describe('an object that a complete list lacks', () => {
  it.each<[string, readonly Answer[], string]>([
    ['is gone, when a read says so, too', [undefined], 'gone'],
    ['is there, when a read says so', [object(b)], 'found'],
    ['is neither, when it cannot be read', [problem('forbidden')], 'forbidden'],
  ])('%s', async (_name, answers, expected) => {
    const seen = await look({ records: [a, b], lists: { Shelf: [[short(object(a))]] }, reads: { b: answers } });
    expect(told(seen)).toEqual({ a: 'found', b: expected });
    expect(seen.calls).toEqual(['list Shelf', 'read b']);
    const why = [...seen.uncertain.values()].map(({ code, summary }) => [code, summary]);
    const incomplete = [
      'incomplete-list',
      'The list of Shelf objects lacks b, which exists, so it may lack others, too.',
    ];
    expect(why).toEqual(expected === 'found' ? [incomplete] : []);
    expect(seen.unread).toEqual(
      expected === 'found'
        ? [{ type: b.type, diagnostic: expect.objectContaining({ code: 'incomplete-list' }) as object }]
        : [],
    );
  });

  it('is asked for so many times, and not once more', async () => {
    const records = ['a', 'b', 'c'].map((name) => shelf(name));
    const seen = await look({ records, context: { maxMissing: 2 } });
    expect(Object.values(told(seen)).sort()).toEqual(['gone', 'gone', 'too-many-missing']);
    expect([...seen.readings.values()].find(({ kind }) => kind === 'failed')).toMatchObject({
      diagnostic: {
        summary:
          'More than 2 managed objects are missing from the lists of the platform, so the plan stopped looking for more.',
        hint: 'If they are really gone: --allow maxMissing --reason "…"',
      },
    });
  });

  it('is gone with what it lived in, without a word more', async () => {
    const seen = await look({ records: [a, t], reads: { a: [undefined] } });
    expect(told(seen)).toEqual({ a: 'gone', t: 'gone' });
    expect(seen.calls.filter((call) => call.startsWith('read'))).toEqual(['read a']);
  });

  it('is gone where its place is: a collection that is not found holds nothing', async () => {
    const lists = { 'Book of a': problem('not-found') };
    const seen = await look({ records: [a, t], lists, reads: { a: [undefined] } });
    expect(told(seen)).toEqual({ a: 'gone', t: 'gone' });
    expect([...seen.uncertain]).toEqual([]);
    const alive = await look({ records: [a, t], lists: { ...lists, Shelf: [[short(object(a))]] } });
    expect(told(alive)).toEqual({ a: 'found', t: 'not-found' });
    expect([...alive.uncertain.values()]).toMatchObject([{ code: 'not-found' }]);
  });

  it('asks for what it lives in, where that is nobody’s', async () => {
    const lone = book('t', 'stranger');
    expect(told(await look({ records: [lone], reads: { stranger: [undefined] } }))).toEqual({ t: 'gone' });
    const seen = await look({ records: [lone], reads: { stranger: [object(a)], t: [undefined] } });
    expect([told(seen), seen.calls]).toEqual([{ t: 'gone' }, ['list Book of stranger', 'read stranger', 'read t']]);
    const unsure = await look({
      records: [lone, book('u', 'stranger')],
      reads: { stranger: [problem('forbidden')], t: [undefined], u: [undefined] },
    });
    // One question for both of them.
    expect(unsure.calls.filter((call) => call === 'read stranger')).toHaveLength(1);
  });
});

describe('answers that contradict each other', () => {
  it('a list that lacks what a recovery was denied first, and shown then: it is not gone', async () => {
    const answers = [undefined, object(b)];
    const calls: string[] = [];
    const reads = readsOf(
      stubProvider({
        list: () => Promise.resolve({ objects: [], isComplete: true, total: 0 }),
        read: (_type, { id }) => (calls.push(`read ${id}`), Promise.resolve(answers.shift())),
      }),
    );
    await reads.read(typeOf('Shelf'), b.identity);
    await reads.readAgain(typeOf('Shelf'), b.identity);
    expect(told(await look({ records: [b], context: { reads } }))).toEqual({ b: 'contradictory-answers' });
    expect(calls).toHaveLength(2);
  });

  it('a child of what is gone: neither is believed, nor what is gone along', async () => {
    const u = book('u', 'a');
    const seen = await look({
      records: [a, t, u],
      lists: { 'Book of a': [[short(object(t))]] },
      reads: { a: [undefined] },
    });
    expect(told(seen)).toEqual({ a: 'contradictory-answers', t: 'contradictory-answers', u: 'contradictory-answers' });
    expect(seen.readings.get('a')).toMatchObject({
      diagnostic: {
        summary: 'The platform says that a does not exist, and shows t, which lives in it.',
        hint: 'One of the two answers is wrong, so neither is used. Plan again a little later.',
      },
    });
  });

  it('nor is gone along with an object that nobody has recorded, while another one shows in that', async () => {
    const seen = await look({
      records: [book('t', 'stranger'), book('u', 'stranger')],
      lists: { 'Book of stranger': [[short(object(book('t', 'stranger')))]] },
      reads: { stranger: [undefined] },
    });
    expect(told(seen)).toEqual({ t: 'found', u: 'not-proven-gone' });
  });
});

describe('a collection', () => {
  it('is read to its end only where that is cheaper than asking for what is missing', async () => {
    const pages = [[short(object(a))], [short(object(b))], [short(object(shelf('x')))], []];
    const seen = await look({ records: [a, b], lists: { Shelf: pages }, reads: { b: [object(b)] } });
    expect(seen.calls).toEqual(['list Shelf begun', 'read b']);
    expect(seen.listed).toMatchObject([{ type: a.type, scope: {}, morePages: 3, objects: [] }]);
    const all = await look({ records: [a, b], lists: { Shelf: pages.slice(0, 2) } });
    expect(all.calls).toEqual(['list Shelf']);
    expect(all.listed).toMatchObject([{ morePages: 0 }]);
  });

  it('of a part only says nothing of what it lacks', async () => {
    const seen = await look({
      records: [a, b],
      lists: { Shelf: [[short(object(a))]] },
      isComplete: false,
      reads: { b: [undefined] },
    });
    expect(told(seen)).toEqual({ a: 'found', b: 'gone' });
    expect([...seen.uncertain]).toEqual([]);
  });

  it('says what else is in it, by type and place', async () => {
    const strangers = ['x', 'y'].map((id) => ({ identity: { id, scope: {} }, values: { name: id } }));
    const inside = { identity: { id: 'z', scope: { shelfId: 'a' } }, values: { title: 'z' } };
    const lists = { Shelf: [[short(object(a)), ...strangers]], 'Book of a': [[short(object(t)), inside]] };
    const seen = await look({ records: [a, t], lists, wanted: { c: { type: 'Card' } } });
    expect(seen.unmanaged).toEqual([
      { type: t.type, under: 'a', count: 1 },
      { type: a.type, count: 2 },
    ]);
    expect(seen.listed.map(({ type, under, objects }) => [type, under, objects.length])).toEqual([
      [typeOf('Card').token, undefined, 0],
      [a.type, undefined, 2],
      [t.type, 'a', 1],
    ]);
    expect(seen.found.size).toBe(0);
  });

  it('says so in the order of types and places, however many there are', async () => {
    const u = book('u', 'b');
    const inside = (shelfId: string): RemoteObject => ({
      identity: { id: 'z', scope: { shelfId } },
      values: { title: 'z' },
    });
    const lists = {
      Shelf: [[short(object(a)), short(object(b)), short(object(shelf('x')))]],
      'Book of a': [[short(object(t)), inside('a')]],
      'Book of b': [[short(object(u)), inside('b')]],
    };
    const { unmanaged } = await look({ records: [b, u, a, t], lists });
    expect(unmanaged.map(({ type, under }) => [type, under])).toEqual([
      [t.type, 'a'],
      [t.type, 'b'],
      [a.type, undefined],
    ]);
  });

  it('whose objects are all looked for is read to its end', async () => {
    const pages = [[short(object(a))], [short(object(shelf('x')))], [], []];
    const part = await look({ records: [a], lists: { Shelf: pages } });
    expect(part.calls).toEqual(['list Shelf begun']);
    const whole = new Set([typeOf('Shelf')]);
    expect((await look({ records: [a], lists: { Shelf: pages }, context: { whole } })).calls).toEqual(['list Shelf']);
  });

  it.each([true, false])(
    'of one object needs no list where what it lies in shows it unmoved (its revision listed: %s)',
    async (inList) => {
      const [{ collection, fields, ...rest }, known] = [typeOf('Book'), book('t', 'a')];
      // Lists may leave the revision out, which the home shows.
      const updatedAt = { ...fieldOf(typeOf('Book'), 'updatedAt'), inList };
      const shown = { ...rest, collection: { ...collection, shownIn: 'open' }, fields: { ...fields, updatedAt } };
      const open = { id: 't', title: 't', updatedAt: '1' };
      const at = (moved: JsonObject) =>
        look({
          ...{ records: [a, known], lists: { Shelf: [[short(object(a, { open: { ...open, ...moved } }))]] } },
          ...{ reads: { t: [object(known)] } },
          context: { typeOf: (token) => (token === shown.token ? shown : (types.get(token) ?? typeOf('Shelf'))) },
        });
      expect((await at({})).calls).toEqual(inList ? ['list Shelf'] : ['list Shelf', 'read t']);
      expect((await at({ updatedAt: '2' })).calls).toContain('list Book of a');
    },
  );

  it('that cannot be read is told of once, by its members or for itself', async () => {
    const failing = { 'Book of a': problem('forbidden'), Card: problem('unavailable') };
    const lists = { ...failing, Shelf: [[short(object(a))]] };
    const seen = await look({ records: [a, t], lists, wanted: { c: { type: 'Card' } } });
    expect(told(seen)).toEqual({ a: 'found', t: 'forbidden' });
    expect(seen.unread).toEqual([
      {
        type: typeOf('Card').token,
        diagnostic: { severity: 'error', code: 'unavailable', summary: 'It is unavailable.' },
      },
    ]);
    expect([...seen.uncertain.values()].map(({ code }) => code).sort()).toEqual(['forbidden', 'unavailable']);
    expect(seen.unmanaged).toEqual([]);
    expect(seen.listed.map(({ type }) => type)).toEqual([a.type]);
  });

  it('tells how far reading has come', async () => {
    const seen = await look({
      records: [a, t],
      lists: { Shelf: [[short(object(a))]], 'Book of a': [[short(object(t))]] },
    });
    expect(seen.events).toEqual([
      { type: 'reading', collections: 2, objects: 2 },
      { type: 'read', done: 1, total: 2 },
      { type: 'read', done: 2, total: 2 },
    ]);
  });
});

describe('when nothing can be read', () => {
  it('nothing is compared, and the first reason is told with the place of the address', async () => {
    const lists = { Shelf: problem('unavailable'), Card: problem('forbidden') };
    await expect(look({ records: [a], lists, wanted: { c: { type: 'Card' } } })).rejects.toMatchObject({
      kind: 'unavailable',
      diagnostics: [
        {
          ...{ severity: 'error', code: 'nothing-read' },
          summary: expect.stringMatching(
            /^Nothing could be read, so nothing was compared: It is .* The test says this address\.$/,
          ) as string,
        },
      ],
    });
  });

  it.each<ProviderErrorKind>(['unauthenticated', 'configuration'])('%s ends it at once', async (kind) => {
    const lists = { Shelf: problem(kind), Card: [[]] };
    await expect(look({ records: [a], lists, wanted: { c: { type: 'Card' } } })).rejects.toMatchObject({ kind });
  });

  it('a place that does not exist is an answer; the top of the platform is none', async () => {
    const lone = book('t', 'stranger');
    const nowhere = { 'Book of stranger': problem('not-found') };
    expect(told(await look({ records: [lone], lists: nowhere, reads: { stranger: [undefined] } }))).toEqual({
      t: 'gone',
    });
    // Whatever says that: what it lives in is asked.
    const unproven = new ProviderError('unexpected-answer', problem('unexpected-answer').diagnostics, { status: 404 });
    const lists = { 'Book of stranger': unproven };
    const seen = await look({ records: [lone], lists, reads: { stranger: [undefined] } });
    expect([told(seen), seen.unread]).toEqual([{ t: 'gone' }, []]);
    await expect(look({ records: [a], lists: { Shelf: problem('not-found') } })).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  it('a bug is no answer', async () => {
    const broken = { reads: readsOf(stubProvider({ list: () => Promise.reject(new Error('bug')) })) };
    await expect(look({ records: [a], context: broken })).rejects.toThrow('bug');
  });
});

describe('without reading', () => {
  it('what was answered last is what there is', async () => {
    const seen = await look({ records: [a, t], context: { mode: 'none' } });
    expect(seen.calls).toEqual([]);
    expect(seen.readings.get('t')).toEqual({ kind: 'found', identity: t.identity, values: t.outputs });
    expect([seen.listed, seen.unmanaged, seen.unread, seen.found.size, seen.uncertain.size]).toEqual([
      [],
      [],
      [],
      0,
      0,
    ]);
  });
});

describe('what was written within the settling time', () => {
  const settledBefore = '2026-01-01T00:00:00.000Z';
  const early = '2025-12-31T23:00:00.000Z';
  const late = '2026-01-01T00:00:01.000Z';
  const gone = problem('not-found');

  it.each<[string, string, string, Readonly<Record<string, string>>]>([
    ['is not gone while what it lives in may not show yet', late, late, { a: 'not-visible-yet', t: 'not-found' }],
    ['is gone with what it lives in, once that is proven gone', early, late, { a: 'gone', t: 'gone' }],
    ['keeps what was written before in it', late, early, { a: 'not-visible-yet', t: 'not-found' }],
    ['and before it is gone', early, early, { a: 'gone', t: 'gone' }],
  ])('%s', async (_what, above, below, readings) => {
    const records = [
      { ...a, writtenAt: above },
      { ...t, writtenAt: below },
    ];
    const seen = await look({ records, lists: { 'Book of a': gone }, context: { settledBefore } });
    expect(told(seen)).toEqual(readings);
  });
});
