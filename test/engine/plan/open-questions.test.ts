import { describe, expect, it } from 'vitest';
import { markField } from '@platform-sync/core/model/ownership-mark';
import { unknown, type Value } from '@platform-sync/core/model/value';
import { type PlanningState, need } from '@platform-sync/engine/plan/planning-state';
import { factsOf } from '@platform-sync/engine/plan/change';
import { Ownership } from '@platform-sync/engine/plan/ownership';
import { undecided, type NeededObject, type DesiredStep } from '@platform-sync/engine/plan/step';
import { recordOf, remoteObject, seals } from './made-up-plan.js';
import { typeOf } from './made-up-types.js';
import { desiredResource, step } from './worlds.js';

/** What planning asks for, and what it takes as known. */

type Declared = Readonly<Record<string, Value>>;
type How = Pick<NeededObject, 'importId' | 'listed'>;

function needed(type: string, declared: Declared, how: How = {}, mode = 'apply'): readonly NeededObject[] {
  const neededObjects: NeededObject[] = [];
  const ownership = new Ownership([recordOf('old', 'Shelf', {})], () => true);
  const matching = { movedTo: new Map([['old', 'new']]) };
  const planning = {
    input: { mode },
    ownership,
    matching,
    neededObjects,
    sought: new Set(),
  } as unknown as PlanningState;
  const base: DesiredStep = {
    ...undecided({ address: 'x', type: typeOf(type), declared: new Map(Object.entries(declared)) }),
    desired: desiredResource('x'),
  };
  need(planning, base, how);
  return neededObjects;
}

const marked = { name: 'A', [markField]: 'library.dev/x' };

describe('the object that is asked for', () => {
  it.each<[string, Parameters<typeof needed>, Partial<NeededObject>]>([
    ['has a key of its own', ['Shelf', { name: 'A' }], { isKeyUnique: true, inputs: { name: 'A' }, scope: {} }],
    ['may have any key', ['Shelf', {}], { isKeyUnique: false }],
    ['has a key that others may have', ['Card', { name: 'A' }], { isKeyUnique: false }],
    ['has a key that others may have, and a mark', ['Card', marked], { isKeyUnique: true, mark: 'library.dev/x' }],
    ['is told by its id', ['Shelf', { name: 'A' }, { importId: 'i' }], { isKeyUnique: false, importId: 'i' }],
    [
      'lies in another',
      ['Book', { shelfId: 'id-old', title: 'A' }],
      { isKeyUnique: true, under: 'new', scope: { shelfId: 'id-old' } },
    ],
    ['lies in one that nobody knows', ['Book', { shelfId: 'id', title: 'A' }], { isKeyUnique: true }],
  ])('%s', (_name, asked, expected) => {
    expect(needed(...asked)).toMatchObject([expected]);
  });

  it.each<[string, Parameters<typeof needed>]>([
    ['its key is enough', ['Shelf', marked]],
    ['its id is enough', ['Card', marked, { importId: 'i' }]],
    ['a list showed it', ['Card', marked, { listed: remoteObject('i', {}) }]],
    ['what is there is to be adopted, marked or not', ['Card', marked, {}, 'adopt']],
  ])('needs no mark where %s', (_name, asked) => {
    const objects = needed(...asked);
    expect(objects).toHaveLength(1);
    expect(objects[0]).not.toHaveProperty('mark');
  });

  it('is looked for nowhere while its place or its key is not known, but by its id', () => {
    const later = unknown(['s.id']);
    expect(needed('Book', { shelfId: later, title: 'A' })).toEqual([]);
    expect(needed('Book', { shelfId: 's', title: later })).toEqual([]);
    expect(needed('Shelf', { name: 'A', note: later })).toHaveLength(1);
    expect(needed('Shelf', { name: later }, { importId: 'i' })).toHaveLength(1);
  });
});

describe('what is known of an object', () => {
  const declared = { name: 'A' };
  const { desired, ...unwanted } = step('a', 'update', { declared });
  it('is what the file says, where it wants it, as the type it has there', () => {
    const wanted = { ...unwanted, ...(desired === undefined ? {} : { desired }) };
    const known = factsOf(wanted, { name: 'B' }, seals);
    expect(Object.fromEntries(known.declared)).toEqual(declared);
    expect(known).toMatchObject({ actual: { name: 'B' }, ignored: [] });
    expect(factsOf(wanted, {}, seals, typeOf('Card'))).toMatchObject({ type: typeOf('Card'), declared: new Map() });
  });

  it('is nothing of the file where that does not want it any more', () => {
    const known = factsOf(unwanted, {}, seals);
    expect(known.declared.size).toBe(0);
    expect(known.ignored).toEqual([]);
  });

  it('leaves out what the file leaves alone', () => {
    const left = { ...unwanted, desired: desiredResource('a', { ignoreChanges: ['name'] }) };
    expect(factsOf(left, {}, seals).ignored).toEqual(['name']);
  });
});
