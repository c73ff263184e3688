import { describe, expect, it } from 'vitest';
import { readingOf, recordOf, stepOf, type World } from './made-up-plan.js';

/** What could be moved is made anew where its place ends before there is the new one. */

const shelf = (name: string, material?: string, options = {}) => ({
  ...{ properties: { name, ...(material === undefined ? {} : { material }) }, options },
});
const note = (shelfId: string, text: string) => ({ type: 'Note', properties: { shelfId, text } });
const clip = (noteId: string, options = {}) => ({ type: 'Clip', properties: { noteId, name: 'c' }, options });

const a = recordOf('a', 'Shelf', { name: 'A' });
const b = recordOf('b', 'Shelf', { name: 'B' });
const noteRecord = (address: string, shelfAddress: string) =>
  recordOf(address, 'Note', { shelfId: `id-${shelfAddress}`, text: address }, { dependencies: [shelfAddress] });
const clipRecord = (noteAddress: string) =>
  recordOf('c', 'Clip', { noteId: `id-${noteAddress}`, name: 'c' }, { dependencies: [noteAddress] });

/** A clip goes from an old note to one on the shelf `a`. */
const world: World = {
  wanted: { a: shelf('A', 'pine'), b: shelf('B'), n: note('${a.id}', 'n'), c: clip('${n.id}') },
  records: [a, b, noteRecord('old', 'a'), clipRecord('old')],
};
const actionOf = (given: World): string => {
  const { action, order = '' } = stepOf({ ...world, ...given }, 'c');
  return `${action} ${order}`.trim();
};

describe('a child', () => {
  it.each<[string, World, string]>([
    ['of what lies on a shelf that ends', {}, 'replace delete-first'],
    [
      'that changes besides',
      { wanted: { ...world.wanted, c: { ...clip('${n.id}'), properties: { noteId: '${n.id}', name: 'd' } } } },
      'replace delete-first',
    ],
    [
      'that asked for the new one first',
      { wanted: { ...world.wanted, c: clip('${n.id}', { deleteBeforeReplace: false }) } },
      'replace delete-first',
    ],
    [
      'of what was found there, whatever state says',
      {
        records: [a, b, noteRecord('old', 'b'), clipRecord('old')].map((one) =>
          one.address === 'old' ? { ...one, dependencies: ['a', 'b'] } : one,
        ),
        readings: { old: readingOf(noteRecord('old', 'b'), { shelfId: 'id-a' }) },
      },
      'replace delete-first',
    ],
  ])('%s is made anew', (_name, given, expected) => {
    expect(actionOf(given)).toBe(expected);
  });

  it.each<[string, World]>([
    ['the shelf stays', { wanted: { ...world.wanted, a: shelf('A') } }],
    ['the shelf only changes', { wanted: { ...world.wanted, a: shelf('Z') } }],
    ['the shelf goes last', { wanted: { ...world.wanted, a: shelf('Z', 'pine', { deleteBeforeReplace: false }) } }],
    ['what it lives in lies elsewhere', { records: [a, b, noteRecord('old', 'b'), clipRecord('old')] }],
    [
      'what it lives in was put elsewhere',
      { readings: { old: readingOf(noteRecord('old', 'a'), { shelfId: 'id-b' }) } },
    ],
    [
      'another shelf ends, which it needs nothing of',
      {
        wanted: { ...world.wanted, a: shelf('A'), b: shelf('B', 'pine') },
        records: [a, b, noteRecord('old', 'b'), clipRecord('old')],
      },
    ],
    [
      'it only knows somebody there',
      {
        records: [
          a,
          b,
          noteRecord('old', 'a'),
          noteRecord('far', 'b'),
          { ...clipRecord('far'), dependencies: ['old', 'far'] },
        ],
      },
    ],
    ['nobody knows what it lives in', { records: [a, b, { ...clipRecord('old'), dependencies: ['old', 'lost'] }] }],
    [
      'it only changes its name, whatever ends',
      {
        wanted: {
          ...world.wanted,
          c: { type: 'Clip', properties: { noteId: 'id-old', name: 'd' }, options: { dependsOn: ['a'] } },
        },
      },
    ],
    [
      'it stays where it is',
      {
        wanted: {
          ...world.wanted,
          keep: note('${b.id}', 'keep'),
          c: { ...clip('${keep.id}'), properties: { noteId: '${keep.id}', name: 'd' } },
        },
        records: [a, b, noteRecord('keep', 'b'), clipRecord('keep')],
      },
    ],
  ])('is moved where %s', (_name, given) => {
    expect(actionOf(given)).toBe('update');
  });

  it('whose records depend on each other in a ring is looked at once', () => {
    const ring = [
      { ...noteRecord('old', 'b'), dependencies: ['old', 'b'] },
      { ...clipRecord('old'), dependencies: ['old', 'c'] },
    ];
    expect(actionOf({ records: [a, b, ...ring] })).toBe('update');
  });
});
