import { describe, expect, it } from 'vitest';
import { moveWaits, orderOperations } from '@platform-sync/engine/plan/order';
import { addressesNow, operationsOf, type Step } from '@platform-sync/engine/plan/step';
import { propose } from '@platform-sync/engine/plan/propose';
import { foundObject, planInput, planned, recordOf, type World } from './made-up-plan.js';

const shelf = (name: string, options = {}) => ({ properties: { name }, options });
const book = (shelfId: string, options = {}) => ({ type: 'Book', properties: { shelfId, title: 'T' }, options });
const s = recordOf('s', 'Shelf', { name: 'S' });
const b = recordOf('b', 'Book', { shelfId: 'id-s', title: 'T' }, { dependencies: ['s'] });
const gone = { kind: 'gone' } as const;

const linked = (steps: ReadonlyMap<string, Step>, world: World): readonly string[] =>
  moveWaits(steps, { graph: planInput(world).graph, now: addressesNow(steps) })
    .filter(({ earlier }) => steps.has(earlier.split(' ')[0] ?? ''))
    .map(({ later, earlier }) => `${later} < ${earlier}`);
const waits = (world: World): readonly string[] => linked(propose(planInput(world)).byAddress, world);
const operations = (world: World): readonly string[] => {
  const input = planInput(world);
  return operationsOf(orderOperations(propose(input).byAddress, input.graph).steps).map(({ id }) => id);
};

describe('a child that moves to another parent', () => {
  const world: World = {
    wanted: { s: shelf('S'), t: shelf('T'), b: book('${t.id}') },
    records: [s, b],
    found: { t: gone },
  };

  it('stays where it is until the new parent is there', () => {
    expect(waits(world)).toEqual(['b delete < t create']);
    expect(operations(world)).toEqual(['t create', 'b delete', 'b create']);
  });

  it('stays where it is also where it only refers to what is to be made', () => {
    const card = { type: 'Card', properties: { name: 'C', shelf: '${t.id}' }, options: { deleteBeforeReplace: true } };
    const referring: World = {
      wanted: { s: shelf('S'), t: shelf('T'), c: card },
      records: [s, recordOf('c', 'Card', { name: 'C', shelf: 'id-s' }, { dependencies: ['s'] })],
      found: { t: gone },
      more: { replace: new Set(['c']) },
    };
    expect(operations(referring)).toEqual(['t create', 'c delete', 'c create']);
  });

  it.each<[string, World]>([
    ['to one that is there already', { ...world, records: [s, b, recordOf('t', 'Shelf', { name: 'T' })] }],
    [
      'within one that is replaced',
      { wanted: { s: shelf('S'), b: book('${s.id}') }, records: [s, b], more: { replace: new Set(['s']) } },
    ],
    ['by an id of nobody here', { wanted: { s: shelf('S'), b: book('elsewhere') }, records: [s, b] }],
    [
      'to one that is adopted',
      {
        ...world,
        found: { t: foundObject('id-t', { name: 'T' }) },
        more: { allow: [{ guard: 'adopt', reason: 'r' }] },
      },
    ],
    ['nowhere', { wanted: { s: shelf('S'), b: book('${s.id}') }, records: [s, b] }],
    ['as one that has no parent', { wanted: { s: shelf('S') }, records: [s], more: { replace: new Set(['s']) } }],
  ])('waits for nothing %s', (_name, given) => {
    const creates = operations(given).filter((id) => id.endsWith(' create') && id !== 'b create');
    expect(waits(given).filter((wait) => creates.some((id) => wait.endsWith(id)))).toEqual([]);
  });

  it('waits for no parent that the plan leaves out', () => {
    const steps = new Map(propose(planInput(world)).byAddress);
    steps.delete('t');
    expect(linked(steps, world)).toEqual([]);
  });

  it('goes first where the new parent waits for what it gives up', () => {
    const ring: World = {
      wanted: { t: shelf('S', { dependsOn: ['b'] }) },
      records: [s, b],
    };
    expect(operationsOf(planned(ring).steps).map(({ id }) => id)).toEqual(['b delete', 't record']);
  });

  it('waits for nothing where the new one is made first anyway', () => {
    const first: World = {
      ...world,
      wanted: {
        s: shelf('S'),
        t: shelf('T'),
        b: { type: 'Book', properties: { shelfId: '${t.id}', title: 'U' }, options: { deleteBeforeReplace: false } },
      },
    };
    expect(waits(first)).toEqual([]);
    expect(operations(first)).toEqual(['t create', 'b create', 'b delete-old']);
  });
});
