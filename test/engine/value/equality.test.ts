import { describe, expect, it } from 'vitest';
import type { Equality } from '../../../src/engine/model/resource-type.js';
import type { Json } from '../../../src/engine/model/value.js';
import { sameValue } from '../../../src/engine/value/equality.js';

const table: readonly [Equality, Json | undefined, Json | undefined, boolean][] = [
  ['exact', 'a', 'a', true],
  ['exact', 'a', 'a ', false],
  ['exact', null, undefined, true],
  ['exact', '', undefined, false],
  ['exact', { b: 1, a: [1, 2] }, { a: [1, 2], b: 1 }, true],
  ['exact', [1, 2], [2, 1], false],
  ['text', 'a\n', 'a', true],
  ['text', 'a \n\n', 'a', true],
  ['text', ' a', 'a', false],
  ['text', 'a\n\nb', 'a\nb', false],
  ['set', ['b', 'a', 'a'], ['a', 'b'], true],
  ['set', ['a'], ['a', 'b'], false],
  ['set', [], undefined, false],
  ['map', { a: '1' }, { a: '1', b: null }, true],
  ['map', {}, undefined, true],
  ['map', { a: '1' }, { a: '2' }, false],
  ['multisets', { a: ['x', 'y'] }, { a: ['y', 'x'] }, true],
  ['multisets', { a: ['x', 'x'] }, { a: ['x'] }, false],
  ['multisets', { a: 'x' }, { a: ['x'] }, true],
  ['multisets', '{"a":["x"],"b":null}', { a: ['x'] }, true],
  ['multisets', { a: [] }, undefined, true],
  ['multisets', '{}', undefined, true],
  ['multisets', 'not json', { a: ['x'] }, false],
  ['json', '{"b":1, "a":{"c":[1]}}', { a: { c: [1] }, b: 1 }, true],
  ['json', { a: null }, undefined, true],
  ['json', { a: [1, 2] }, { a: [2, 1] }, false],
];

describe('field equality', () => {
  it.each(table)('%s: %j and %j → %s', (equality, a, b, expected) => {
    expect(sameValue({ equality }, a, b)).toBe(expected);
    expect(sameValue({ equality }, b, a)).toBe(expected);
  });
});
