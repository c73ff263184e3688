import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostLevels, mustNotBeDeeper, readJson, TooDeepError } from '@platform-sync/core/model/read-json';

const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const maps = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('JSON from outside', () => {
  it.each([lists, maps])('is read up to the limit, and refused beyond it at any depth', (nested) => {
    expect(readJson(nested(mostLevels.foreign))).toBeDefined();
    for (const levels of [mostLevels.foreign + 1, 5_000, 200_000])
      expect(() => readJson(nested(levels))).toThrow(TooDeepError);
    expect(() => readJson(nested(mostLevels.own + 1), mostLevels.own)).toThrow('more than 300 levels');
  });

  it('brackets in texts and keys are no levels', () => {
    const text = JSON.stringify({ [lists(1000)]: `${'['.repeat(1000)}"\\"{{` });
    expect(readJson(text)).toEqual(JSON.parse(text));
  });

  it('is what the language reads, whatever it is', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(6), (text, most) => {
        const value: unknown = JSON.parse(text);
        const depth = depthOf(value);
        if (depth <= most) expect(readJson(text, most)).toEqual(value);
        else expect(() => readJson(text, most)).toThrow(TooDeepError);
        if (depth <= most) mustNotBeDeeper(value, most);
        else expect(() => mustNotBeDeeper(value, most)).toThrow(TooDeepError);
      }),
      { numRuns: 300 },
    );
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
