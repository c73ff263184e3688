import { describe, expect, test } from 'vitest';
import {
  backoffMs,
  mayHaveHappened,
  repeatsAfterFailure,
  repeatsAfterStatus,
  retryAfterMs,
  type FailureKind,
  type Method,
} from '@platform-sync/rest/http/retry';

const now = Date.UTC(2026, 0, 1, 12, 0, 0);

test.each([
  ['0', 0],
  ['7', 7_000],
  [' 3 ', 3_000],
  ['1.5', 1_500],
  ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
  ['Thursday, 01-Jan-26 12:00:30 GMT', 30_000],
  ['Thu, 01 Jan 2026 11:59:00 GMT', 0],
  ['', undefined],
  ['-5', undefined],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After %j means %j ms', (header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms);
});

test('backoff doubles, has a ceiling, and spreads by a quarter each way', () => {
  expect([1, 2, 3, 20].map((nth) => backoffMs(nth, () => 0.5))).toEqual([500, 1000, 2000, 30_000]);
  expect([backoffMs(1, () => 0), backoffMs(1, () => 0.999999)]).toEqual([375, 625]);
});

describe('what is sent again', () => {
  const methods: readonly Method[] = ['GET', 'DELETE', 'PATCH', 'POST'];
  const idempotent: readonly Method[] = ['GET', 'DELETE', 'PATCH'];

  test.each([
    [500, idempotent],
    [502, idempotent],
    [503, idempotent],
    [504, idempotent],
    [408, idempotent],
    [501, []],
    [400, []],
    [401, []],
    [403, []],
    [404, []],
    [409, []],
    [200, []],
  ])('after status %i: %j', (status, expected) => {
    expect(methods.filter((method) => repeatsAfterStatus(method, status))).toEqual(expected);
  });

  test.each<[FailureKind, readonly Method[]]>([
    ['not-sent', methods],
    ['reset', idempotent],
    ['timed-out', idempotent],
    ['garbled', idempotent],
    ['certificate', []],
  ])('after a failure %s: %j', (kind, expected) => {
    expect(methods.filter((method) => repeatsAfterFailure(method, kind))).toEqual(expected);
  });
});

test.each<[Method, FailureKind | number, boolean]>([
  ['POST', 503, true],
  ['POST', 500, true],
  ['POST', 'reset', true],
  ['POST', 'timed-out', true],
  ['POST', 'not-sent', false],
  ['POST', 'certificate', false],
  ['POST', 409, false],
  ['POST', 429, false],
  ['PATCH', 502, true],
  ['DELETE', 'reset', true],
  ['GET', 503, false],
  ['GET', 'reset', false],
])('a %s that ended with %s may have been carried out: %s', (method, end, expected) => {
  expect(mayHaveHappened(method, end)).toBe(expected);
});
