import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { planOf, recordOf, type World } from './made-up-plan.js';

/** What a plan without deletes does, and what it names instead. */

const shelf = (properties: JsonObject) => ({ properties });
const book = (properties: JsonObject) => ({ type: 'Book', properties });
const card = (properties: JsonObject) => ({ type: 'Card', properties });
const a = recordOf('a', 'Shelf', { name: 'A', material: 'oak' });
const inA = recordOf('a/b', 'Book', { shelfId: 'id-a', title: 'B' }, { dependencies: ['a'] });
const c = recordOf('c', 'Card', { name: 'C' });

function without(world: World): readonly (readonly string[])[] {
  const plan = planOf({ ...world, more: { ...world.more, noDelete: true } });
  const left = (plan.leftOut ?? []).map(({ action, address, needs }) =>
    needs === undefined ? `${action} ${address}` : `${action} ${address} for ${needs}`,
  );
  return [plan.steps.map(({ action, address }) => `${action} ${address}`), left];
}

describe('a plan without deletes', () => {
  it.each<[string, World, readonly string[], readonly string[]]>([
    ['with nothing to delete is as it was', { wanted: { a: shelf({ name: 'A' }) } }, ['create a'], []],
    [
      'keeps what left the catalogue, however much that is',
      { wanted: { d: card({ name: 'D' }) }, records: [a, inA] },
      ['create d'],
      ['delete a', 'delete a/b'],
    ],
    ['keeps everything where the catalogue is empty', { records: [a, c] }, [], ['delete a', 'delete c']],
    [
      'keeps what would be replaced, with all that needs it',
      {
        wanted: {
          ...{ a: shelf({ name: 'A', material: 'ash' }), 'a/b': book({ shelfId: '${a.id}', title: 'B' }) },
          ...{ 'a/n': book({ shelfId: '${a.id}', title: 'N' }), c: card({ name: 'C', shelf: '${a.id}' }) },
          e: card({ name: 'E' }),
        },
        records: [a, inA, recordOf('c', 'Card', { name: 'C', shelf: 'id-a' }, { dependencies: ['a'] })],
      },
      ['create e'],
      ['replace a', 'replace a/b', 'create a/n for a', 'update c for a'],
    ],
    [
      'goes ahead with what lets go of an object that stays',
      {
        wanted: { c: card({ name: 'C', shelf: 'none' }) },
        records: [a, recordOf('c', 'Card', { name: 'C', shelf: 'id-a' }, { dependencies: ['a'] })],
      },
      ['update c'],
      ['delete a'],
    ],
    [
      'leaves out who is to get a key that stays taken, and who needs that one',
      {
        wanted: { z: card({ name: 'Z', shelf: '${n.id}' }), n: shelf({ name: 'A', note: 'new' }) },
        records: [recordOf('n', 'Shelf', { name: 'N' }), a],
      },
      [],
      ['create z for n', 'delete a', 'update n for a'],
    ],
    [
      'leaves old objects of replacements',
      {
        wanted: { a: shelf({ name: 'A', material: 'oak' }) },
        records: [{ ...a, deposed: [{ identity: { id: 'old', scope: {} }, outputs: { name: 'A' } }] }],
      },
      [],
      ['delete a~old'],
    ],
    [
      'forgets what is retained or let go of',
      { records: [{ ...a, retainOnDelete: true }, c], removed: ['c'] },
      ['forget a', 'forget c'],
      [],
    ],
  ])('%s', (_name, world, steps, leftOut) => {
    const [done = [], left = []] = without(world);
    expect([[...done].sort(), [...left].sort()]).toEqual([[...steps].sort(), [...leftOut].sort()]);
  });

  it('is blocked by no guard about deletes, says what it lacks in a notice, and has no word of it otherwise', () => {
    const world: World = {
      records: [a, { ...c, protect: true }],
      more: { guards: { maxDeletes: 0, maxDeletePercent: 0, allow: [] } },
    };
    const plan = planOf({ ...world, more: { ...world.more, noDelete: true } });
    expect(plan.guards).toEqual([]);
    expect(plan.notices).toEqual([
      {
        ...{ severity: 'info', code: 'left-out', summary: 'Nothing is deleted, so 2 changes are left out.' },
        ...{ detail: 'delete a\ndelete c', hint: 'Without --no-delete they are part of the plan.' },
      },
    ]);
    expect(planOf(world).guards.map(({ name }) => name)).toContain('maxDeletes');
    expect(planOf(world)).not.toHaveProperty('leftOut');
    expect(planOf({ more: { noDelete: true } })).toMatchObject({ leftOut: [], notices: [] });
  });

  it('names what is left out by address, in order, with what it waits for', () => {
    const plan = (world: World) => planOf({ ...world, more: { noDelete: true } });
    const { leftOut, notices } = plan({
      wanted: { a: shelf({ name: 'A', material: 'ash' }), '0': card({ name: 'C', shelf: '${a.id}' }) },
      records: [c, a],
    });
    expect(leftOut?.map(({ address }) => address)).toEqual(['0', 'a', 'c']);
    expect(notices).toMatchObject([{ detail: 'create 0, which waits for a\nreplace a\ndelete c' }]);
    expect(plan({ records: [a] }).notices).toMatchObject([
      { summary: 'Nothing is deleted, so one change is left out.' },
    ]);
  });

  it('has outputs unless something of the catalogue is left out', () => {
    const outputs = { shelf: 'value' };
    const plan = (world: World): readonly string[] =>
      planOf({ ...world, outputs, more: { noDelete: true } }).outputs.map(({ name }) => name);
    expect(plan({ records: [c] })).toEqual(['shelf']);
    const replaced = { wanted: { a: shelf({ name: 'A', material: 'ash' }) }, records: [a] };
    expect(plan(replaced)).toEqual([]);
    expect(plan({ ...replaced, records: [a, c] })).toEqual([]);
  });
});
