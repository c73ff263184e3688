import { expect, test } from 'vitest';
import { LeaseHeldError, LeaseLostError, StateStoreError } from '@platform-sync/core/model/state-store';
import { explainedCodes } from '../../../scripts/generate/errors.js';
import { stateDiagnostics } from '@platform-sync/state/diagnose';
import { refusal } from '@platform-sync/state/rows';

const holder = {
  id: 'l-1',
  owner: 'me@here pid 1',
  purpose: 'apply',
  since: '2026-01-01T00:00:00.000Z',
  seen: '2026-01-01T00:00:05.000Z',
};

test.each<[Error, string]>([
  [new StateStoreError('full', 'no room', 'make some'), 'state-full'],
  [new StateStoreError('unreadable', 'x', 'y'), 'state-unreadable'],
  [new StateStoreError('read-only', 'x', 'y'), 'state-read-only'],
  [new StateStoreError('corrupt', 'x', 'y'), 'state-corrupt'],
  [new StateStoreError('newer-version', 'x', 'y'), 'state-newer-version'],
  [new StateStoreError('unreachable', 'x', 'y'), 'state-unreachable'],
  [new LeaseHeldError(holder), 'state-lease-held'],
  [new LeaseLostError(), 'state-lease-lost'],
  [refusal('state-older-serial', 'old'), 'state-older-serial'],
])('%s is told as %s, which is explained', (error, code) => {
  expect(stateDiagnostics(error)).toMatchObject([{ severity: 'error', code }]);
  expect(explainedCodes('StateCode')).toContain(code);
});

test('a held lease says who, since when, and how to break it', () => {
  const [diagnostic] = stateDiagnostics(new LeaseHeldError(holder)) ?? [];
  expect(diagnostic?.summary).toContain('me@here pid 1 (apply) since 2026-01-01T00:00:00.000Z');
  expect(diagnostic?.hint).toContain('sync state unlock l-1');
});

test('a bug is none of its own', () => {
  expect(stateDiagnostics(new TypeError('x is not a function'))).toBeUndefined();
});
