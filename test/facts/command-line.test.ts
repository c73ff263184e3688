import { describe, expect, it } from 'vitest';
import { commandLineKinds, kindsWithoutType } from '../../scripts/facts/command-line.js';
import { platformPackage } from '@platform-sync/platform/package';
import { keptDescriptions } from '@platform-sync/sandbox/described/description';

const known = new Set([...platformPackage.types.values()].map(({ name }) => name));

describe('what the vendor’s command line manages', () => {
  it.each(Object.entries(commandLineKinds))('%s has types here: %j', (_, types) => {
    expect(types.length).toBeGreaterThan(0);
    expect(types.filter((name) => !known.has(name))).toEqual([]);
  });

  it('is all in the table, or there is a reason', () => {
    const kinds = [...Object.keys(commandLineKinds), ...Object.keys(kindsWithoutType)];
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(kinds).toHaveLength(66);
    expect(Object.keys(kindsWithoutType)).toEqual([...['_deck', 'organization_user', 'organization_user_role']]);
  });

  // With calls of its own it would be a type: rules would make it, and the reason in the table would be wrong.
  it('roles are assigned to teams and to system accounts by calls that are described, and to users by none', () => {
    const paths = keptDescriptions().flatMap(({ paths: all }) => all.map(([path]) => path));
    expect(paths.filter((path) => path.endsWith('/assigned-roles')).sort()).toEqual([
      '/v3/system-accounts/{accountId}/assigned-roles',
      '/v3/teams/{teamId}/assigned-roles',
    ]);
    expect(paths.filter((path) => /\/users(?:\/|$)/.test(path)).sort()).toEqual([
      '/v3/teams/{teamId}/users',
      '/v3/teams/{teamId}/users/{userId}',
    ]);
  });
});
