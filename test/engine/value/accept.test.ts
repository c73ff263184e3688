import { describe, expect, it } from 'vitest';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import type { JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import { acceptedValue } from '@platform-sync/core/value/accept';

const rule = ((): FieldRule => {
  const found = platformPackage.types.get('platform:index/gatewayUpstream:GatewayUpstream')?.fields['healthchecks'];
  if (found?.equality !== 'record') throw new Error('no record');
  return found;
})();

/** What the platform adds of its own to a health check. */
const added = { concurrency: 10, timeout: 1, healthy: { interval: 0, successes: 0, httpStatuses: [200, 302] } };
const seen: JsonObject = { active: { httpPath: '/up', ...added }, passive: { type: 'http' } };
const declared: JsonObject = { active: { httpPath: '/up' } };
const accepted = (actual: JsonObject, said = declared, before = seen): unknown =>
  acceptedValue(rule, { declared: said, recorded: said, seen: before, actual, ignored: [] });

describe('of a record that was changed outside a file gets', () => {
  it('what it says and has moved, and nothing that the platform chose', () => {
    expect(accepted({ ...seen, active: { httpPath: '/clicked', ...added } })).toEqual({
      active: { httpPath: '/clicked' },
    });
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      'beside what it says',
      { ...seen, active: { httpPath: '/up', ...added, timeout: 9 } },
      { active: { httpPath: '/up', timeout: 9 } },
    ],
    [
      'deeper than what it says',
      { ...seen, active: { httpPath: '/up', ...added, healthy: { ...added.healthy, interval: 5 } } },
      { active: { httpPath: '/up', healthy: { interval: 5 } } },
    ],
    [
      'a list, as a whole',
      { ...seen, active: { httpPath: '/up', ...added, healthy: { ...added.healthy, httpStatuses: [200] } } },
      { active: { httpPath: '/up', healthy: { httpStatuses: [200] } } },
    ],
    [
      'in another member',
      { ...seen, passive: { type: 'https' } },
      { active: { httpPath: '/up' }, passive: { type: 'https' } },
    ],
    ['that is new', { ...seen, threshold: 3 }, { active: { httpPath: '/up' }, threshold: 3 }],
  ])('what moved %s', (_, actual, expected) => {
    expect(accepted(actual)).toEqual(expected);
  });

  const backends = (...names: readonly string[]): JsonObject => ({
    backends: names.map((name) => ({ name, weight: 100 })),
  });
  const two: JsonObject = { backends: [{ name: 'a' }, { name: 'b' }] };
  it.each<[string, JsonObject, JsonObject]>([
    ['in an item of a list', backends('a', 'c'), { backends: [{ name: 'a' }, { name: 'c' }] }],
    ['a list that has grown', backends('a', 'b', 'c'), backends('a', 'b', 'c')],
    ['a list that has shrunk', backends('a'), backends('a')],
  ])('what moved: %s', (_, actual, expected) => {
    expect(accepted(actual, two, backends('a', 'b'))).toEqual(expected);
  });

  it('all of it, where nothing is known of what was there', () => {
    expect(acceptedValue(rule, { declared, recorded: declared, seen: undefined, actual: seen, ignored: [] })).toEqual(
      seen,
    );
  });
});

describe('what no answer shows of a record', () => {
  const hiding: FieldRule = { ...rule, hiddenMembers: ['auth.password'] };
  it('stays as the file has it', () => {
    const said = { auth: { user: 'a', password: 'not for people' }, url: 'a' };
    const shown = { auth: { user: 'a' }, url: 'a' };
    const input = { recorded: said, seen: shown, actual: { auth: { user: 'b' }, url: 'b' }, ignored: [] };
    expect(acceptedValue(hiding, { ...input, declared: said })).toEqual({
      ...{ auth: { user: 'b', password: 'not for people' }, url: 'b' },
    });
  });
});
