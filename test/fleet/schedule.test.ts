import { expect, it } from 'vitest';
import type { Schedule } from '@platform-sync/core/model/fleet';
import { tickOf } from 'platform-sync-fleet/schedule';

const minute = 60_000;
const schedule = (project: string, everyMs: number): Schedule => ({
  job: { kind: 'check', project, stack: 'default' },
  everyMs,
});

const midnight = Date.UTC(2030, 0, 1);

/** Milliseconds after midnight at which a stack is due, to a second. */
function dueWithin(of: Schedule, ms: number): readonly number[] {
  const seconds = Array.from({ length: ms / 1_000 }, (_, at) => at * 1_000);
  return seconds.filter((at) => tickOf(of, midnight + at) > tickOf(of, midnight + at - 1_000));
}

it('is due once in each of its times, always at the same place', () => {
  const places = dueWithin(schedule('a', 15 * minute), 60 * minute).map((at) => at % (15 * minute));
  expect(places).toHaveLength(4);
  expect(new Set(places).size).toBe(1);
});

it.each([
  [10 * minute, minute],
  [24 * 60 * minute, minute],
  [minute, 6_000],
])('begins the stacks of one time within a tenth of it, a minute at most (%i ms)', (everyMs, within) => {
  const places = Array.from({ length: 20 }, (_, at) => dueWithin(schedule(`p${at}`, everyMs), within + 1_000));
  expect(places.map((one) => one.length)).toEqual(places.map(() => 1));
  expect(new Set(places.flat()).size).toBeGreaterThan(3);
});

it('is due once after an outage, however long that was', () => {
  const of = schedule('a', 15 * minute);
  const before = tickOf(of, Date.UTC(2030, 0, 1));
  expect(tickOf(of, Date.UTC(2030, 0, 8)) - before).toBe(7 * 96);
});
