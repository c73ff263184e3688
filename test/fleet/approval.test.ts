import { describe, expect, it } from 'vitest';
import { consoleRoles, type RoleGrant } from '@platform-sync/core/model/console';
import { type Person, roleOf } from '../../src/fleet/console/access.js';
import { missingApproval } from '../../src/fleet/console/approval.js';

const person = (name: string, groups: readonly string[] = []): Person => ({
  ...{ id: name, name, names: [name, `${name}@acme.example`], aliases: [], groups },
});

describe('an approval', () => {
  // Authors, who approved, how many are needed, and whether that is enough.
  const table: readonly (readonly [string, string, number, boolean])[] = [
    ['ana', '', 1, false],
    ['ana', 'ana', 1, false],
    ['ana', 'ANA', 1, false],
    ['ana', 'bo', 1, true],
    ['ana', 'ana bo', 1, true],
    ['ana', 'ana bo', 2, false],
    ['ana', 'bo cy', 2, true],
    ['ana bo', 'ana bo', 1, false],
    ['ana bo', 'cy', 1, true],
    ['', 'ana', 1, false],
    ['', 'ana bo', 1, true],
    ['', 'ana bo', 3, false],
  ];
  it.each(table)('of what %j wrote, by %j, of %i: %s', (authors, by, needed, isEnough) => {
    const words = (text: string): readonly string[] => text.split(' ').filter((one) => one !== '');
    const approvals = words(by).map((who) => ({ who, names: [who], at: '' }));
    expect(missingApproval({ authors: words(authors) }, approvals, needed) === undefined).toBe(isEnough);
  });
});

it('two approvals of one person are one, whatever that person was called', () => {
  const approvals = [
    { who: 'bo', names: ['bo', 'bo@acme.example'], at: '' },
    { who: 'nightly (bo)', names: ['BO@acme.example'], at: '' },
  ];
  expect(missingApproval({ authors: ['ana'] }, approvals, 2)).toContain('1 more approval,');
  expect(missingApproval({ authors: [] }, approvals)).toContain('1 more approval,');
});

describe('a role', () => {
  const stack = { project: 'shop', stack: 'prod', labels: { tier: 'gold' } };
  const table: readonly (readonly [string, Omit<RoleGrant, 'role'>, boolean])[] = [
    ['nobody named', { people: [] }, false],
    ['by subject', { people: ['ana'] }, true],
    ['by address, whatever its case', { people: ['Ana@Acme.example'] }, true],
    ['of somebody else', { people: ['bo'] }, false],
    ['by group', { groups: ['staff'] }, true],
    ['of a group in another case', { groups: ['Staff'] }, false],
    ['of everybody', { groups: ['*'] }, true],
    ['for its stack', { groups: ['*'], stacks: ['shop/*'] }, true],
    ['for another stack', { groups: ['*'], stacks: ['pets/*'] }, false],
    ['for its label', { groups: ['*'], labels: { tier: 'gold' } }, true],
    ['for another label', { groups: ['*'], labels: { tier: 'gold', team: 'x' } }, false],
    ['for a label that objects have', { groups: ['*'], labels: { constructor: 'Object' } }, false],
  ];
  it.each(table)('%s', (_, grant, isGiven) => {
    const role = roleOf(person('ana', ['staff']), stack, [{ role: 'planner', ...grant }]);
    expect(role).toBe(isGiven ? 'planner' : undefined);
  });

  it('is the highest that any entry gives, and of a token no more than it says', () => {
    const grants: readonly RoleGrant[] = [...consoleRoles].reverse().map((role) => ({ role, groups: ['*'] }));
    expect(roleOf(person('ana'), stack, grants)).toBe('operator');
    const token = (role: RoleGrant['role'], stacks: string): Person => ({
      ...person('ci'),
      grant: { role, stacks: [stacks] },
    });
    expect(roleOf(token('viewer', 'shop/*'), stack, grants)).toBe('viewer');
    expect(roleOf(token('viewer', 'pets/*'), stack, grants)).toBeUndefined();
    expect(roleOf(token('planner', '*'), stack, [{ role: 'viewer', groups: ['*'] }])).toBe('viewer');
    expect(roleOf(token('planner', '*'), stack, [])).toBeUndefined();
  });
});
