import { expect, it } from 'vitest';
import type { SeenFinding } from '@platform-sync/core/model/drift';
import type { RememberedStack } from '@platform-sync/state/fleet-record';
import { driftedStacks, driftsPage } from '../../src/fleet/console/drifts-view.js';
import { standings } from '../../src/fleet/console/fleet-view.js';

const at = (minute: number): string => `2026-01-01T14:${String(minute).padStart(2, '0')}:00.000Z`;

const finding = (minute: number, more: Partial<SeenFinding> = {}): SeenFinding => ({
  ...{ id: 'f1', address: 'pets', field: 'labels', class: 'modified', severity: 'medium', digest: 'x' },
  ...{ firstSeen: at(minute), lastSeen: at(40) },
  ...more,
});

/** By the record alone; `cause`: as a job of the same moment says it. */
function remembered(findings: readonly SeenFinding[], cause?: string, jobAt = at(40)): RememberedStack {
  const found = { state: 'drift', cause: cause ?? '' } as const;
  return {
    history: { findings, number: 1, lastCheck: { at: at(40), status: 'drift' } } as RememberedStack['history'],
    jobs: cause === undefined ? [] : [{ kind: 'check', at: jobAt, found }],
  };
}

const told: Readonly<Record<string, RememberedStack>> = {
  ...Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name, nth) => [name, remembered([finding(2 + nth)], 'Api.labels.team removed')]),
  ),
  high: remembered([finding(9, { severity: 'high', field: 'name' }), finding(1, { id: 'f2', address: 'cats' })]),
  // Somebody has checked it since: the job does not know what there is now.
  late: remembered([finding(5)], 'Api.name → "Cats"', at(30)),
  gone: remembered([finding(5, { resolvedAt: at(40) })]),
  unread: remembered([finding(5, { class: 'not-compared' })]),
  '<b>': remembered([finding(5, { address: '<script>alert(1)</script>' })], '<i>x</i>'),
};
const stacks = Object.keys(told).map((project) => ({
  project,
  stack: 's',
  folder: project,
  labels: {},
  owners: ['@me'],
}));
const known = new Map(Object.entries(told).map(([project, one]) => [`${project}/s`, one]));
const rows = standings(stacks, known, []);

it('says who drifted, in what and since when: the worst first, by the newest check', () => {
  expect(
    driftedStacks(rows, known).map(({ project, severity, cause, since }) => [project, severity, cause, since]),
  ).toEqual([
    ['high', 'high', 'name changed outside, and 1 other cause', at(1)],
    ['<b>', 'medium', '<i>x</i>', at(5)],
    ...['a', 'b', 'c', 'd'].map((name, nth) => [name, 'medium', 'Api.labels.team removed', at(2 + nth)]),
    ['late', 'medium', 'labels changed outside', at(5)],
  ]);
});

it('shows stacks of one cause as one line, and what a severity, an owner or a text chooses', () => {
  const page = (filters = {}): string => {
    const { header, main } = driftsPage(rows, driftedStacks(rows, known), filters);
    return JSON.stringify([header, main]);
  };
  expect(page()).toMatch(
    /8 changes outside, in 7 stacks.*4 stacks.*Api.labels.team removed.*since 2026-01-01 14:02–14:05/s,
  );
  expect(page()).not.toMatch(/<script>|<i>/);
  expect(page({ severity: 'high' })).not.toContain('Api.labels.team removed');
  expect(page({ text: 'cats' })).toMatch(/Drifted <span class=..number..>1</);
  expect(page({ owner: '@you' })).toContain('No stack matches.');
  expect(JSON.stringify(driftsPage(rows, [], {}).header)).toContain('No stack was compared yet');
});
