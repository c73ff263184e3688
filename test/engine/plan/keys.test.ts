import { describe, expect, it } from 'vitest';
import { identityKey } from '@platform-sync/core/model/identity';
import type { JsonObject } from '@platform-sync/core/model/value';
import {
  failedReading,
  foundObject,
  listed,
  needs,
  planOf,
  planned,
  recordOf,
  refused,
  remoteObject,
  steps,
  type World,
} from './made-up-plan.js';
import { typeOf } from './made-up-types.js';

/** Who gets which unique key, and what is said where that can't be. */

const shelf = (name: string) => ({ properties: { name } });
const book = (title: string, shelfId = 'id-s') => ({ type: 'Book', properties: { shelfId, title } });
const shelfRecord = (address: string, name: string) => recordOf(address, 'Shelf', { name });
const bookRecord = (address: string, title: string) => recordOf(address, 'Book', { shelfId: 'id-s', title });
const token = (name: string): string => typeOf(name).token;
const a = shelfRecord('a', 'A');

describe('a key outside of the stack', () => {
  const wanted = { a: shelf('B') };
  const records = [a];
  const whole = { listed: [listed('Shelf', [remoteObject('x', { name: 'B' })])] };
  const nobodys = {
    ...{ severity: 'error', code: 'key-held', address: 'a', place: { line: 1 } },
    summary: "a can't be changed: the object x, which nobody manages, has the name that it is to get.",
    hint: 'Give a another one, or change or delete that object first.',
  };

  it.each<[string, World]>([
    ['that a list shows', { wanted, records, snapshot: whole }],
    ['that was looked for', { wanted, records, found: { a: foundObject('x', { name: 'B' }) } }],
  ])('%s is not taken', (_name, world) => {
    expect(refused(world)).toMatchObject([nobodys]);
  });

  it('says whose it is', () => {
    const owner = { project: 'library', stack: 'prod', address: 'z' };
    const elsewhere = new Map([[identityKey(token('Shelf'), { id: 'x', scope: {} }), owner]]);
    const [problem] = refused({ wanted, records, snapshot: whole, more: { elsewhere } });
    expect(problem?.summary).toBe(
      "a can't be changed: the object x, which the stack prod manages, has the name that it is to get.",
    );
  });

  it('is asked for its owner first', () => {
    const world = { wanted, records, snapshot: whole, more: { elsewhere: new Map() } };
    expect(needs(world)).toMatchObject({
      owners: [{ type: token('Shelf'), identity: { id: 'x', scope: {} } }],
      objects: [],
    });
  });

  it('is looked for, with what stays of the key and where that is', () => {
    expect(needs({ wanted, records })).toEqual({
      ...{ kind: 'needs', lookups: [], owners: [] },
      objects: [{ address: 'a', type: typeOf('Shelf'), scope: {}, inputs: { name: 'B' }, isKeyUnique: true }],
    });
    const moved: World = {
      wanted: { s: shelf('S'), 's/b': book('C', '${s.id}') },
      records: [shelfRecord('s', 'S'), { ...bookRecord('s/b', 'B') }],
    };
    expect(needs({ wanted, records }).objects[0]).not.toHaveProperty('under');
    expect(needs(moved).objects).toEqual([
      {
        ...{ address: 's/b', type: typeOf('Book'), scope: { shelfId: 'id-s' }, under: 's', isKeyUnique: true },
        inputs: { shelfId: 'id-s', title: 'C' },
      },
    ]);
    const renamed: World = {
      wanted: { t: { ...shelf('S'), options: { aliases: ['s'] } }, 's/b': book('C', '${t.id}') },
      records: moved.records ?? [],
    };
    expect(needs(renamed).objects).toMatchObject([{ address: 's/b', under: 't' }]);
  });

  const kept = { side: '1', part: 'p', speed: 'fast' };
  const tape = { title: 'A', reel: 'r', ...kept };
  const tapeOf = (inputs: JsonObject) => recordOf('a', 'Tape', inputs, { outputs: tape });
  it.each<[string, JsonObject, JsonObject, readonly string[], JsonObject]>([
    ['kept where nobody ever said it', { title: 'A' }, { title: 'B' }, [], { ...kept, title: 'B' }],
    [
      'cleared, put back or kept where it is left out from now on',
      tape,
      { title: 'B', reel: 'r' },
      [],
      { title: 'B', part: 'p', speed: 'slow', reel: 'r' },
    ],
    ['kept where changes are ignored', tape, { ...tape, title: 'B', side: '2' }, ['side'], { ...tape, title: 'B' }],
    [
      'that of a new one where it is replaced',
      { title: 'A' },
      { title: 'B', reel: 's' },
      [],
      { title: 'B', reel: 's' },
    ],
  ])('is looked for with the rest of the key %s', (_name, before, properties, ignoreChanges, expected) => {
    const wanted = { a: { type: 'Tape', properties, options: { ignoreChanges } } };
    expect(needs({ wanted, records: [tapeOf(before)] }).objects[0]?.inputs).toEqual(expected);
  });

  it('is not looked for when an object is taken over: the look for that one has been', () => {
    const world: World = {
      wanted: { a: { ...shelf('B'), options: { import: 'x' } } },
      found: { a: foundObject('x', { name: 'A' }) },
    };
    expect(steps({ ...world, more: { looksForKeys: true } })).toEqual(['adopt a']);
  });

  it.each<[string, World, readonly string[]]>([
    ['where all were listed', { wanted, records, snapshot: { listed: [listed('Shelf', [])] } }, ['update a']],
    ['where nothing was found', { wanted, records, found: { a: { kind: 'gone' } } }, ['update a']],
    [
      'while the name is not known',
      { wanted: { a: shelf('${c.id}'), c: { type: 'Card' } }, records },
      ['create c', 'update a'],
    ],
    ['where none is to be looked for', { wanted, records, more: { looksForKeys: false } }, ['update a']],
    [
      'by who has it already',
      {
        wanted: { a: shelf('A') },
        records,
        snapshot: { listed: [listed('Shelf', [remoteObject('x', { name: 'A' })])] },
      },
      [],
    ],
  ])('is not asked for %s', (_name, world, expected) => {
    expect(steps({ ...world, more: { looksForKeys: true, ...world.more } })).toEqual(expected);
  });

  it('that could not be looked for holds the change back', () => {
    const plan = planOf({ wanted, records, found: { a: failedReading() }, more: { looksForKeys: true } });
    expect(plan.steps).toEqual([]);
    expect(plan.notCompared).toMatchObject([{ address: 'a', diagnostic: { code: 'unreachable' } }]);
  });
});

describe('a key of one that could not be read', () => {
  const readings = { a: failedReading() };
  const heldOf = (world: World) =>
    planOf({ ...world, more: { looksForKeys: true } }).notCompared.map(({ address, diagnostic }) => [
      address,
      diagnostic.code === 'held-back' ? diagnostic.summary : diagnostic.code,
    ]);

  it('is taken by nobody, nor are keys of those that wait for it', () => {
    const world: World = {
      wanted: { a: shelf('Z'), b: shelf('A'), c: shelf('B') },
      records: [a, shelfRecord('b', 'B'), shelfRecord('c', 'C')],
      readings,
    };
    const held = (one: string, other: string) =>
      `${one} is left as it is: it would get the key of ${other}, which is left alone in this plan.`;
    expect(heldOf(world)).toEqual([
      ['a', 'unreachable'],
      ['b', held('b', 'a')],
      ['c', held('c', 'b')],
    ]);
    const { plan, steps: decided } = planned({ ...world, more: { looksForKeys: true } });
    expect(plan.steps).toEqual([]);
    expect(plan.notCompared[1]?.diagnostic).toMatchObject({ severity: 'error', code: 'held-back', address: 'b' });
    // Nothing is left of what was to be done.
    expect(decided.get('b')).toMatchObject({ changes: [], reasons: [], recordOnly: false });
    expect([...decided.values()].filter(({ recordOnly }) => recordOnly)).toEqual([]);
  });

  it('is given to nothing new, and what needs that is not made, either', () => {
    const world: World = {
      wanted: {
        a: shelf('Z'),
        n: shelf('A'),
        'n/b': book('T', '${n.id}'),
        other: { type: 'Card', properties: { shelf: '${n.id}' } },
        free: { type: 'Card', properties: {} },
      },
      records: [a],
      readings,
    };
    const plan = planOf({ ...world, more: { looksForKeys: true } });
    expect(plan.steps.map(({ address }) => address)).toEqual(['free']);
    expect(plan.notCompared.at(-1)?.diagnostic).toMatchObject({
      ...{ severity: 'error', code: 'held-back', address: 'other' },
    });
    const told = Object.fromEntries(plan.notCompared.map(({ address, diagnostic }) => [address, diagnostic.summary]));
    expect(planOf({ ...world, more: { looksForKeys: false } }).notCompared).toEqual(plan.notCompared);
    expect(told['n/b']).toBe('n/b is not created: it needs n, which is left alone in this plan.');
    expect(told['other']).toBe('other is not created: it needs n, which is left alone in this plan.');
    expect(plan.notCompared.map(({ address, type }) => [address, type])).toEqual([
      ['a', token('Shelf')],
      ['n', token('Shelf')],
      ['n/b', token('Book')],
      ['other', token('Card')],
    ]);
  });
});

describe('what rests on one that is held back', () => {
  const readings = { a: failedReading() };
  const heldRecords = [a, shelfRecord('b', 'B'), recordOf('b/y', 'Book', { shelfId: 'id-b', title: 'Y' })];
  const card = (properties: JsonObject, dependsOn: readonly string[] = []) => ({
    ...{ type: 'Card', properties, options: { dependsOn } },
  });
  const told = (world: World): Readonly<Record<string, string>> => {
    const { steps: done, notCompared } = planOf({ ...world, more: { looksForKeys: true, ...world.more } });
    return Object.fromEntries([
      ...done.map(({ action, address }) => [address, action] as const),
      ...notCompared.map(({ address = '', diagnostic }) => [address, diagnostic.summary] as const),
    ]);
  };

  it('stays where the new object was to be, and is not made anew for nothing', () => {
    // Nobody has the names of what is new.
    const nobodyElse = Object.fromEntries(['d', 'f', 'g', 'i'].map((address) => [address, { kind: 'gone' } as const]));
    const world: World = {
      wanted: {
        a: shelf('Z'),
        b: { properties: { name: 'A', material: 'pine' } },
        'b/y': book('Y', '${b.id}'),
        'b/n': book('N', '${b.id}'),
        c: card({ name: 'new', shelf: '${b.id}' }),
        d: card({ name: 'after b' }, ['b']),
        e: card({ name: 'changed' }, ['b']),
        f: card({ name: 'f' }),
        // Only by what is held back itself.
        g: card({ name: 'g' }, ['b/n']),
        h: card({ name: 'new', book: '${b/y.id}' }),
        i: card({ name: 'after c' }, ['c']),
        // Another type under the same address, and a reference that is not looked at.
        j: card({ shelf: '${b.id}' }),
        k: { ...card({ name: 'k', shelf: '${b.id}' }), options: { ignoreChanges: ['shelf'] } },
      },
      records: [
        ...heldRecords,
        ...['c', 'e', 'h', 'k'].map((address) => recordOf(address, 'Card', { name: address })),
        recordOf('j', 'Stamp', { name: 'j' }),
      ],
      ...{ readings, found: { 'b/n': { kind: 'gone' }, ...nobodyElse } },
    };
    expect(told(world)).toEqual({
      a: 'unreachable.',
      b: 'b is left as it is: it would get the key of a, which is left alone in this plan.',
      'b/y': 'b/y is left as it is: it needs b, which is left alone in this plan.',
      'b/n': 'b/n is not created: it needs b, which is left alone in this plan.',
      c: 'c is left as it is: it needs b, which is left alone in this plan.',
      d: 'd is not created: it needs b, which is left alone in this plan.',
      // It only comes after b: nothing of it waits for what b would have become.
      e: 'update',
      f: 'create',
      g: 'g is not created: it needs b/n, which is left alone in this plan.',
      h: 'h is left as it is: it needs b/y, which is left alone in this plan.',
      // The object of c is there, and stays what it is.
      i: 'create',
      j: 'j is left as it is: it needs b, which is left alone in this plan.',
    });
    expect(told({ ...world, more: { looksForKeys: false } })).toEqual(told(world));
  });

  it('goes on where the object keeps its id', () => {
    const world: World = {
      wanted: { a: shelf('Z'), b: shelf('A'), 'b/y': book('X', '${b.id}'), 'b/n': book('N', '${b.id}') },
      ...{ records: heldRecords, readings, found: { 'b/n': { kind: 'gone' }, 'b/y': { kind: 'gone' } } },
    };
    expect(told(world)).toMatchObject({ 'b/n': 'create', 'b/y': 'update' });
  });

  it('is left as it is where it needs an object of which is not known whether it exists', () => {
    const world: World = {
      wanted: { n: shelf('N'), c: card({ name: 'new', shelf: '${n.id}' }), d: card({ name: 'new' }, ['n']) },
      records: [recordOf('c', 'Card', { name: 'c' }), recordOf('d', 'Card', { name: 'd' })],
      found: { n: failedReading() },
    };
    expect(told(world)).toEqual({
      ...{ n: 'unreachable.', d: 'update' },
      c: 'c is left as it is: it needs n, which is left alone in this plan.',
    });
    // A look that leads to no write shows what it can.
    expect(told({ ...world, more: { looksForKeys: false } })).toMatchObject({ c: 'update' });
  });
});

describe('a key of another resource', () => {
  const b = shelfRecord('b', 'B');
  const offline = { looksForKeys: false };

  it.each<[string, World, string]>([
    [
      'that keeps it, whichever comes first by address',
      { wanted: { a: shelf('B'), b: shelf('B') }, records: [a, b] },
      "a can't be changed: b has the name that it is to get, and keeps it.",
    ],
    [
      'that keeps it with another change',
      { wanted: { a: shelf('B'), b: { properties: { name: 'B', note: 'new' } } }, records: [a, b] },
      "a can't be changed: b has the name that it is to get, and keeps it.",
    ],
    [
      'that gets it first',
      { wanted: { a: shelf('N'), b: shelf('N') }, records: [a, b] },
      "b can't be changed: a has the name that it is to get, and keeps it.",
    ],
    [
      'in one place: the place is no part of what is said',
      {
        wanted: { s: shelf('S'), 's/x': book('Y', '${s.id}'), 's/y': book('Y', '${s.id}') },
        records: [shelfRecord('s', 'S'), bookRecord('s/x', 'X'), bookRecord('s/y', 'Y')],
      },
      "s/x can't be changed: s/y has the title that it is to get, and keeps it.",
    ],
    [
      'of a new one',
      { wanted: { a: shelf('A'), n: shelf('A') }, records: [a] },
      "n can't be created: a has its key and keeps it.",
    ],
  ])('%s is refused', (_name, world, summary) => {
    const problems = refused({ ...world, more: offline });
    expect(problems.map((one) => [one.code, one.severity, one.summary])).toEqual([['key-taken', 'error', summary]]);
    expect(problems[0]?.hint).toBe(
      'Give one of the two another name. If both are the same object, take one of the blocks out.',
    );
    expect(problems[0]?.related).toHaveLength(1);
  });

  it.each<[string, World, readonly string[]]>([
    ['of one that is deleted', { wanted: { b: shelf('A') }, records: [a, b] }, ['delete a', 'update b']],
    [
      'of one that gets another',
      { wanted: { a: shelf('N'), b: shelf('A') }, records: [a, b] },
      ['update a', 'update b'],
    ],
    [
      'of none: the same in another place',
      {
        wanted: { s: shelf('S'), 's/x': book('Y', '${s.id}'), 't/y': book('Y', 'id-t') },
        records: [
          shelfRecord('s', 'S'),
          bookRecord('s/x', 'X'),
          recordOf('t/y', 'Book', { shelfId: 'id-t', title: 'Y' }),
        ],
      },
      ['update s/x'],
    ],
    [
      'of none: others may have the same',
      {
        wanted: { c: { type: 'Card', properties: { name: 'x' } }, d: { type: 'Card', properties: { name: 'x' } } },
        records: [recordOf('c', 'Card', { name: 'x' }), recordOf('d', 'Card', { name: 'y' })],
      },
      ['update d'],
    ],
  ])('%s is taken', (_name, world, expected) => {
    expect(steps({ ...world, more: offline })).toEqual(expected);
  });

  it('that a plan of a part leaves out is refused, and both can be selected', () => {
    const world: World = { wanted: { a: shelf('N'), b: shelf('A') }, records: [a, b] };
    expect(refused({ ...world, more: { ...offline, only: ['b'] } })).toMatchObject([
      {
        ...{ severity: 'error', code: 'key-outside', address: 'b', place: { line: 1 } },
        summary: 'b is to get the name that a gives up, and only one of the two is selected.',
        hint: 'Select both or none: --target b --target a',
        related: [{ message: 'a stands here' }],
      },
    ]);
    expect(steps({ ...world, more: { ...offline, only: ['a'] } })).toEqual(['update a']);
    expect(steps({ ...world, more: { ...offline, only: ['a', 'b'] } })).toEqual(['update a', 'update b']);
    expect(steps({ ...world, more: { ...offline, excludes: ['b'] } })).toEqual(['update a']);
  });

  it('whose names are several says all of them', () => {
    const side = (side: string) => ({ type: 'Tape', properties: { title: 'A', side } });
    const records = ['1', '2'].map((one) => recordOf(`t${one}`, 'Tape', { title: 'A', side: one }));
    expect(refused({ wanted: { t1: side('2'), t2: side('2') }, records, more: offline })[0]?.summary).toBe(
      "t1 can't be changed: t2 has the title and side and part and speed that it is to get, and keeps it.",
    );
  });

  it('that one who goes can give up only after who takes it has left it is refused', () => {
    const world: World = { wanted: { b: shelf('A') }, records: [a, { ...b, dependencies: ['a'] }], more: offline };
    expect(refused(world)).toEqual([
      {
        ...{ severity: 'error', code: 'key-exchange', address: 'a' },
        summary: "b is to get the name of a, which can't give it up before b is written.",
        hint: 'If both are the same object, say so: aliases: [a] in b. If not, give b another name, and the right one in a run after that.',
      },
    ]);
  });

  it('of one that has it by now is no key of who had it and is made again', () => {
    const world: World = {
      ...{ wanted: { a: shelf('A'), b: shelf('A') }, records: [a, b] },
      readings: { a: { kind: 'gone' }, b: foundObject('id-b', { name: 'A' }) },
    };
    expect(refused({ ...world, more: offline }).map(({ code, address }) => [code, address])).toEqual([
      ['key-taken', 'a'],
    ]);
  });

  it('that the platform may make of it as well is taken, too', () => {
    const disc = (properties: JsonObject) => ({ type: 'Disc', properties });
    const world: World = {
      wanted: { d: disc({ name: 'n' }), e: disc({ name: 'n', edition: 'first' }) },
      records: [recordOf('e', 'Disc', { name: 'n', edition: 'first' })],
    };
    expect(refused({ ...world, more: offline }).map(({ code, address }) => [code, address])).toEqual([
      ['key-taken', 'd'],
    ]);
  });

  it('of an object outside is not taken, in whatever order the type names its fields', () => {
    const wanted = { d: { type: 'Disc', properties: { name: 'n', edition: 'new' } } };
    const world: World = {
      ...{ wanted, records: [recordOf('d', 'Disc', { name: 'n', edition: 'old' })] },
      snapshot: { listed: [listed('Disc', [remoteObject('x', { name: 'n', edition: 'new' })])] },
    };
    expect(refused(world).map(({ code, address }) => [code, address])).toEqual([['key-held', 'd']]);
  });

  it('is looked for only where the one that tells objects apart changes', () => {
    const disc = { type: 'Disc', properties: { name: 'n', edition: 'e', code: 'new' } };
    const record = recordOf('d', 'Disc', { name: 'n', edition: 'e', code: 'old' });
    expect(steps({ wanted: { d: disc }, records: [record], more: { looksForKeys: true } })).toEqual(['update d']);
  });

  it('exchanged with no way to step aside is refused with both places and what to do', () => {
    const page = (number: number) => recordOf(`p${number}`, 'Page', { shelfId: 's', bookId: 'b', number });
    const want = (number: number) => ({ type: 'Page', properties: { shelfId: 's', bookId: 'b', number } });
    expect(refused({ wanted: { p1: want(2), p2: want(1) }, records: [page(1), page(2)], more: offline })).toMatchObject(
      [
        ['p1', 'p2'],
        ['p2', 'p1'],
      ].map(([address, other]) => ({
        ...{ severity: 'error', code: 'key-exchange', address, place: { line: 1 } },
        summary: `${other} is to get the number of ${address}, which can't give it up before ${other} is written.`,
        hint: 'Neither can take a temporary name. Give one of them another number in a run of its own first.',
      })),
    );
  });
});
