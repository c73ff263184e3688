import { describe, expect, it } from 'vitest';
import type { DesiredResource } from '@platform-sync/core/model/desired';
import { markField } from '@platform-sync/core/model/ownership-mark';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { JsonObject } from '@platform-sync/core/model/value';
import { Marks, Ownership, collectionOwner, scopeOf } from '@platform-sync/engine/plan/ownership';
import { recordOf } from './made-up-plan.js';
import { typeOf } from './made-up-types.js';
import { desiredResource } from './worlds.js';

/** Where an object lies, and whose mark it bears. */

const book = typeOf('Book');
const flat: ResourceType = { ...book, collection: { ...book.collection, scope: [] } };

describe('the place of an object', () => {
  it.each<[string, ResourceType, JsonObject, JsonObject]>([
    ['is what its inputs say', book, { shelfId: 's', title: 'A' }, { shelfId: 's' }],
    ['is its parent, wherever its list is', flat, { shelfId: 's', title: 'A' }, { shelfId: 's' }],
    ['is nowhere where it lies in nothing', typeOf('Shelf'), { name: 'A' }, {}],
    ['is all levels above', typeOf('Page'), { shelfId: 's', bookId: 'b' }, { shelfId: 's', bookId: 'b' }],
    ['is not known where it is no text', book, { shelfId: null, title: 'A' }, {}],
  ])('%s', (_name, type, inputs, expected) => {
    expect(scopeOf(type, inputs)).toEqual(expected);
  });

  it('is in the object of an address, where the list is one of what lies there', () => {
    const ownership = new Ownership([recordOf('s', 'Shelf', {})], () => true);
    expect(collectionOwner(book, { shelfId: 'id-s' }, ownership)).toBe('s');
    expect(collectionOwner(book, { shelfId: 'id-t' }, ownership)).toBeUndefined();
    expect(collectionOwner(flat, { shelfId: 'id-s' }, ownership)).toBeUndefined();
  });
});

describe('a mark', () => {
  const at = { file: 'a.yaml', start: 0, end: 0 };
  const seeking = (address: string, mark: string): DesiredResource => ({
    ...desiredResource(address),
    properties: new Map([[markField, { kind: 'literal', value: mark, at }]]),
  });
  const marked = (mark: string): JsonObject => ({ [markField]: mark });
  const matching = { of: (address: string) => (address === 'b' ? ({} as never) : undefined) };
  const desired = [seeking('a', 'library.dev/a'), seeking('b', 'library.dev/b'), desiredResource('c')];
  const marks = (): Marks => new Marks({ project: 'library', stack: 'dev' }, desired, matching);

  it('is meant for the resource that has no record yet', () => {
    expect(marks().meantFor(marked('library.dev/a'))).toBe('a');
    expect(marks().meantFor(marked('library.dev/b'))).toBeUndefined();
    expect(marks().meantFor({})).toBeUndefined();
  });

  it('tells another stack from one’s own, and from what is no mark of a stack', () => {
    expect(marks().elsewhere(marked('library.prod/x'))).toEqual({ stack: 'library.prod', address: 'x' });
    expect(marks().elsewhere(marked('library.dev/x'))).toBeUndefined();
    expect(marks().elsewhere(marked('/x'))).toBeUndefined();
    expect(marks().elsewhere({})).toBeUndefined();
  });
});
