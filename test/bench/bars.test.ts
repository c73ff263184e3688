import { describe, expect, test } from 'vitest';
import { judge, type BarResult } from '../../bench/bars.js';
import type { Measurement } from '../../bench/measurement.js';
import { lifeNames } from '../../bench/scenarios/life.js';
import { idealMs, ratedCase, wideCase } from '../../bench/scenarios/limits.js';
import { caseName, largeCase, smallCase } from '../../bench/scenarios/peers.js';
import { showName } from '../../bench/scenarios/show.js';
import { startNames } from '../../bench/scenarios/start.js';
import { comparedNames } from '../../bench/terraform/compare.js';
import { row } from './measurements.js';

const { ours, terraform } = comparedNames;

function bar(what: string, rows: readonly Measurement[]): BarResult {
  const found = judge(rows).find((one) => one.what.includes(what));
  if (found === undefined) throw new Error(`no bar for ${what}`);
  return found;
}

test('the least time that calls can take counts whole minutes for what a limit holds back', () => {
  const base = { name: 'x', concurrency: 8, latencyMs: 20 };
  expect(idealMs({ ...base, apis: 7 })).toBe(20);
  expect(idealMs({ ...base, apis: 599, rateLimit: 600 })).toBe(1500);
  expect(idealMs({ ...base, apis: 1000, rateLimit: 600 })).toBe(60_000 + 1002.5);
});

describe('bars', () => {
  test('that were not measured are listed, without a verdict', () => {
    const all = judge([]);
    expect(all.length).toBeGreaterThan(15);
    expect(all.filter(({ measured, met }) => measured !== undefined || met !== undefined)).toEqual([]);
  });

  test.each<[string, readonly Measurement[], string, boolean]>([
    ['`--version`', [row(startNames.bare, { wall: 50 }), row(startNames.version, { wall: 100 })], '2.0 ×', true],
    ['`--version`', [row(startNames.bare, { wall: 50 }), row(startNames.version, { wall: 101 })], '2.0 ×', false],
    ['`validate` of 10', [row(startNames.bare, { cpu: 60 }), row(startNames.validate, { cpu: 140 })], '80 ms', true],
    [
      '`plan` of 10 resources, nothing',
      [row(startNames.bare, { cpu: 60 }), row(startNames.plan, { cpu: 241 })],
      '181 ms',
      false,
    ],
    [
      '50 × 10 × 8 KiB: create, requests',
      [row(caseName(lifeNames.firstApply, smallCase), { latencyMs: 86, requests: 552 })],
      '552',
      false,
    ],
    [
      '1,000 × 10: plan of nothing',
      [row(caseName(lifeNames.nothing, largeCase), { latencyMs: 86, requests: 1030 })],
      '1,030',
      true,
    ],
    // Memory is judged by the worst of what loads and what plans.
    [
      '100,000 resources',
      [row(lifeNames.validate, { size: 100_000, peak: 1600 }), row(lifeNames.recorded, { size: 100_000, peak: 900 })],
      '1600 MB',
      false,
    ],
    ['32 at a time', [row(wideCase.name, { wall: 3500, cpu: 3000 })], '0.97', true],
    // What takes more than the calls need is met only where the processor is what limits it.
    ['32 at a time', [row(wideCase.name, { wall: 4000, cpu: 4100 })], '0.98', true],
    ['32 at a time', [row(wideCase.name, { wall: 5000, cpu: 4000 })], '1.25', false],
    ['time / the least', [row(ratedCase.name, { wall: 68_000 })], '1.11', false],
    ['answered 429', [row(ratedCase.name, { requests: 1000, refused: 21 })], '2.1 %', false],
    [
      'Markdown',
      [
        row(showName('markdown', 'creates'), { size: 5000, wall: 400 }),
        row(showName('markdown', 'updates'), { size: 5000, wall: 1200 }),
      ],
      '1.20 s',
      false,
    ],
  ])('%s', (what, rows, measured, met) => {
    expect(bar(what, rows)).toMatchObject({ measured, met });
  });

  test('of growth take the worse of wall and CPU time', () => {
    const rows = [
      row(lifeNames.nothing, { size: 1000, wall: 100, cpu: 100 }),
      row(lifeNames.nothing, { size: 10_000, wall: 1000, cpu: 2000 }),
    ];
    expect(bar(`growth 1,000 → 10,000: ${lifeNames.nothing}`, rows)).toMatchObject({ measured: '1.30', met: false });
  });

  test('against Terraform are set by its form with the same objects; the other stands beside it', () => {
    const rows = [
      row(ours.plan, { wall: 1000, peak: 100 }),
      row(terraform.plan('catalogue'), { wall: 6500, peak: 300 }),
      row(terraform.plan('counted'), { wall: 2000, peak: 100 }),
    ];
    expect(bar('plan of nothing: Terraform’s time', rows)).toMatchObject({ measured: '6.5 ×', met: true });
    expect(bar('our memory', rows)).toMatchObject({ measured: '0.33', met: true });
    expect(bar('the same, Terraform with one counted block', rows)).toEqual({
      what: 'the same, Terraform with one counted block',
      limit: '',
      measured: '2.0 ×',
    });
    expect(bar('first apply: Terraform’s time', rows).met).toBeUndefined();
  });
});
