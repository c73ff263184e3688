import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearPattern, unfitPattern } from '@platform-sync/core/model/linear-pattern';
import { lawRuns } from './runs.js';

const long = 100_000;

describe('a pattern that somebody else wrote', () => {
  it('means what it means to the language', () => {
    const part = fc.constantFrom(
      ...[
        'a',
        'b',
        '1',
        '_',
        'é',
        '😀',
        '-',
        '/',
        String.raw`\/`,
        String.raw`\.`,
        String.raw`\-`.slice(1),
        '.',
        '^',
        '$',
      ],
      ...[
        String.raw`\d`,
        String.raw`\D`,
        String.raw`\w`,
        String.raw`\W`,
        String.raw`\s`,
        String.raw`\S`,
        String.raw`\b`,
      ],
      ...[
        String.raw`\B`,
        String.raw`\n`,
        String.raw`\cA`,
        String.raw`\x41`,
        String.raw`\u00e9`,
        String.raw`\ud83d\ude00`,
      ],
      ...[String.raw`\u{1F600}`, String.raw`\p{L}`, String.raw`\P{Lu}`, String.raw`\p{Script=Greek}`, String.raw`\0`],
      ...[
        '[ab]',
        '[^ab]',
        '[a-z-]',
        String.raw`[\s.]`,
        String.raw`[^\S]`,
        String.raw`[\S\n]`,
        String.raw`[\b]`,
        '[[:alpha:]',
        '[^[^]',
      ],
      ...[
        '[]',
        '[^]',
        String.raw`[\]\\^]`,
        '(a|b1)',
        '(?:a|)',
        '(?<name>a)',
        '|',
        '*',
        '+',
        '?',
        '*?',
        '{2}',
        '{1,3}',
        '{2,}',
      ],
    );
    const text = fc.string({
      unit: fc.constantFrom(
        ...['a', 'b', '1', '_', 'é', '😀', 'α', '-', '/', '.', ':', '^', ']', '['],
        ...['\n', '\r', '\u2028', '\u00a0', '\ufeff', ' ', '\b', '\u0001', '\0', 'A'],
      ),
      maxLength: 6,
    });
    let tried = 0;
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 5 }),
        fc.array(text, { minLength: 8, maxLength: 8 }),
        (given, texts) => {
          const source = given.join('');
          let native: RegExp;
          try {
            native = new RegExp(source, 'u');
          } catch {
            expect(unfitPattern(source)?.message).toMatch(/^it is not a regular expression/);
            return;
          }
          tried += 1;
          const linear = linearPattern(source);
          for (const each of texts) {
            expect([source, each, linear.test(each)]).toEqual([source, each, native.test(each)]);
            expect([source, each, linear.find(each)]).toEqual([source, each, native.exec(each)?.[0]]);
          }
        },
      ),
      { numRuns: lawRuns(4_000) },
    );
    expect(tried).toBeGreaterThan(0);
  });

  it('is told apart by what is written', () => {
    expect(String(linearPattern(String.raw`^\s$`))).toBe(String.raw`^\s$`);
  });

  it.each([
    ['(?=a)b', 'it looks ahead or behind by (?=…)'],
    ['(?!deleted:)a', 'it looks ahead or behind by (?!…)'],
    ['(?<=a)b', 'it looks ahead or behind by (?<=…)'],
    ['(?<!a)b', 'it looks ahead or behind by (?<!…)'],
    [String.raw`(a)\1`, String.raw`it refers back to a group by \1`],
    [String.raw`(?<n>a)\k<n>`, String.raw`it refers back to a group by \k`],
    ['a{1001}', 'its repeats are too many'],
    ['(a{100}){100}', 'its repeats are too many'],
    ['(a{1,900}|b){1,900}', 'its repeats are too many'],
    ['a{1,900}'.repeat(100), 'its repeats are too many'],
    ['('.repeat(4_000) + 'a' + ')'.repeat(4_000), 'its repeats are too many'],
    [String.raw`\p{Lowercase_Letter}`, String.raw`it asks for \p{Lowercase_Letter}`],
    ['a'.repeat(10_001), 'it is too long'],
    ['(', 'it is not a regular expression (Unterminated group)'],
    ['(?i)a', 'it is not a regular expression (Invalid group)'],
    [String.raw`\Qa\E`, 'it is not a regular expression (Invalid escape)'],
  ])('%.40s is refused by name', (source, why) => {
    const unfit = unfitPattern(source);
    expect(unfit?.message).toBe(why);
    expect(unfit?.hint).toMatch(/^[A-Z].*\.$/);
  });

  // To the language's own engine, each of these is work for longer than anybody lives.
  it.each([
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(long)],
    ['^(a+)+$', `${'a'.repeat(long)}b`],
    ['^(a|a)*$', `${'a'.repeat(long)}b`],
    ['^(a?){50}a{50}$', `${'a'.repeat(long)}`],
    [String.raw`^(.*?,){11}P`, ','.repeat(long)],
    [String.raw`^(\w+\s?)*$`, `${'word '.repeat(long / 5)}!`],
    [String.raw`^([^@]+)*@$`, 'a'.repeat(long)],
  ])('%s ends', (source, text) => {
    expect(linearPattern(source).test(text)).toBe(false);
    expect(linearPattern(source).find(text)).toBeUndefined();
  });
});
