import { describe, expect, it } from 'vitest';
import type { Value } from '@platform-sync/core/model/value';
import { overRecord } from '@platform-sync/core/value/parts';

/** Of a record what is said is its own; all the rest is as it was. */

type Row = [string, Value | undefined, Value | undefined, readonly (Value | undefined)[], Value | undefined];

describe('a record over one of another kind', () => {
  const kinds = ['type', 'auth.type'];
  it.each<Row>([
    ['keeps nothing of it', { type: 'a' }, { type: 'b', x: 1 }, [{ type: 0 }], { type: 'a' }],
    ['keeps all of its own kind', { type: 'a' }, { type: 'a', x: 1 }, [{ type: 0 }], { type: 'a', x: 1 }],
    ['keeps it where one of both says no kind', {}, { type: 'b', x: 1 }, [{}], { type: 'b', x: 1 }],
    [
      'keeps what is beside the one that is another',
      { auth: { type: 'a' } },
      { auth: { type: 'b', x: 1 }, y: 2 },
      [{ auth: { type: 0 } }],
      { auth: { type: 'a' }, y: 2 },
    ],
    [
      'tells each item of a list by itself',
      [{ type: 'a' }, { type: 'a' }],
      [
        { type: 'b', x: 1 },
        { type: 'a', x: 1 },
      ],
      [[{ type: 0 }, { type: 0 }]],
      [{ type: 'a' }, { type: 'a', x: 1 }],
    ],
  ])('%s', (_name, value, rest, said, expected) => {
    expect(overRecord(value, rest, said, kinds)).toStrictEqual(expected);
  });
});

describe('a record over another', () => {
  it.each<Row>([
    ['has what is said as its own', { a: 1, b: 1 }, { a: 2, b: 2, c: 2 }, [{ a: 0 }], { a: 1, b: 2, c: 2 }],
    ['has what anybody says', { a: 1, b: 1 }, { a: 2, b: 2 }, [{ a: 0 }, undefined, { b: 0 }], { a: 1, b: 1 }],
    ['has not what is said and not in it', {}, { a: 2, b: 2 }, [{ a: 0 }], { b: 2 }],
    ['has not what nobody says and is nowhere else', { a: 1, b: 1 }, {}, [{ a: 0 }], { a: 1 }],
    ['has nothing of others where they have no record', { a: 1, b: 1 }, 'text', [{ a: 0 }], { a: 1 }],
    ['has null where it says null', { a: null }, { a: 2 }, [{ a: 0 }], { a: null }],
    ['goes into its members', { a: { x: 1, y: 1 } }, { a: { x: 2, y: 2 } }, [{ a: { x: 0 } }], { a: { x: 1, y: 2 } }],
    [
      'takes lists of one length in pairs',
      [
        { x: 1, y: 1 },
        { x: 1, y: 1 },
      ],
      [
        { x: 2, y: 2 },
        { x: 3, y: 3 },
      ],
      [[{ x: 0 }, { y: 0 }], 'text'],
      [
        { x: 1, y: 2 },
        { x: 3, y: 1 },
      ],
    ],
    [
      'has lists of another length by itself',
      [{ x: 1, y: 1 }, { x: 1 }],
      [{ x: 2, y: 2 }],
      [[{ x: 0 }, { x: 0 }]],
      [{ x: 1 }, { x: 1 }],
    ],
    ['has its list where there was none', [{ x: 1 }], undefined, [[{ x: 0 }]], [{ x: 1 }]],
    ['has plain items as they are', [1, 'a', null], [2, 'b', 0], [[0]], [1, 'a', null]],
    ['is itself where it is no record', 'a', 'b', [{ a: 0 }], 'a'],
    ['is nothing where it is nothing', undefined, { a: 1 }, [{ a: 0 }], undefined],
  ])('%s', (_name, value, rest, said, expected) => {
    expect(overRecord(value, rest, said)).toStrictEqual(expected);
  });
});
