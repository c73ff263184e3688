import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { badGlob, globOf, globOfPath, isGlob, type GlobPlace } from '@platform-sync/core/model/glob';
import {
  anyNumber,
  anyOne,
  literal,
  matches,
  pathPattern,
  patternOf,
  type Step,
} from '@platform-sync/core/model/pattern';
import { lawRuns } from './runs.js';

const long = 100_000;

describe('a pattern of file names', () => {
  it.each([
    ['a.yaml', ['a.yaml', './a.yaml'.slice(2)], ['aXyaml', 'b/a.yaml', 'A.yaml']],
    ['./a.yaml', ['a.yaml'], []],
    ['*.yaml', ['a.yaml', 'é.yaml', '😀.yaml'], ['.yaml', '.a.yaml', 'b/a.yaml', 'a.yml']],
    ['?.yaml', ['a.yaml', '😀.yaml'], ['ab.yaml', '..yaml']],
    ['.github/*', ['.github/a'], ['github/a', '.github/.a']],
    ['catalogue/**/*.{yaml,yml}', ['catalogue/a.yaml', 'catalogue/b/c/a.yml'], ['a.yaml', 'catalogue/.b/a.yaml']],
    ['**', ['a', 'a/b'], ['.a', 'a/.b']],
    ['a/**', ['a/b', 'a/b/c'], ['a', 'b/a/c']],
    ['**/b/*', ['b/a', 'x/b/a', 'b/b/b'], ['b', 'x/b/a/c']],
    ['[a-c]x', ['ax', 'cx'], ['dx', '-x', 'x']],
    ['[!a-c]x', ['dx', '-x'], ['ax', '.x', 'x']],
    ['[]a-]x', [']x', 'ax', '-x'], ['bx']],
    ['{a,b/{c,d},}x', ['ax', 'b/cx', 'b/dx', 'x'], ['bx', 'cx']],
    ['{a}', ['{a}'], ['a']],
    [String.raw`\*\{a,b\}`, ['*{a,b}'], ['xa', '*a']],
    ['a(b)', ['a(b)'], ['ab']],
    ['[a', ['[a'], ['a']],
  ] as const)('%s', (pattern, fitting, others) => {
    const glob = globOf(pattern);
    expect(fitting.filter((file) => !glob.test(file))).toEqual([]);
    expect(others.filter((file) => glob.test(file))).toEqual([]);
  });

  it.each([
    ['+(a|b).yaml', 'it has a group +(…)'],
    ['@(a)', 'it has a group @(…)'],
    ['!(a).yaml', 'it has a group !(…)'],
    ['{1..3}', 'it has a range {1..3}'],
    ['[[:alpha:]]', 'it has a class [[:alpha:]]'],
    ['{a,b}'.repeat(20), 'its braces stand for more than 256 patterns'],
    [`{${'a,'.repeat(1_000)}}`, 'its braces stand for more than 256 patterns'],
    ['a'.repeat(4_097), 'it is too long'],
  ])('%s is refused by name', (pattern, why) => {
    expect(badGlob(pattern)).toMatchObject({ message: why, hint: expect.stringMatching(/^Write .*\.$/) as string });
  });

  it('of a path is matched by that path alone', () => {
    for (const path of ['a/b.yaml', '[a]/{b,c}*?.yaml', String.raw`a\b`, '+(a)', '!a'])
      expect([
        globOf(globOfPath(path)).test(path),
        isGlob(globOfPath(path).replace(/^!/, '')),
        badGlob(globOfPath(path)),
      ]).toEqual([true, false, undefined]);
  });

  it('leads a walk to what it matches, and into no folder without need', () => {
    const signs = fc.constantFrom('a', 'b', '.', '*', '**', '/', '?', '[ab]', '{a,b/a}');
    const path = fc.array(fc.constantFrom('a', 'b', 'ab', '.a'), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(signs, { minLength: 1, maxLength: 7 }), path, (pattern, names) => {
        const glob = globOf(pattern.join(''));
        let place: GlobPlace | undefined = glob.root;
        for (const name of names) place = place?.into(name);
        expect(place?.isMatch ?? false).toBe(glob.test(names.join('/')));
      }),
      { numRuns: lawRuns(1_000) },
    );
    expect(globOf('a/b/*.yaml').root.into('c')).toBeUndefined();
    expect(globOf('a/b/*.yaml').root.into('a')?.into('c')).toBeUndefined();
  });
});

describe('a pattern in steps', () => {
  const steps = (text: string): readonly Step<string>[] =>
    Array.from(text).flatMap((sign) => (sign === '*' ? [anyNumber] : sign === '?' ? [anyOne] : literal(sign)));

  it('takes what a regular expression takes that tries one way after the other', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
    fc.assert(
      fc.property(pattern, text, (given, tried) => {
        const tries = new RegExp(`^${given.replaceAll('*', '.*').replaceAll('?', '.')}$`);
        expect(matches(steps(given), tried)).toBe(tries.test(tried));
      }),
      { numRuns: lawRuns(2_000) },
    );
  });

  it('looks at each step once a character at most', () => {
    let looks = 0;
    const counted = steps('*a'.repeat(30) + 'b').map((step) => ({
      ...step,
      takes: (sign: string) => {
        looks += 1;
        return step.takes(sign);
      },
    }));
    expect(matches(counted, 'a'.repeat(1_000))).toBe(false);
    expect(looks).toBeLessThanOrEqual(counted.length * 1_000);
  });

  // With a regular expression, each of these is still at work the next day.
  it.each([
    ['stars', () => patternOf('*a'.repeat(40) + 'b').test('a'.repeat(long))],
    ['stars of paths', () => pathPattern('*a**a'.repeat(40) + 'b').test('a'.repeat(long))],
    ['file names', () => globOf(`${'*a'.repeat(60)}b.yaml`).test(`${'a'.repeat(long)}.yaml`)],
    ['folders', () => globOf(`${'**/a/'.repeat(60)}b`).test('a/'.repeat(long / 2) + 'c')],
    ['sets', () => globOf(`${'*[a-z]'.repeat(60)}!`).test('a'.repeat(long))],
  ])('ends, however many ways through it there are: %s', (_what, test) => {
    expect(test()).toBe(false);
  });
});
