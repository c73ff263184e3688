import { describe, expect, test } from 'vitest';
import { exponent, spreadOf } from '../../bench/statistics.js';

describe('the spread of some runs', () => {
  test.each([
    [[3, 1, 2], { median: 2, min: 1, max: 3 }],
    // Of an even number, the middle between the two in the middle; and 10 sorts behind 9.
    [[10, 9, 1, 2], { median: 5.5, min: 1, max: 10 }],
    [[7], { median: 7, min: 7, max: 7 }],
  ])('of %j', (values, spread) => {
    expect(spreadOf(values)).toEqual(spread);
  });
});

test.each([
  [10, 1],
  [100, 2],
  [1, 0],
  [Math.sqrt(10), 0.5],
])('ten times the size at %d times the cost has exponent %d', (cost, expected) => {
  expect(exponent({ size: 7, value: 3 }, { size: 70, value: 3 * cost })).toBeCloseTo(expected);
});
