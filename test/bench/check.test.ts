import { describe, expect, test } from 'vitest';
import { checkedSizes, findRegressions } from '../../bench/check.js';
import { lifeNames } from '../../bench/scenarios/life.js';
import { caseName, smallCase } from '../../bench/scenarios/peers.js';
import { wayNames } from '../../bench/scenarios/ways-back.js';
import { row } from './measurements.js';

const [small, large] = checkedSizes;

describe('the check of counts and growth', () => {
  test('passes what is linear', () => {
    const rows = [
      // 80 APIs with four documents, and ten times as many.
      row(lifeNames.firstApply, { size: small, requests: 401, cpu: 100 }),
      row(lifeNames.firstApply, { size: large, requests: 4001, cpu: 1000 }),
      row(lifeNames.nothing, { size: small, requests: 81, cpu: 100 }),
      row(lifeNames.nothing, { size: large, requests: 808, cpu: 900 }),
      row(caseName(lifeNames.firstApply, smallCase), { size: 550, requests: 551 }),
    ];
    expect(findRegressions(rows)).toEqual([]);
  });

  test.each([
    ['a read of every object', row(lifeNames.nothing, { size: small, requests: 401 }), '401 requests, at most 81'],
    ['a request without need', row(lifeNames.validate, { size: small, requests: 1 }), '1 requests, at most 0'],
    [
      'one request too many in the published case',
      row(caseName(lifeNames.nothing, smallCase), { size: 550, requests: 52 }),
      '52 requests, at most 51',
    ],
  ])('finds %s', (_, measured, line) => {
    expect(findRegressions([measured])).toEqual([expect.stringContaining(line)]);
  });

  test.each([10, 8])('finds %i requests where the least, 9, is known', (requests) => {
    const measured = row(caseName(wayNames.destroy, { label: '1 × 10,000' }), { size: 10_001, requests });
    expect(findRegressions([measured])).toEqual([expect.stringContaining('the least is 9')]);
    expect(findRegressions([{ ...measured, requests: 9 }])).toEqual([]);
  });

  test('finds CPU time that grows with the square', () => {
    const rows = [row('any', { size: small, cpu: 100 }), row('any', { size: large, cpu: 10_000 })];
    expect(findRegressions(rows)).toEqual([`any, CPU time: exponent 2.00 from ${small} to ${large}, at most 1.3`]);
  });

  test('does not look at wall time', () => {
    const rows = [row('any', { size: small, wall: 1, cpu: 100 }), row('any', { size: large, wall: 1e6, cpu: 1000 })];
    expect(findRegressions(rows)).toEqual([]);
  });
});
