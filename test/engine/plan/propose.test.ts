import { describe, expect, it } from 'vitest';
import { collectionKey } from '@platform-sync/core/model/identity';
import type { JsonObject } from '@platform-sync/core/model/value';
import { propose } from '@platform-sync/engine/plan/propose';
import type { Step } from '@platform-sync/engine/plan/step';
import {
  failedReading,
  foundObject,
  listed,
  needs,
  planInput,
  planOf,
  readingOf,
  recordOf,
  remoteObject,
  stepOf,
  steps,
  type World,
} from './made-up-plan.js';
import { typeOf } from './made-up-types.js';

/** What has to happen to a resource, by what is known of it. */

const shelf = (properties: JsonObject, options = {}) => ({ properties, options });
const book = (properties: JsonObject, options = {}) => ({ type: 'Book', properties, options });
const gone = { kind: 'gone' } as const;
const recorded = recordOf('a', 'Shelf', { name: 'A', note: 'n' });
const decidedAt = (world: World, address: string): Step => {
  const found = propose(planInput(world)).byAddress.get(address);
  if (found === undefined) throw new Error(`nothing is said of ${address}`);
  return found;
};
const kinds = ({ reasons }: Pick<Step, 'reasons'>): readonly string[] => reasons.map(({ kind }) => kind);

describe('a resource with a record', () => {
  const wanted = { a: shelf({ name: 'A', note: 'n' }) };
  it.each<[string, World, Step['action'], readonly string[]]>([
    ['is as it should be', { wanted, records: [recorded] }, 'none', []],
    [
      'is changed in the file',
      { wanted: { a: shelf({ name: 'A', note: 'm' }) }, records: [recorded] },
      'update',
      ['field-changed'],
    ],
    [
      'is changed by hand',
      { wanted, records: [recorded], readings: { a: readingOf(recorded, { note: 'x' }) } },
      'update',
      ['field-changed'],
    ],
    ['is gone', { wanted, records: [recorded], readings: { a: gone } }, 'create', ['gone']],
    ['could not be read', { wanted, records: [recorded], readings: { a: failedReading() } }, 'not-compared', []],
    ['was not read at all', { wanted, records: [recorded], snapshot: { readings: new Map() } }, 'not-compared', []],
    ['is to be replaced', { wanted, records: [recorded], more: { replace: new Set(['a']) } }, 'replace', ['requested']],
    [
      'is of another type now',
      { wanted: { a: { type: 'Card', properties: { name: 'A' } } }, records: [recorded] },
      'replace',
      ['type-changed'],
    ],
    [
      'moves',
      { wanted: { b: shelf({ name: 'A', note: 'n' }, { aliases: ['a'] }) }, records: [recorded] },
      'move',
      ['alias'],
    ],
    [
      'moves and could not be read',
      {
        wanted: { b: shelf({ name: 'A' }, { aliases: ['a'] }) },
        records: [recorded],
        readings: { a: failedReading() },
      },
      'move',
      ['alias'],
    ],
    [
      'moves and is gone',
      { wanted: { b: shelf({ name: 'A' }, { aliases: ['a'] }) }, records: [recorded], readings: { a: gone } },
      'create',
      ['gone', 'alias'],
    ],
    [
      'moves and changes',
      { wanted: { b: shelf({ name: 'A', note: 'm' }, { aliases: ['a'] }) }, records: [recorded] },
      'update',
      ['field-changed', 'alias'],
    ],
    [
      'moves and gets protection',
      { wanted: { b: shelf({ name: 'A', note: 'n' }, { aliases: ['a'], protect: true }) }, records: [recorded] },
      'move',
      ['alias'],
    ],
    [
      'gets protection',
      { wanted: { a: shelf({ name: 'A', note: 'n' }, { protect: true }) }, records: [recorded] },
      'options',
      [],
    ],
    ['is left out of a destroy', { wanted, records: [recorded], mode: 'destroy' }, 'delete', ['destroy']],
  ])('%s', (_name, world, action, reasons) => {
    const step = decidedAt(world, world.wanted?.['b'] === undefined ? 'a' : 'b');
    expect([step.action, kinds(step)]).toEqual([action, reasons]);
    // What is known of the old place stays known, whatever becomes of it.
    expect(step.recorded).toBe(recorded);
    expect(step.movedFrom).toBe(world.wanted?.['b'] === undefined ? undefined : 'a');
  });
});

describe('options that state remembers', () => {
  it.each<[boolean, boolean, boolean, boolean, object | undefined]>([
    [false, false, false, false, undefined],
    [true, true, true, true, undefined],
    [false, true, false, false, [{ option: 'protect', old: false, new: true }]],
    [true, false, false, false, [{ option: 'protect', old: true, new: false }]],
    [false, false, true, false, [{ option: 'retainOnDelete', old: true, new: false }]],
    [
      true,
      false,
      false,
      true,
      [
        { option: 'protect', old: true, new: false },
        { option: 'retainOnDelete', old: false, new: true },
      ],
    ],
  ])('protect %s → %s, retain %s → %s', (protectedBefore, protect, retainedBefore, retainOnDelete, options) => {
    const record = { ...recorded, protect: protectedBefore, retainOnDelete: retainedBefore };
    const world: World = {
      wanted: { a: shelf({ name: 'A', note: 'n' }, { protect, retainOnDelete }) },
      records: [record],
    };
    expect(decidedAt(world, 'a').options).toEqual(options);
    expect(steps(world)).toEqual(options === undefined ? [] : ['options a']);
    const changed: World = {
      wanted: { a: shelf({ name: 'A', note: 'm' }, { protect, retainOnDelete }) },
      records: [record],
    };
    expect(stepOf(changed, 'a').options).toEqual(options);
  });
});

describe('a resource that has left the catalogue', () => {
  const away: World = { wanted: {}, records: [recorded] };
  it.each<[string, World, Step['action'], readonly string[], boolean]>([
    ['is deleted', away, 'delete', ['not-in-catalogue'], true],
    ['is deleted because everything is', { ...away, mode: 'destroy' }, 'delete', ['destroy'], true],
    [
      'stays where that was said',
      { records: [{ ...recorded, retainOnDelete: true }] },
      'forget',
      ['not-in-catalogue'],
      true,
    ],
    ['is gone already', { ...away, readings: { a: gone } }, 'forget', ['gone', 'not-in-catalogue'], false],
    ['could not be read', { ...away, readings: { a: failedReading() } }, 'not-compared', ['not-in-catalogue'], false],
    ['was not read', { ...away, snapshot: { readings: new Map() } }, 'not-compared', ['not-in-catalogue'], false],
    ['is let go of by name', { ...away, removed: ['a'] }, 'forget', ['removed'], true],
    ['is let go of when all is destroyed', { ...away, mode: 'destroy', removed: ['a'] }, 'forget', ['removed'], true],
    [
      'is let go of, and gone',
      { ...away, readings: { a: gone }, removed: ['a'] },
      'forget',
      ['gone', 'removed'],
      false,
    ],
    [
      'is let go of without a look',
      { ...away, readings: { a: failedReading() }, removed: ['a'] },
      'forget',
      ['removed'],
      false,
    ],
    ['stays while only adopting, let go of or not', { ...away, mode: 'adopt', removed: ['a'] }, 'none', [], false],
    ['stays while only adopting', { ...away, mode: 'adopt' }, 'none', [], false],
    [
      'has its object at another address, too',
      { wanted: { b: shelf({ name: 'A', note: 'n' }) }, records: [recorded, { ...recorded, address: 'b' }] },
      'forget',
      ['not-in-catalogue'],
      false,
    ],
  ])('%s', (_name, world, action, reasons, hasObject) => {
    const step = decidedAt(world, 'a');
    expect([step.action, kinds(step), step.actual !== undefined]).toEqual([action, reasons, hasObject]);
    expect(step.desired).toBeUndefined();
    expect(step).toMatchObject({ recordOnly: false, changes: [], undeclared: [] });
  });

  it('is let go of with what is below it, with old objects of replacements, and an empty catalogue is no slip then', () => {
    const below = recordOf('a/b', 'Book', { name: 'B', shelfId: 'id-a' }, { dependencies: ['a'] });
    const deposed = [{ identity: { id: 'old', scope: {} }, outputs: { name: 'A' } }];
    const world: World = { records: [{ ...recorded, deposed }, below], removed: ['a'] };
    expect([...steps(world)].sort()).toEqual(['forget a', 'forget a/b']);
    expect(planOf(world).guards).toEqual([]);
    expect(planOf({ ...world, removed: ['a/b'] }).guards.map(({ name }) => name)).toEqual(['emptyCatalogue']);
    expect(stepOf({ ...world, removed: ['a/b'] }, 'a').risks).toContainEqual({
      kind: 'cascades',
      what: 'a/b, which removed was to keep',
    });
  });

  it('is let go of and not compared, which nobody needs; where it stands is said', () => {
    const plan = planOf({ records: [recorded], readings: { a: failedReading() }, removed: ['a'] });
    expect(plan.notCompared).toEqual([]);
    expect(plan.meta.sources).toEqual({ a: 'catalogue/all.yaml:1:1' });
  });

  it.each([
    [['b'], 'info', 'Once every stack was applied, the entry can go.'],
    [['recordd'], 'warning', 'Did you mean recorded?'],
  ])('%s of removed meets nothing, which is said', (removed, severity, hint) => {
    const records = [recordOf('recorded', 'Shelf', { name: 'A' })];
    const found = planOf({ records, removed }).notices.map((notice) => [notice.code, notice.severity, notice.hint]);
    expect(found).toEqual([['removed-nothing', severity, hint]]);
  });

  it('leaves old objects of its replacements behind, which go as well', () => {
    const deposed = [{ identity: { id: 'old', scope: {} }, outputs: { name: 'A' } }];
    const world: World = { wanted: { a: shelf({ name: 'A', note: 'n' }) }, records: [{ ...recorded, deposed }] };
    expect(steps(world)).toEqual(['delete a~old']);
    expect(decidedAt(world, 'a~old')).toMatchObject({
      ...{ action: 'delete', deposedOf: 'a', reasons: [{ kind: 'deposed' }], recordOnly: false },
      ...{ changes: [], undeclared: [], actual: { identity: { id: 'old' }, values: { name: 'A' } } },
    });
  });
});

describe('a new resource', () => {
  const wanted = { a: shelf({ name: 'A', note: 'n' }) };
  const object = remoteObject('x', { name: 'A', note: 'n' });
  const named = { a: { type: 'Card', properties: { name: 'A' } } };
  const whole = { listed: [listed('Shelf', [])] };

  it.each<[string, World, string, readonly string[]]>([
    ['is made, where everything was listed', { wanted, snapshot: whole }, 'create', ['not-in-state']],
    ['is made, where nobody is to ask', { wanted, more: { looksForKeys: false } }, 'create', ['not-in-state']],
    [
      'is made, where others may have its name, and none has',
      { wanted: named, found: { a: gone } },
      'create',
      ['not-in-state'],
    ],
    [
      'is made, where others have its name',
      { wanted: named, found: { a: foundObject('x', { name: 'A' }) } },
      'create',
      ['not-in-state'],
    ],
    [
      'is nothing, where nobody knows who has its name',
      { wanted: named, found: { a: failedReading() } },
      'not-compared',
      [],
    ],
    ['is made, where the answer is that there is none', { wanted, found: { a: gone } }, 'create', ['not-in-state']],
    ['is nothing, where nobody knows', { wanted, found: { a: failedReading() } }, 'not-compared', []],
    [
      'is the object that has its key',
      { wanted, found: { a: foundObject('x', { name: 'A', note: 'n' }) } },
      'adopt',
      ['key-exists'],
    ],
    [
      'is the object it imports',
      { wanted: { a: shelf({ name: 'A' }, { import: 'x' }) }, found: { a: foundObject('x', { name: 'A' }) } },
      'adopt',
      ['import'],
    ],
    [
      'is the object that somebody names',
      { wanted, found: { a: foundObject('x', { name: 'A', note: 'n' }) }, more: { imports: new Map([['a', 'x']]) } },
      'adopt',
      ['import'],
    ],
    [
      'is the object that is there, when all are adopted',
      { wanted, mode: 'adopt', found: { a: foundObject('x', { name: 'A' }) } },
      'adopt',
      ['found-by-key'],
    ],
    ['is not made when all are adopted', { wanted, mode: 'adopt', found: { a: gone } }, 'create', ['not-in-state']],
    [
      'waits where its collection is not known',
      {
        wanted,
        snapshot: {
          uncertain: new Map([[collectionKey(typeOf('Shelf'), {}), { severity: 'error', code: 'c', summary: 's' }]]),
        },
      },
      'not-compared',
      [],
    ],
    [
      'takes what has its key off the list, where that is all',
      {
        wanted: { a: { type: 'Stamp', properties: { name: 'A' } } },
        snapshot: { listed: [listed('Stamp', [remoteObject('x', { name: 'A' })])] },
        more: { adopt: 'byKey' },
      },
      'adopt',
      ['key-exists'],
    ],
  ])('%s', (_name, world, action, reasons) => {
    const step = decidedAt(world, 'a');
    expect([step.action, kinds(step)]).toEqual([action, reasons]);
    expect(step.recorded).toBeUndefined();
    expect(propose(planInput(world)).neededObjects).toEqual([]);
  });

  it.each<[string, World, object]>([
    ['by its key', { wanted }, { isKeyUnique: true, scope: {}, inputs: { name: 'A', note: 'n' } }],
    [
      'where pages are left',
      { wanted, snapshot: { listed: [listed('Shelf', [], { morePages: 2 })] } },
      { isKeyUnique: true },
    ],
    [
      'by the id it imports',
      { wanted: { a: shelf({ name: 'A' }, { import: 'x' }) } },
      { importId: 'x', isKeyUnique: false },
    ],
    [
      'by the id that was said, before that of the file',
      { wanted: { a: shelf({ name: 'A' }, { import: 'x' }) }, more: { imports: new Map([['a', 'y']]) } },
      { importId: 'y' },
    ],
    [
      'for what a list does not show',
      { wanted, snapshot: { listed: [listed('Shelf', [object])] } },
      { listed: object, isKeyUnique: false },
    ],
    [
      'where two have its key',
      { wanted, snapshot: { listed: [listed('Shelf', [object, { ...object, identity: { id: 'y', scope: {} } }])] } },
      { isKeyUnique: true },
    ],
    [
      'of no key, where all are adopted',
      { wanted: { a: { type: 'Card', properties: { name: 'A' } } }, mode: 'adopt' },
      { isKeyUnique: false, inputs: { name: 'A' } },
    ],
    [
      'once more, where a listed one differs',
      {
        wanted: { a: { type: 'Stamp', properties: { name: 'A', colour: 'red' } } },
        snapshot: { listed: [listed('Stamp', [remoteObject('x', { name: 'A', colour: 'blue' })])] },
        more: { adopt: 'byKey' },
      },
      { listed: { identity: { id: 'x' } } },
    ],
    ['over a gone one', { wanted, records: [recorded], readings: { a: gone } }, { isKeyUnique: true }],
  ])('is looked for %s', (_name, world, expected) => {
    const input = planInput(world);
    const { neededObjects } = propose(input);
    expect(neededObjects).toHaveLength(1);
    expect(neededObjects[0]).toMatchObject({ address: 'a', ...expected });
    expect(needs(world).objects).toEqual(neededObjects);
    expect(neededObjects[0]).not.toHaveProperty('under');
  });

  it('is looked for in the object it lives in, by the address that one has now', () => {
    const old = recordOf('old', 'Shelf', { name: 'S' });
    const world: World = {
      wanted: {
        fresh: shelf({ name: 'S' }, { aliases: ['old'] }),
        'fresh/b': book({ shelfId: '${fresh.id}', title: 'T' }),
      },
      records: [old],
    };
    expect(needs(world).objects).toMatchObject([{ address: 'fresh/b', scope: { shelfId: 'id-old' }, under: 'fresh' }]);
    const held: World = { ...world, wanted: { ...world.wanted, fresh: shelf({ name: 'R' }) } };
    // Below one that is new there is nothing to look for.
    expect(propose(planInput({ ...held, records: [], found: { fresh: gone } })).neededObjects).toEqual([]);
  });

  it('below one that is held back is held back, too', () => {
    const world: World = {
      wanted: {
        s: shelf({ name: 'S' }),
        's/b': book({ shelfId: '${s.id}', title: 'T' }),
        c: { type: 'Card', properties: { name: 'c' }, options: { dependsOn: ['s/b'] } },
      },
      found: { s: failedReading('down') },
    };
    expect(['s', 's/b', 'c'].map((address) => decidedAt(world, address).action)).toEqual(Array(3).fill('not-compared'));
    expect(planOf(world).notCompared.map(({ address, diagnostic }) => [address, diagnostic.code])).toEqual([
      ['c', 'held-back'],
      ['s', 'down'],
      ['s/b', 'held-back'],
    ]);
    const known: World = {
      ...world,
      records: [recordOf('s', 'Shelf', { name: 'S' })],
      readings: { s: failedReading() },
      found: { 's/b': gone },
    };
    // An object that exists can have something new in it, even where it could not be read just now.
    expect(decidedAt(known, 's/b').action).toBe('create');
  });
});

describe('an object that is gone', () => {
  const world = (options: object, more: World = {}): World => ({
    ...{ wanted: { a: shelf({ name: 'A', note: 'n' }, options) }, records: [recorded], readings: { a: gone } },
    ...more,
  });

  it('is made again, unless the file names another one, or one has its key by now', () => {
    const nowhere = { found: { a: gone } };
    expect(kinds(decidedAt(world({}, nowhere), 'a'))).toEqual(['gone']);
    // The id of the object that is gone says nothing new.
    expect(decidedAt(world({ import: 'id-a' }, nowhere), 'a').action).toBe('create');
    expect(needs(world({ import: 'id-a' })).objects).toMatchObject([{ address: 'a', isKeyUnique: true }]);
    expect(needs(world({ import: 'x' })).objects).toMatchObject([{ address: 'a', importId: 'x' }]);
    const found = { found: { a: foundObject('x', { name: 'A', note: 'n' }) } };
    expect(decidedAt(world({ import: 'x' }, found), 'a')).toMatchObject({
      ...{ action: 'adopt', reasons: [{ kind: 'gone' }, { kind: 'import', id: 'x' }] },
    });
    expect(decidedAt(world({}, found), 'a')).toMatchObject({
      ...{ action: 'adopt', reasons: [{ kind: 'gone' }, { kind: 'key-exists', id: 'x' }] },
    });
    expect(decidedAt({ ...world({}, found), mode: 'adopt' }, 'a')).toMatchObject({
      ...{ action: 'adopt', reasons: [{ kind: 'gone' }, { kind: 'found-by-key', id: 'x' }] },
    });
    // A check only compares with what is recorded.
    const check = world({ import: 'x' }, { more: { looksForKeys: false } });
    expect(decidedAt(check, 'a')).toMatchObject({ action: 'create', reasons: [{ kind: 'gone' }] });
    expect(propose(planInput(check)).neededObjects).toEqual([]);
  });

  it('of a type whose ids have another form is not looked for by what is none', () => {
    const s = recordOf('s', 'Shelf', { name: 'S' });
    const b = recordOf('b', 'Book', { shelfId: 'id-s', title: 'T' });
    const wanted = { s: shelf({ name: 'S' }), b: book({ shelfId: '${s.id}', title: 'T' }, { import: 'plain' }) };
    const given: World = { wanted, records: [s, b], readings: { b: gone } };
    expect(needs(given).objects).toMatchObject([{ address: 'b', isKeyUnique: true }]);
    expect(needs(given).objects[0]).not.toHaveProperty('importId');
  });

  it('and that no key tells is made again once nobody else has its name, and is nothing for a command that only takes in', () => {
    const c = recordOf('a', 'Card', { name: 'c' });
    const card: World = {
      wanted: { a: { type: 'Card', properties: { name: 'c' } } },
      records: [c],
      readings: { a: gone },
    };
    for (const mode of ['apply', 'adopt'] as const) {
      expect(decidedAt({ ...card, mode }, 'a').action).toBe('create');
      const needed = propose(planInput({ ...card, mode })).neededObjects.map(({ address, inputs }) => [
        address,
        inputs,
      ]);
      expect(needed).toEqual(mode === 'adopt' ? [] : [['a', { name: 'c' }]]);
    }
  });
});

describe('what a list shows of an object that is to be taken over', () => {
  it('is asked for by that command even where nobody knows what the collection holds', () => {
    const uncertain = new Map([
      [collectionKey(typeOf('Shelf'), {}), { severity: 'error', code: 'c', summary: 's' } as const],
    ]);
    const world: World = { wanted: { a: shelf({ name: 'A' }) }, mode: 'adopt', snapshot: { uncertain } };
    expect(needs(world).objects).toMatchObject([{ address: 'a', isKeyUnique: true }]);
  });
});

describe('the object of an address', () => {
  const old = recordOf('old', 'Shelf', { name: 'O' });
  const wanted = { a: shelf({ name: 'A' }, { aliases: ['old'] }) };
  const deposed = [{ identity: { id: 'id-former', scope: {} }, outputs: {} }] as unknown as typeof recorded.deposed;
  it.each<[string, World, readonly (readonly string[])[]]>([
    ['may be another one, where its own is gone', { readings: { a: gone } }, [['old', 'a']]],
    ['stays its own, where that is there', {}, []],
    ['stays its own, where that could not be read', { readings: { a: failedReading() } }, []],
    ['stays its own, where nobody looks for keys', { readings: { a: gone }, more: { looksForKeys: false } }, []],
    [
      'stays its own, where an old one is still to be deleted',
      { records: [{ ...recorded, deposed }, old], readings: { a: gone } },
      [],
    ],
  ])('%s', (_name, world, expected) => {
    const { movedTo } = propose(planInput({ wanted, records: [recorded, old], ...world }));
    expect([...movedTo]).toEqual(expected);
  });
});

describe('what is proposed', () => {
  it('ends with what left the catalogue, by address', () => {
    const records = ['c', 'b', 'd'].map((address) => recordOf(address, 'Shelf', { name: address }));
    const { byAddress } = propose(planInput({ wanted: { z: shelf({ name: 'Z' }) }, records }));
    expect([...byAddress.keys()]).toEqual(['z', 'b', 'c', 'd']);
  });

  it('has outputs by name, and none where all is destroyed', () => {
    const outputs = { b: '1', a: '2' };
    expect([...propose(planInput({ outputs })).outputs]).toEqual([
      ['a', '2'],
      ['b', '1'],
    ]);
    expect(propose(planInput({ outputs, mode: 'destroy' })).outputs.size).toBe(0);
  });

  it('imports nothing that another resource keeps', () => {
    const other = recordOf('b', 'Shelf', { name: 'B' });
    const world = {
      wanted: { a: shelf({ name: 'A' }, { import: 'id-b' }), b: shelf({ name: 'B' }) },
      records: [other],
    };
    expect(propose(planInput(world)).movedTo.size).toBe(0);
    const { b: _kept, ...left } = world.wanted;
    expect([...propose(planInput({ ...world, wanted: left })).movedTo]).toEqual([['b', 'a']]);
  });
});
