import { describe, expect, it } from 'vitest';
import { commandLineKinds, kindsWithoutType } from '../../scripts/facts/command-line.js';
import { platformPackage } from '@platform-sync/platform/package';

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
    expect(Object.keys(kindsWithoutType)).toEqual(['_deck', 'organization_user']);
  });
});
