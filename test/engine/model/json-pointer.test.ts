import { describe, expect, it } from 'vitest';
import { atPointer, pointerKeys, toPointer } from '@platform-sync/core/model/json-pointer';

// The examples of RFC 6901, section 5.
const document = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'e^f': 3, 'k"l': 6, ' ': 7, 'm~n': 8 };

describe('JSON pointers', () => {
  it.each([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
    ['/foo/2', undefined],
    ['/foo/00', undefined],
    ['/foo/-', undefined],
    ['/bar', undefined],
    ['/a~1b/c', undefined],
    ['/toString', undefined],
    ['/foo/length', undefined],
  ])('%j', (pointer, value) => {
    expect(atPointer(document, pointer)).toEqual(value);
  });

  it('writes what it reads', () => {
    for (const keys of [[], ['a/b', '~', ''], ['~1', '0']]) expect(pointerKeys(toPointer(keys))).toEqual(keys);
  });
});
