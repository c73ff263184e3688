import { describe, expect, it } from 'vitest';
import { ProviderError, type ProviderErrorKind } from '@platform-sync/core/model/provider';
import type { Forcible } from '@platform-sync/core/model/resource-type';
import { forceGuard, isForcible, withForceHint, withForced } from '@platform-sync/engine/plan/guards/force';
import { checkGuards } from '@platform-sync/engine/plan/guards/guard';
import type { Step } from '@platform-sync/engine/plan/step';
import { seals } from './made-up-plan.js';
import { byAddress, desiredResource, step, state } from './worlds.js';

/** What a platform refuses for the sake of what hangs on an object, and does where it is told to. */

const of = (action: Step['action'], forcible?: readonly Forcible[], more: Partial<Step> = {}): Step => {
  const made = step('a', action);
  return { ...made, type: { ...made.type, ...(forcible && { forcible }) }, ...more };
};
const actions = ['create', 'update', 'adopt', 'delete', 'replace', 'forget', 'move', 'none'] as const;

describe('what can be forced', () => {
  it.each<[string, readonly Forcible[] | undefined, readonly Step['action'][]]>([
    ['nothing, where the type knows nothing of it', undefined, []],
    ['deletes', ['delete'], ['delete', 'replace']],
    ['changes', ['update'], ['update', 'adopt']],
    ['both', ['delete', 'update'], ['update', 'adopt', 'delete', 'replace']],
  ])('%s', (_what, forcible, expected) => {
    expect(actions.filter((action) => isForcible(of(action, forcible).type, action))).toEqual(expected);
  });

  it('is forced where the guard of its address is lifted, and nowhere else', () => {
    const lift = (...guards: readonly string[]) => guards.map((guard) => ({ guard, reason: 'test' }));
    const steps = byAddress([of('delete', ['delete']), step('b', 'delete')]);
    const forced = (...guards: readonly string[]): readonly unknown[] =>
      [...withForced(steps, lift(...guards)).values()].map(({ force }) => force);
    expect(forced(forceGuard('a'), forceGuard('b'))).toEqual([true, undefined]);
    expect(forced('delete:a')).toEqual([undefined, undefined]);
    expect(withForced(steps, lift(forceGuard('b')))).toBe(steps);
  });

  it.each<[Step['action'], string]>([
    ['update', 'a would be changed although the platform refuses because of use'],
    ['adopt', 'a would be changed although the platform refuses because of use'],
    ['delete', 'a would be deleted with everything in the ApiProduct, unmanaged objects included'],
    ['replace', 'a would be deleted with everything in the ApiProduct, unmanaged objects included'],
  ])('a forced %s stands in the plan', (action, summary) => {
    const findings = checkGuards({
      ...{
        mode: 'apply',
        desired: { resources: new Map([['a', desiredResource('a')]]) },
        targets: {},
        today: '2026-06-01',
        state: state([]),
      },
      along: [],
      types: new Map(),
      seals,
      allow: [{ guard: 'force:a', reason: 'agreed' }],
      snapshot: { readings: new Map(), found: new Map(), listed: [], unmanaged: [], unread: [], uncertain: new Map() },
      settings: { maxDeletes: 10, maxDeletePercent: 1000, allow: [] },
      steps: [of(action, ['delete', 'update'], { force: true })],
    });
    expect(findings.filter(({ name }) => name === 'force:a')).toEqual([
      { name: 'force:a', summary, addresses: ['a'], lifted: 'agreed' },
    ]);
  });
});

describe('a refusal', () => {
  const error = (kind: ProviderErrorKind): ProviderError =>
    new ProviderError(
      kind,
      ['first', 'second'].map((summary) => ({ severity: 'error', code: 'refused', summary })),
      { status: 409 },
    );
  const hints = (given: Step, kind: ProviderErrorKind = 'conflict'): readonly unknown[] =>
    withForceHint(given, error(kind)).diagnostics.map(({ summary, hint }) => [summary, hint]);
  const plain = [
    ['first', undefined],
    ['second', undefined],
  ];

  it('tells the way on, once, and stays what it is', () => {
    const deleting = 'To delete it with everything in it, unmanaged objects included: --allow force:a --reason TEXT';
    const changing = 'To change it anyway, and remove what the platform names: --allow force:a --reason TEXT';
    for (const action of ['delete', 'replace'] as const)
      expect(hints(of(action, ['delete']))).toEqual([['first', deleting], plain[1]]);
    for (const action of ['update', 'adopt'] as const)
      expect(hints(of(action, ['update']))).toEqual([['first', changing], plain[1]]);
    const [given, told] = [error('conflict'), of('delete', ['delete'])];
    const hinted = withForceHint(told, given);
    expect([hinted.kind, hinted.status, hinted.cause]).toEqual(['conflict', 409, given]);
  });

  it.each<[string, Step, ProviderErrorKind]>([
    ['of another kind', of('delete', ['delete']), 'forbidden'],
    ['of what is forced already', of('delete', ['delete'], { force: true }), 'conflict'],
    ['of what cannot be forced', of('delete', ['update']), 'conflict'],
    ['of what cannot be forced at all', of('update'), 'conflict'],
  ])('%s is told as it is', (_what, given, kind) => {
    const it = error(kind);
    expect(withForceHint(given, it)).toBe(it);
    expect(hints(given, kind)).toEqual(plain);
  });
});
