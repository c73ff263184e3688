import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { normalForm, sameValue } from '@platform-sync/core/value/equality';

const rule = { equality: 'policy' } as const;
const one = (role: string, ...members: readonly string[]): JsonObject => ({ role, members });
const policy = (...bindings: readonly Json[]): JsonObject => ({ bindings });
const when = { title: 't', expression: 'e' };

const table: readonly [string, Json | undefined, Json | undefined, boolean][] = [
  ['members in another order', policy(one('r', 'user:a', 'user:b')), policy(one('r', 'user:b', 'user:a')), true],
  [
    'bindings in another order',
    policy(one('r', 'a:b'), one('s', 'a:b')),
    policy(one('s', 'a:b'), one('r', 'a:b')),
    true,
  ],
  ['a role in two bindings', policy(one('r', 'a:b'), one('r', 'a:c')), policy(one('r', 'a:b', 'a:c')), true],
  ['a member twice', policy(one('r', 'a:b', 'a:b')), policy(one('r', 'a:b')), true],
  ['a name in capitals', policy(one('r', 'user:Ann@X.com')), policy(one('r', 'user:ann@x.com')), true],
  ['a pool in capitals', policy(one('r', 'principalSet://A')), policy(one('r', 'principalSet://a')), false],
  ['a kind in capitals', policy(one('r', 'allUsers')), policy(one('r', 'allusers')), false],
  ['a pool of one in capitals', policy(one('r', 'principal://A')), policy(one('r', 'principal://a')), false],
  ['a name that speaks of pools', policy(one('r', 'user:principal:A')), policy(one('r', 'user:principal:a')), true],
  ['a word for everybody that ends in a capital', policy(one('r', 'allUserS')), policy(one('r', 'allUsers')), false],
  ['a name of no kind', policy(one('r', ':A')), policy(one('r', ':a')), false],
  ['names that are one in capitals only', policy(one('r', 'user:straße')), policy(one('r', 'user:strasse')), false],
  ['a member that is no text', policy({ role: 'r', members: [1] }), policy({ role: 'r', members: [2] }), false],
  ['one member without a list', policy({ role: 'r', members: 'a:b' }), policy(one('r', 'a:b')), true],
  ['a binding without members', policy({ role: 'r' }), undefined, true],
  ['a number', 1, 2, false],
  ['JSON text', JSON.stringify(policy(one('r', 'a:b'))), policy(one('r', 'a:b')), true],
  ['an empty binding', policy(one('r', 'a:b'), one('s')), policy(one('r', 'a:b')), true],
  ['nobody at all', policy(), undefined, true],
  ['an empty text', '{}', policy(one('r')), true],
  ['another member', policy(one('r', 'a:b')), policy(one('r', 'a:c')), false],
  ['another role', policy(one('r', 'a:b')), policy(one('s', 'a:b')), false],
  ['a condition', policy({ ...one('r', 'a:b'), condition: when }), policy(one('r', 'a:b')), false],
  ['an empty condition', policy({ ...one('r', 'a:b'), condition: { description: '' } }), policy(one('r', 'a:b')), true],
  [
    'two conditions, one role',
    policy({ ...one('r', 'a:b'), condition: when }, one('r', 'a:b')),
    policy(one('r', 'a:b'), { ...one('r', 'a:b'), condition: when }),
    true,
  ],
  [
    'audit rules in another order and grouping',
    {
      auditConfigs: [
        { service: 's', auditLogConfigs: [{ logType: 'A', exemptedMembers: ['u:b', 'u:a'] }, { logType: 'B' }] },
      ],
    },
    {
      auditConfigs: [
        { service: 's', auditLogConfigs: [{ logType: 'B' }] },
        { service: 's', auditLogConfigs: [{ logType: 'A', exemptedMembers: ['u:a', 'u:b'] }] },
      ],
    },
    true,
  ],
  [
    'a kind of log more',
    { auditConfigs: [{ service: 's', auditLogConfigs: [{ logType: 'A' }, { logType: 'B' }] }] },
    { auditConfigs: [{ service: 's', auditLogConfigs: [{ logType: 'A' }] }] },
    false,
  ],
  ['what is no policy', { bindings: 'x' }, { bindings: 'y' }, false],
  ['text that is no JSON', 'x', 'y', false],
];

describe('policies', () => {
  it.each(table)('%s', (_name, a, b, same) => {
    expect(sameValue(rule, a, b)).toBe(same);
    expect(sameValue(rule, b, a)).toBe(same);
  });

  const name = fc.constantFrom('user:a', 'user:B', 'group:c', 'allUsers');
  const binding = fc.record({ role: fc.constantFrom('r', 's'), members: fc.array(name, { maxLength: 4 }) });

  it('let in whom they let in: nobody is lost or added by the form, and it is its own form', () => {
    fc.assert(
      fc.property(fc.array(binding, { maxLength: 5 }), (bindings) => {
        const pairs = (
          list: readonly { readonly role: string; readonly members: readonly string[] }[],
        ): readonly string[] =>
          [...new Set(list.flatMap(({ role, members }) => members.map((m) => `${role} ${m.toLowerCase()}`)))].sort();
        const form = (normalForm(rule, { bindings }) ?? {}) as { bindings?: typeof bindings };
        expect(pairs(form.bindings ?? [])).toEqual(pairs(bindings));
        expect(normalForm(rule, form)).toEqual(form.bindings === undefined ? undefined : form);
      }),
    );
  });
});
