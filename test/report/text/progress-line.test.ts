import { describe, expect, it } from 'vitest';
import { progressLine, timeText } from '@platform-sync/report/text/event-line';

describe('progressLine', () => {
  const counts = { what: 'applying', done: 0, failed: 0, total: 100, elapsedMs: 0 } as const;
  it.each([
    [counts, 'applying 0/100'],
    [{ ...counts, done: 3, elapsedMs: 500 }, 'applying 3/100'],
    [{ ...counts, done: 50, elapsedMs: 10_000 }, 'applying 50/100, 5.0/s, about 10 s left'],
    [{ ...counts, done: 100, failed: 2, elapsedMs: 4000 }, 'applying 100/100, 2 failed, 25/s'],
    [
      { ...counts, what: 'reading', waiting: 'waiting 2 s: 429\u0007' } as const,
      'reading 0/100, waiting 2 s: 429\\u0007',
    ],
  ])('%j', (given, expected) => {
    expect(progressLine(given)).toBe(expected);
  });

  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [59_400, '59 s'],
    [59_600, '1 min'],
    [200_000, '3 min 20 s'],
    [7_500_000, '2 h 5 min'],
  ])('%d ms', (ms, expected) => {
    expect(timeText(ms)).toBe(expected);
  });
});
