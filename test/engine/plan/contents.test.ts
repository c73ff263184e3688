import { describe, expect, it } from 'vitest';
import { markField } from '@platform-sync/core/model/ownership-mark';
import type { JsonObject } from '@platform-sync/core/model/value';
import { listed, planOf, recordOf, remoteObject, type World } from './made-up-plan.js';

/** A shelf leaves the catalogue: what its lists show ends with it. */

const shelf = recordOf('shelf', 'Shelf', { name: 'Fiction' });
const scope = { shelfId: shelf.identity.id };
const book = (id: string, values: JsonObject = {}) => remoteObject(id, { title: id, ...values }, scope);
const guards = (world: World) =>
  planOf({ records: [shelf], ...world })
    .guards.filter(({ name }) => name.startsWith('goes-along'))
    .map(({ summary }) => summary);
const showing = (...objects: readonly ReturnType<typeof book>[]): World => ({
  snapshot: { listed: [listed('Book', objects, { scope })] },
});
const one = 'the end of shelf would also end 1 object that nobody manages: 1 Book';

describe('who manages what goes along with an object', () => {
  it.each<[string, World, readonly string[]]>([
    [
      'nobody',
      showing(book('a'), book('b')),
      ['the end of shelf would also end 2 objects that nobody manages: 2 Book'],
    ],
    ['nobody, in another shelf', showing(remoteObject('a', {}, { shelfId: 'other' })), []],
    [
      'a stack by its mark, and nobody',
      showing(book('a', { [markField]: 'library.prod/theirs' }), book('b')),
      [
        'the end of shelf would also end 1 object that the stack library.prod manages: theirs; and 1 object that nobody manages: 1 Book',
      ],
    ],
    [
      'this stack by its mark, although it has no record of it',
      showing(book('a', { [markField]: 'library.dev/ours' })),
      [one],
    ],
    [
      'a stack that hands it over',
      { ...showing(book('a', { [markField]: 'library.old/theirs' })), more: { handedOver: new Set(['library.old']) } },
      [one],
    ],
    [
      'nobody, and the shelf stays',
      { ...showing(book('a')), wanted: { shelf: { properties: { name: 'Fiction' } } } },
      [],
    ],
  ])('%s', (_, world, expected) => {
    expect(guards(world)).toEqual(expected);
  });
});
