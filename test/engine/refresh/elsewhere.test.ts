import { describe, expect, it } from 'vitest';
import { identityKey } from '@platform-sync/core/model/identity';
import type { Provider, RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Reading } from '@platform-sync/core/model/snapshot';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { collectionsOf } from '@platform-sync/engine/refresh/list-collection';
import type { RefreshContext } from '@platform-sync/engine/refresh/context';
import { withKept } from '@platform-sync/engine/refresh/confirmed-reading';
import { shownAbove } from '@platform-sync/engine/refresh/refresh';
import { sameValue } from '@platform-sync/core/value/equality';
import { readsOf, stubProvider } from '../apply/stubs.js';
import { planInput, recordOf } from '../plan/made-up-plan.js';
import { ruleWith, typeOf, types } from '../plan/made-up-types.js';

/** What an object does not show itself, and another one does. */

const shelf = typeOf('Shelf');
/** A book whose shelf says which one lies open. */
const book: ResourceType = { ...typeOf('Book'), collection: { ...typeOf('Book').collection, shownIn: 'open' } };

const contextOf = (more: Partial<RefreshContext> = {}): RefreshContext => ({
  ...{ mode: 'auto', concurrency: 1, maxMissing: 1, same: sameValue, recorded: new Map() },
  desired: new Map(),
  typeOf: (token) => (token === book.token ? book : (types.get(token) ?? shelf)),
  reads: readsOf(stubProvider({})),
  ...more,
});

describe('an object that what it lives in shows', () => {
  const recordOfBook = (id: string, outputs: JsonObject = {}): RecordedResource =>
    recordOf(
      id,
      'Book',
      {},
      {
        identity: { id, scope: { shelfId: 'a' } },
        outputs: { shelfId: 'a', title: 'T', text: 'long', updatedAt: '1', ...outputs },
      },
    );
  const t = recordOfBook('t');
  const collectionOf = (...members: readonly RecordedResource[]) => {
    const [first] = collectionsOf(new Map(members.map((one) => [one.address, one])), new Map(), contextOf().typeOf);
    if (first === undefined) throw new Error('no collection');
    return first;
  };
  const look = (open: Json | undefined, more: Partial<RefreshContext> = {}, members = [t], type = book) => {
    const above: RemoteObject = { identity: { id: 'a', scope: {} }, values: open === undefined ? {} : { open } };
    const all = new Map([[identityKey(shelf.token, above.identity), above]]);
    return shownAbove(contextOf(more), { ...collectionOf(...members), type }, all);
  };
  const shown: JsonObject = { id: 't', title: 'T', updatedAt: '1' };

  it('needs no list while it has not moved; what else is there stays unknown', () => {
    const list = look(shown);
    expect([...(list?.objects.values() ?? [])]).toEqual([
      { identity: t.identity, values: { shelfId: 'a', title: 'T', updatedAt: '1' } },
    ]);
    expect([...(list?.objects.keys() ?? [])]).toEqual([identityKey(book.token, t.identity)]);
    expect(list).toMatchObject({ strangers: [], morePages: 1, isComplete: false, beside: 0 });
    expect(list).not.toHaveProperty('failure');
  });

  it.each<[string, Json | undefined]>([
    ['nothing is shown', undefined],
    ['what is shown is no object', 'T'],
    ['another one is shown', { ...shown, id: 'u' }],
    ['it has another revision', { ...shown, updatedAt: '2' }],
    ['its revision is not shown', { id: 't', title: 'T' }],
    ['what is shown says something else', { ...shown, title: 'U' }],
  ])('is listed where %s', (_where, open) => {
    expect(look(open)).toBeUndefined();
  });

  it('may show what lists of it leave out, or what nobody knows', () => {
    expect(look({ ...shown, text: 'another', more: 1 })).toBeDefined();
  });

  it('is listed where all is to be read, where there are two, and where none is recorded', () => {
    expect(look(shown, { mode: 'full' })).toBeUndefined();
    expect(look(shown, {}, [t, recordOfBook('u')])).toBeUndefined();
    expect(shownAbove(contextOf(), { ...collectionOf(t), members: [] }, new Map())).toBeUndefined();
    const { revision: _none, ...timeless } = book;
    expect(look(shown, {}, [t], timeless)).toBeUndefined();
    const { shownIn: _nowhere, ...collection } = book.collection;
    expect(look(shown, {}, [t], { ...book, collection })).toBeUndefined();
    const { parent: _nobody, ...alone } = book;
    expect(look(shown, {}, [t], alone)).toBeUndefined();
  });

  it('is listed where what it lives in was not seen', () => {
    expect(shownAbove(contextOf(), collectionOf(t), new Map())).toBeUndefined();
  });
});

describe('a value that moves with another one', () => {
  const rule = { ...ruleWith('text'), name: 'text', writeOnly: true, inList: false, movesWith: 'mark' };
  const type: ResourceType = { ...shelf, fields: { ...shelf.fields, text: rule, mark: ruleWith('exact') } };
  const ask = async (
    {
      now = '1',
      before = '1',
      more = {},
      shown = {},
    }: { now?: string; before?: string; more?: JsonObject; shown?: JsonObject },
    inputs: JsonObject = { text: 'old' },
    context: Partial<RefreshContext> = {},
  ) => {
    const calls: unknown[] = [];
    const provider: Provider = stubProvider({
      readWriteOnly: (_type, { id }, options) => {
        calls.push([id, options?.known]);
        return Promise.resolve(shown);
      },
    });
    const record = recordOf('a', 'Shelf', inputs, {
      identity: { id: 'a', scope: {} },
      outputs: { text: 'old', mark: before, ...more },
    });
    const read = { kind: 'found', identity: record.identity, values: { name: 'A', mark: now } } as const;
    const reading: Reading = await withKept(
      contextOf({ reads: readsOf(provider), ...context }),
      { type, record },
      read,
    );
    return { calls, values: reading.kind === 'found' ? reading.values : undefined };
  };

  it('is asked for when that has moved, with what is known on both sides', async () => {
    const { calls, values } = await ask({ now: '2', shown: { text: 'new' } });
    expect(values).toEqual({ name: 'A', mark: '2', text: 'new' });
    const known = { now: { name: 'A', mark: '2' }, before: { text: 'old', mark: '1' } };
    expect(calls).toEqual([['a', known]]);
  });

  it('is as recorded where that has not moved: nobody is asked', async () => {
    expect(await ask({ shown: { text: 'new' } })).toEqual({ calls: [], values: { name: 'A', mark: '1' } });
  });

  it('is as recorded where the answer says the same, in other words, or nothing', async () => {
    expect((await ask({ now: '2', shown: { text: 'old\n' } })).values).toEqual({ name: 'A', mark: '2' });
    expect((await ask({ now: '2', shown: {} })).values).toEqual({ name: 'A', mark: '2' });
    expect((await ask({ now: '2', shown: { other: 'x' } })).values).toEqual({ name: 'A', mark: '2' });
  });

  it('is asked for when all is to be read, and when no answer is recorded', async () => {
    expect((await ask({ shown: { text: 'new' } }, { text: 'old' }, { mode: 'full' })).calls).toHaveLength(1);
    const { calls } = await ask({ more: { text: undefined as unknown as Json }, shown: {} });
    expect(calls).toHaveLength(0);
  });

  it('is left alone where neither file nor record speak of it', async () => {
    expect((await ask({ now: '2', shown: { text: 'new' } }, {})).calls).toEqual([]);
    const { desired } = planInput({ wanted: { a: { type: 'Shelf', properties: { text: 'mine' } } } });
    expect((await ask({ now: '2' }, {}, { desired: desired.resources })).calls).toHaveLength(1);
  });
});

describe('the places to look at', () => {
  const record = (name: string, type: string, id: string, scope: Readonly<Record<string, string>> = {}) =>
    recordOf(name, type, {}, { identity: { id, scope } });
  const collections = (
    records: readonly RecordedResource[],
    whole: readonly ResourceType[] = [],
    typeNames: readonly string[] = [],
  ): readonly string[] => {
    const wanted = Object.fromEntries(typeNames.map((type) => [`new-${type}`, { type, properties: {} }]));
    return collectionsOf(
      new Map(records.map((one) => [one.address, one])),
      planInput({ wanted }).desired.resources,
      (token) => types.get(token) ?? shelf,
      new Set(whole),
    ).map(({ type, scope, members, under }) =>
      [type.name, JSON.stringify(scope), members.map(({ address }) => address).join(), under && `under ${under}`]
        .filter(Boolean)
        .join(' '),
    );
  };

  it('are those of recorded objects, parents first, and the top-level ones of what the catalogue has', () => {
    const [page, title, a] = [
      record('p', 'Page', 'p', { shelfId: 'a', bookId: 't' }),
      record('t', 'Book', 't', { shelfId: 'a' }),
      record('a', 'Shelf', 'a'),
    ];
    expect(collections([page, title, a], [], ['Card', 'Book'])).toEqual([
      ...['Card {}', 'Shelf {} a', 'Book {"shelfId":"a"} t under a', 'Page {"shelfId":"a","bookId":"t"} p under t'],
    ]);
  });

  it('of a type whose objects are all looked for are all that recorded objects can hold', () => {
    const [a, b] = [record('a', 'Shelf', 'a'), record('b', 'Shelf', 'b')];
    expect(collections([a, b], [typeOf('Book'), typeOf('Card')])).toEqual([
      ...['Card {}', 'Shelf {} a,b', 'Book {"shelfId":"a"} under a', 'Book {"shelfId":"b"} under b'],
    ]);
    expect(collections([a], [typeOf('Page')])).toEqual(['Shelf {} a']);
    const { parent: _none, ...stray } = typeOf('Book');
    expect(collections([a], [stray])).toEqual(['Shelf {} a']);
  });
});
