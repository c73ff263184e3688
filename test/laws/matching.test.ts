import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchingOf } from '../engine/plan/worlds.js';
import { lawRuns } from './runs.js';

describe('any catalogue over any state', () => {
  const key: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'a/x', 'a/y', 'b/x', 'c/y');
  const aliases = fc.uniqueArray(fc.oneof(key, fc.constantFrom('x', 'y')), { maxLength: 3 });

  it('gives no record twice, none of an address that is kept, and loses none', () => {
    fc.assert(
      fc.property(fc.dictionary(key, aliases), fc.uniqueArray(key), (catalogue, records) => {
        const matching = matchingOf(catalogue, records);
        matching.matchSaid(() => undefined);
        const given = Object.keys(catalogue).flatMap((address) => {
          const found = matching.of(address);
          if (found?.from !== undefined) expect(catalogue[found.from]).toBeUndefined();
          if (records.includes(address)) expect(found?.record.address).toBe(address);
          return found === undefined ? [] : [found.record.address];
        });
        expect([...given, ...matching.leftOver().map(({ address }) => address)].sort()).toEqual([...records].sort());
      }),
      { numRuns: lawRuns(300) },
    );
  });
});
