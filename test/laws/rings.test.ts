import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rings } from '@platform-sync/core/model/graph';
import { lawRuns } from './runs.js';

describe('in any graph of what waits for what', () => {
  it('two are in one ring exactly when each waits for the other', () => {
    const some = fc.array(fc.array(fc.nat(7), { maxLength: 3 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(some, (lists) => {
        const ids = lists.map((_, at) => `n${at}`);
        const waits = Object.fromEntries(
          lists.map((needed, at) => [
            `n${at}`,
            needed.map((other) => `n${other % ids.length}`).filter((id) => id !== `n${at}`),
          ]),
        );
        const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
          (waits[from] ?? []).some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))));
        const found = rings(new Map(Object.entries(waits).map(([id, needed]) => [id, new Set(needed)])));
        for (const one of ids)
          for (const other of ids)
            if (one !== other)
              expect(found.some((ring) => ring.has(one) && ring.has(other))).toBe(
                reaches(one, other) && reaches(other, one),
              );
      }),
      { numRuns: lawRuns(500) },
    );
  });
});
