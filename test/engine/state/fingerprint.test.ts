import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { fingerprint } from '@platform-sync/engine/sealed-state';

const key = 'ab'.repeat(32);

test('is an HMAC over the canonical JSON, with the key as bytes', () => {
  const expected = createHmac('sha256', Buffer.from(key, 'hex')).update('{"a":"s3cret","b":1}').digest('hex');
  expect(fingerprint(key, { b: 1, a: 's3cret' })).toBe(`hmac-sha256:${expected}`);
});

test('tells values and stacks apart', () => {
  const values = ['', ' ', 'x', ['x'], null, 0, '0'];
  const prints = values.flatMap((value) => [fingerprint(key, value), fingerprint('cd'.repeat(32), value)]);
  expect(new Set(prints).size).toBe(values.length * 2);
});
