import { describe, expect, it } from 'vitest';
import { changesIn } from '@platform-sync/engine/drift/changes';
import { withHistory, type Check } from '@platform-sync/engine/drift/history';
import type { SeenFinding } from '@platform-sync/core/model/drift';
import { driftResult, finding } from '../../report/drift-builder.js';

/** What checks tell of one finding that is there (letters: its value) or not (`-`), hour by hour. */
function heard(hours: string, rule = { times: 3, hours: 24 }): readonly string[] {
  let known: readonly SeenFinding[] = [];
  return [...hours].flatMap((sign, hour) => {
    const at = new Date(Date.UTC(2030, 0, 1, hour)).toISOString();
    const isThere = sign !== '-';
    const found = isThere ? [finding({ new: sign, trend: 'new', firstSeen: at, lastSeen: at })] : [];
    const check: Check = {
      ...{
        at,
        status: isThere ? ('drift' as const) : ('clean' as const),
        findings: found,
        ignored: [],
        notCompared: [],
      },
      ...{ unread: new Set<string>(), watched: { types: new Set<string>(), silent: new Set<string>() } },
    };
    const { note, ...laid } = withHistory(check, { findings: known, number: hour }, rule);
    known = remembered(known, note, at);
    return changesIn({ ...driftResult({ checkedAt: at, before: 'clean' }), ...laid }).map(({ kind, ...change }) => {
      const flaps =
        'finding' in change && 'flaps' in change.finding ? ` (came ${String(change.finding.flaps)} times)` : '';
      return `${String(hour)} ${kind}${flaps}`;
    });
  });
}

/** As the store keeps it. */
function remembered(
  known: readonly SeenFinding[],
  { seen, resolved, quiet = [] }: ReturnType<typeof withHistory>['note'],
  at: string,
): readonly SeenFinding[] {
  const kept = known.map(({ came = 1, ...one }): SeenFinding => {
    const isQuiet = quiet.includes(one.id);
    return {
      ...one,
      ...(came === 1 || isQuiet ? {} : { came }),
      ...(resolved.includes(one.id) && one.resolvedAt === undefined ? { resolvedAt: at } : {}),
    };
  });
  const open = seen.map((one): SeenFinding => {
    const before = kept.find(({ id }) => id === one.id);
    const firstSeen = before === undefined || before.resolvedAt !== undefined ? at : before.firstSeen;
    return { ...one, firstSeen, lastSeen: at };
  });
  return [...kept.filter(({ id }) => !open.some((one) => one.id === id)), ...open];
}

describe('a finding that comes and goes', () => {
  it.each([
    ['is told each time as long as it may be chance', 'a-a-', ['0 new', '1 resolved', '2 new', '3 resolved']],
    [
      'is told once with its count the third time, and then no more',
      'a-a-a-a-a--a-a',
      ['0 new', '1 resolved', '2 new', '3 resolved', '4 new (came 3 times)'],
    ],
    [
      'is told to be gone when it has stayed away for a day',
      `a-a-a-a${'-'.repeat(26)}`,
      ['0 new', '1 resolved', '2 new', '3 resolved', '4 new (came 3 times)', '31 resolved'],
    ],
    [
      'is a finding like any other when it has stayed for a day',
      `a-a-${'a'.repeat(25)}-a`,
      ['0 new', '1 resolved', '2 new', '3 resolved', '4 new (came 3 times)', '29 resolved', '30 new'],
    ],
    [
      'that comes back with another value is told',
      'a-a-a-a-b-b',
      ['0 new', '1 resolved', '2 new', '3 resolved', '4 new (came 3 times)', '8 worse (came 5 times)'],
    ],
    [
      'and comes back after a day is new',
      `a${'-'.repeat(25)}a${'-'.repeat(25)}a`,
      ['0 new', '1 resolved', '26 new', '27 resolved', '52 new'],
    ],
    ['and stays is told once', 'aaaa', ['0 new']],
  ])('%s', (_what, hours, told) => expect(heard(hours)).toEqual(told));

  it('does so by the rule of the settings', () => {
    expect(heard('a-a-a---a', { times: 2, hours: 2 })).toEqual([
      '0 new',
      '1 resolved',
      '2 new (came 2 times)',
      '7 resolved',
      '8 new',
    ]);
  });
});
