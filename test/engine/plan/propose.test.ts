import { describe, expect, it } from 'vitest';
import { collectionKey, identityKey } from '@platform-sync/core/model/identity';
import { markField } from '@platform-sync/core/model/ownership-mark';
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
  recordedAnew,
  readingOf,
  recordOf,
  refused,
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

  it('of another type: its old object goes first, and the whole new one is shown', () => {
    const world: World = { wanted: { a: { type: 'Card', properties: { name: 'A' } } }, records: [recorded] };
    expect(stepOf(world, 'a')).toMatchObject({
      ...{ action: 'replace', order: 'delete-first', cause: 'config', id: 'id-a' },
      reasons: [{ kind: 'type-changed', from: typeOf('Shelf').token }],
      fields: [{ field: 'name', rule: 'update', cause: 'config', new: 'A' }],
    });
  });

  it('that is gone is made again because somebody took it away', () => {
    const nowhere = { listed: [listed('Shelf', [])] };
    expect(stepOf({ wanted, records: [recorded], readings: { a: gone }, snapshot: nowhere }, 'a')).toMatchObject({
      ...{ action: 'create', cause: 'drift', precondition: { exists: false } },
      fields: [{ field: 'name' }, { field: 'note' }],
    });
  });

  it('needs its record rewritten where only that is out of date', () => {
    expect(recordedAnew({ wanted, records: [recorded] })).toEqual([]);
    expect(recordedAnew({ wanted, records: [{ ...recorded, dependencies: ['old'] }] })).toEqual(['a']);
    expect(recordedAnew({ wanted, records: [{ ...recorded, protect: true }] })).toEqual(['a']);
    const converged: World = {
      ...{ wanted: { a: shelf({ name: 'A', note: 'm' }) }, records: [recorded] },
      readings: { a: readingOf(recorded, { note: 'm' }) },
    };
    expect(recordedAnew(converged)).toEqual(['a']);
    expect(steps(converged)).toEqual([]);
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

describe('what is made', () => {
  it('leaves no record to write beside it', () => {
    expect(recordedAnew({ wanted: { a: shelf({ name: 'A' }) } })).toEqual([]);
  });
});

describe('what a list shows of an object that is to be taken over', () => {
  const stamp = { a: { type: 'Stamp', properties: { name: 'A' } } };
  const shown = { listed: [listed('Stamp', [remoteObject('x', { name: 'A' })])] };
  const byKey: World = { wanted: stamp, snapshot: shown, more: { adopt: 'byKey' } };

  it.each<[string, World]>([
    ['where keys are not the rule', { ...byKey, more: {} }],
    ['by the command that takes all in', { ...byKey, mode: 'adopt' }],
    [
      'that has more to it than lists show',
      {
        wanted: { a: shelf({ name: 'A' }) },
        snapshot: { listed: [listed('Shelf', [remoteObject('x', { name: 'A' })])] },
        more: { adopt: 'byKey' },
      },
    ],
    [
      'that is to get what cannot be read',
      { ...byKey, wanted: { a: { type: 'Stamp', properties: { name: 'A', seal: 's' } } } },
    ],
  ])('is read once more %s', (_name, world) => {
    expect(needs(world).objects).toMatchObject([{ address: 'a', listed: { identity: { id: 'x' } } }]);
  });

  it('is enough else, and is what is taken over', () => {
    expect(decidedAt(byKey, 'a')).toMatchObject({
      ...{ action: 'adopt', actual: { identity: { id: 'x' }, values: { name: 'A' } } },
      reasons: [{ kind: 'key-exists', id: 'x' }],
    });
  });

  it('is no answer for the command that takes all in where no key tells one from another', () => {
    const card: World = { wanted: { a: { type: 'Card', properties: { name: 'A' } } }, mode: 'adopt' };
    expect(needs({ ...card, snapshot: { listed: [listed('Card', [])] } }).objects).toMatchObject([{ address: 'a' }]);
  });

  it('is asked for by that command even where nobody knows what the collection holds', () => {
    const uncertain = new Map([
      [collectionKey(typeOf('Shelf'), {}), { severity: 'error', code: 'c', summary: 's' } as const],
    ]);
    const world: World = { wanted: { a: shelf({ name: 'A' }) }, mode: 'adopt', snapshot: { uncertain } };
    expect(needs(world).objects).toMatchObject([{ address: 'a', isKeyUnique: true }]);
  });
});

describe('an object with a mark', () => {
  const wanted = {
    b: shelf({ name: 'A', [markField]: 'library.dev/b' }),
    c: shelf({ name: 'C', [markField]: 'library.dev/c' }),
  };
  const marked = (mark: string) => ({
    b: foundObject('x', { name: 'A', [markField]: mark }),
    c: foundObject('y', { name: 'C', [markField]: 'library.dev/c' }),
  });

  it.each([
    ['prod', 'library.prod/z', 'its labels say that it belongs to library.prod, as z'],
    ['nobody', 'library.prod/', 'its labels say that it belongs to library.prod, as whatever it is called there'],
  ])('of %s in another stack is refused', (_name, mark, because) => {
    expect(refused({ wanted, found: marked(mark) })).toEqual([
      {
        ...{ severity: 'error', code: 'marked-elsewhere', address: 'b' },
        summary: `b can't have the object x: ${because}.`,
        hint: "Take it out of one of the two. If it is nobody's any more, take the labels platform-sync-stack and platform-sync-address off the object.",
        place: { file: 'catalogue/all.yaml', line: 1, column: 1 },
      },
    ]);
    expect(decidedAt({ wanted, found: marked(mark) }, 'b').action).toBe('not-compared');
  });

  it('is taken over by whom it is meant for, and by nobody for its key', () => {
    expect(decidedAt({ wanted, found: marked('library.dev/b') }, 'b').action).toBe('adopt');
    expect(decidedAt({ wanted, found: marked('library.dev/c') }, 'b').action).toBe('create');
    // Who names the id has said which one it is.
    const named = { ...wanted, b: shelf({ name: 'A', [markField]: 'library.dev/b' }, { import: 'x' }) };
    expect(decidedAt({ wanted: named, found: marked('library.dev/c') }, 'b').action).toBe('adopt');
  });
});

describe('whose object it is', () => {
  it('that of an address which left the catalogue moves, also by an id whose form only the platform reads', () => {
    const s = recordOf('s', 'Shelf', { name: 'S' });
    const old = recordOf('old', 'Book', { shelfId: 'id-s', title: 'Z' });
    const world: World = {
      wanted: { s: shelf({ name: 'S' }), b: book({ shelfId: '${s.id}', title: 'Z' }, { import: 'plain' }) },
      ...{ records: [s, old], found: { b: foundObject('id-old', { title: 'Z' }, { shelfId: 'id-s' }) } },
    };
    expect(decidedAt(world, 'b')).toMatchObject({
      ...{ action: 'move', movedFrom: 'old', reasons: [{ kind: 'import', id: 'id-old' }] },
    });
  });

  const wanted = { b: shelf({ name: 'A', note: 'n' }) };
  const found = { b: foundObject('id-a', { name: 'A', note: 'n' }) };

  it('that of an address which left the catalogue moves, by its key or by its id', () => {
    const byKey: World = { wanted, records: [recorded] };
    expect(decidedAt(byKey, 'b')).toMatchObject({
      action: 'move',
      movedFrom: 'a',
      reasons: [{ kind: 'same-key', from: 'a' }],
    });
    expect(steps(byKey)).toEqual(['move b']);
    const byId: World = { wanted: { b: shelf({ name: 'A', note: 'n' }, { import: 'id-a' }) }, records: [recorded] };
    expect(decidedAt(byId, 'b')).toMatchObject({
      action: 'move',
      movedFrom: 'a',
      reasons: [{ kind: 'import', id: 'id-a' }],
    });
    // The key of the record is another one by now, and the platform says who has it.
    const renamed = recordOf('a', 'Shelf', { name: 'Z' });
    const late: World = { wanted, records: [renamed], found };
    expect(decidedAt(late, 'b')).toMatchObject({
      action: 'update',
      movedFrom: 'a',
      reasons: [{ field: 'name' }, { field: 'note' }, { kind: 'same-key', from: 'a' }],
    });
  });

  it('that of one which keeps it is refused, with both places', () => {
    const both = { a: shelf({ name: 'Z' }), ...wanted };
    const problems = refused({ wanted: both, records: [recordOf('a', 'Shelf', { name: 'Z' })], found });
    expect(problems).toEqual([
      {
        ...{ severity: 'error', code: 'already-managed', address: 'b' },
        summary: "b can't have the object id-a: a manages it.",
        hint: 'One object belongs to one address. Take one of the two blocks out, or give b a key of its own.',
        place: { file: 'catalogue/all.yaml', line: 1, column: 1 },
        related: [{ place: { file: 'catalogue/all.yaml', line: 1, column: 1 }, message: 'a stands here' }],
      },
    ]);
  });

  it('two cannot take over one', () => {
    const two = { b: shelf({ name: 'A' }, { import: 'x' }), c: shelf({ name: 'C' }, { import: 'x' }) };
    const problems = refused({
      wanted: two,
      found: { b: foundObject('x', { name: 'A' }), c: foundObject('x', { name: 'A' }) },
    });
    expect(problems).toMatchObject([
      { code: 'already-managed', address: 'c', summary: "c can't have the object x: b manages it." },
    ]);
  });

  it('that of another stack is refused, with its own project named where that is another', () => {
    const elsewhere = (project: string): World => ({
      ...{ wanted, found },
      more: {
        elsewhere: new Map([
          [identityKey(typeOf('Shelf').token, { id: 'id-a', scope: {} }), { project, stack: 'prod', address: 'z' }],
        ]),
      },
    });
    expect(refused(elsewhere('library'))).toEqual([
      {
        ...{ severity: 'error', code: 'managed-elsewhere', address: 'b' },
        summary: "b can't have the object id-a: the stack prod manages it as z.",
        hint: 'Take it out of one of the two, or hand it over: sync state mv z --stack prod --to-stack dev',
        place: { file: 'catalogue/all.yaml', line: 1, column: 1 },
      },
    ]);
    expect(refused(elsewhere('other'))[0]?.summary).toContain('the stack prod of the project other manages');
    expect(propose(planInput(elsewhere('library'))).byAddress.get('b')?.action).toBe('not-compared');
  });

  it('is asked for before it is taken over', () => {
    const world: World = { wanted, found, more: { elsewhere: new Map() } };
    expect(needs(world).owners).toEqual([{ type: typeOf('Shelf').token, identity: { id: 'id-a', scope: {} } }]);
  });

  it('that stands twice in state belongs to the one in the catalogue; where both are there, nobody acts', () => {
    const twice = [recorded, { ...recorded, address: 'z' }];
    expect(steps({ wanted: { z: shelf({ name: 'A', note: 'n' }) }, records: twice })).toEqual(['forget a']);
    const both = { a: shelf({ name: 'A', note: 'n' }), z: shelf({ name: 'B', note: 'n' }) };
    expect(refused({ wanted: both, records: twice })).toMatchObject([
      {
        ...{ code: 'recorded-twice', severity: 'error', address: 'z', summary: 'State has one object at a and at z.' },
        hint: 'Let go of the one that is wrong (the object stays): sync state rm z',
        place: { line: 1 },
        related: [{ message: 'a stands here' }],
      },
    ]);
    expect(decidedAt({ wanted: both, records: twice }, 'z')).toMatchObject({ action: 'not-compared', reasons: [] });
  });

  it('an old object of a replacement is its resource’s, and nobody takes it over', () => {
    const deposed = [{ identity: { id: 'old', scope: {} }, outputs: {} }];
    const world: World = {
      wanted: { a: shelf({ name: 'A', note: 'n' }), b: shelf({ name: 'B' }, { import: 'old' }) },
      ...{ records: [{ ...recorded, deposed }], found: { b: foundObject('old', { name: 'B' }) } },
    };
    expect(refused(world)).toMatchObject([{ code: 'already-managed', address: 'b' }]);
  });

  it('a key that another new one takes is refused', () => {
    const world: World = {
      wanted: { a: shelf({ name: 'A', note: 'n' }), b: shelf({ name: 'A' }) },
      records: [recorded],
    };
    expect(refused(world)).toMatchObject([
      {
        ...{ code: 'key-taken', severity: 'error', address: 'b', place: { line: 1 } },
        summary: "b can't be created: a has its key and keeps it.",
        hint: 'Give one of the two another name. If both are the same object, take one of the blocks out.',
        related: [{ message: 'a stands here' }],
      },
    ]);
    // A look that leads to no write says what it can.
    expect(planOf({ ...world, more: { isCheck: true } }).steps).toHaveLength(1);
  });
});

describe('values that wait for others', () => {
  it.each<[string, World, string, object]>([
    [
      'the id of a new one',
      {
        wanted: { s: shelf({ name: 'S' }), c: { type: 'Card', properties: { shelf: '${s.id}' } } },
        found: { s: gone },
      },
      'c',
      { $unknown: ['s.id'] },
    ],
    [
      'the id of one that is there',
      {
        wanted: { s: shelf({ name: 'S' }), c: { type: 'Card', properties: { shelf: '${s.id}' } } },
        records: [recordOf('s', 'Shelf', { name: 'S' })],
      },
      'c',
      'id-s' as never,
    ],
  ])('%s', (_name, world, address, expected) => {
    const field = stepOf(world, address).fields.find((one) => one.field === 'shelf');
    expect(field?.new).toEqual(expected);
  });

  it('below a replaced one are replaced, and say by what chain', () => {
    const s = recordOf('s', 'Shelf', { name: 'S', material: 'oak' });
    const b = recordOf('s/b', 'Book', { shelfId: 'id-s', title: 'T' }, { dependencies: ['s'] });
    const p = recordOf(
      's/b/p',
      'Page',
      { shelfId: 'id-s', bookId: 'id-s/b', number: 1 },
      { dependencies: ['s', 's/b'] },
    );
    const c = recordOf('c', 'Card', { name: 'c', shelf: 'id-s' }, { dependencies: ['s'] });
    const world: World = {
      wanted: {
        s: shelf({ name: 'S', material: 'pine' }),
        's/b': book({ shelfId: '${s.id}', title: 'T' }),
        's/b/p': { type: 'Page', properties: { shelfId: '${s.id}', bookId: '${s/b.id}', number: 1 } },
        c: { type: 'Card', properties: { name: 'c', shelf: '${s.id}' } },
      },
      records: [s, b, p, c],
    };
    const plan = planOf(world);
    expect(plan.steps.map(({ action, address }) => `${action} ${address}`)).toEqual([
      ...['replace s', 'update c', 'replace s/b', 'replace s/b/p'],
    ]);
    const reasons = Object.fromEntries(plan.steps.map((step) => [step.address, step.reasons]));
    expect(reasons).toEqual({
      s: [{ kind: 'field-forces-replacement', field: 'material' }],
      c: [{ kind: 'field-changed', field: 'shelf' }],
      's/b': [{ kind: 'parent-replaced', path: ['s'] }],
      's/b/p': [
        { kind: 'reference-replaced', field: 'shelfId', path: ['s'] },
        { kind: 'parent-replaced', path: ['s/b', 's'] },
      ],
    });
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
