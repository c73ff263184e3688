import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repeated, type AttemptEnd } from '@platform-sync/core/model/attempts';

type Kind = AttemptEnd<number>['kind'];

/** What the loop does when attempts end like this; more than are given are final. */
async function run(ends: readonly Kind[], most: number, budget = Infinity) {
  const seen: (readonly [nth: number, faults: number])[] = [];
  const waits: number[] = [];
  const rules = {
    most,
    mayWait: (ms: number) => ms <= budget,
    wait: async (ms: number) => void waits.push(ms),
  };
  const given = await repeated<number>(rules, async (nth, faults) => {
    seen.push([nth, faults]);
    return { kind: ends[nth - 1] ?? 'final', give: () => nth, ms: 10 * (faults + 1), why: 'a fault' };
  });
  return { given, seen, waits };
}

describe('what is sent again', () => {
  it.each<[string, readonly Kind[], number, number, number, readonly number[]]>([
    ['nothing, after an answer', ['final'], 5, Infinity, 1, []],
    ['after a fault, when the wait is over', ['again', 'final'], 5, Infinity, 2, [10]],
    ['until there were as many faults as there may be', ['again', 'again', 'again', 'again'], 3, Infinity, 3, [10, 20]],
    ['after being held back, which is no fault', ['held', 'held', 'again', 'held', 'final'], 2, Infinity, 5, [10]],
    ['not, where the wait would be too long', ['again', 'again', 'again'], 5, 15, 2, [10]],
    ['not, where nothing may be repeated', ['again'], 1, Infinity, 1, []],
  ])('%s', async (_what, ends, most, budget, given, waits) => {
    expect(await run(ends, most, budget)).toMatchObject({ given, waits });
  });

  it('waits once before each attempt after a fault, and tells each attempt its number and the faults before it', async () => {
    const kinds = fc.array(fc.constantFrom<Kind>('final', 'held', 'again'), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(kinds, fc.integer({ min: 1, max: 6 }), async (ends, most) => {
        const { given, seen, waits } = await run(ends, most);
        const faultsBefore = (nth: number): number => ends.slice(0, nth - 1).filter((kind) => kind === 'again').length;
        expect(given).toBe(seen.length);
        expect(seen).toEqual(seen.map((_, at) => [at + 1, faultsBefore(at + 1)]));
        expect(waits).toHaveLength(faultsBefore(seen.length));
        expect(waits.length).toBeLessThan(most);
      }),
    );
  });

  it('throws what the last attempt gives', async () => {
    const rules = { most: 2, mayWait: () => true, wait: async () => undefined };
    const attempt = async (nth: number): Promise<AttemptEnd<never>> => ({
      ...{ kind: 'again', ms: 0, why: '' },
      give: () => {
        throw new Error(`fault ${nth}`);
      },
    });
    await expect(repeated(rules, attempt)).rejects.toThrow('fault 2');
  });
});
