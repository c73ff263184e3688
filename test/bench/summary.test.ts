import { describe, expect, test } from 'vitest';
import { lifeNames } from '../../bench/scenarios/life.js';
import { caseName, smallCase } from '../../bench/scenarios/peers.js';
import { summaryTable } from '../../bench/summary.js';
import { comparedNames } from '../../bench/terraform/compare.js';
import { row } from './measurements.js';

const { ours, terraform } = comparedNames;
const measured = (rows: Parameters<typeof summaryTable>[0], what: string): string | undefined =>
  summaryTable(rows).lines.find(([name]) => name?.includes(what))?.[1];

describe('the figures of the front page', () => {
  test('are dashes where nothing was measured', () => {
    expect(summaryTable([]).lines.every(([, text]) => text === '–')).toBe(true);
  });

  test('name requests and time', () => {
    const rows = [row(caseName(lifeNames.firstApply, smallCase), { latencyMs: 86, requests: 551, wall: 4040 })];
    expect(measured(rows, 'create')).toBe('551 requests, 4.0 s');
  });

  test('set ours beside Terraform, and say nothing with one missing', () => {
    const rows = [row(ours.plan, { wall: 900, peak: 180 })];
    expect(measured(rows, 'nothing to do: `sync plan`')).toBe('–');
    rows.push(row(terraform.plan('catalogue'), { wall: 9000, peak: 600 }));
    expect(measured(rows, 'nothing to do: `sync plan`')).toBe(
      '0.90 s, 180 MB; Terraform, as many of its own: 9.0 s, 600 MB',
    );
  });
});
