import { describe, expect, it } from 'vitest';
import type { Json } from '@platform-sync/core/model/value';
import { readDocument } from '@platform-sync/core/value/equality';

/** What a text in JSON or YAML spells, where two spellings are to be told to be one. */

describe('a text that spells', () => {
  it.each<[string, string, Json]>([
    ['a record in JSON', '{"a": [1, null, "x"]}', { a: [1, null, 'x'] }],
    ['after blanks and a new line', ' \n\t {"a": 1}', { a: 1 }],
    ['a list in JSON', '["a"]', ['a']],
    ['a record in YAML', 'a: 1\nb:\n  - x\n', { a: 1, b: ['x'] }],
    ['a list in YAML', '- a\n- b: 2.5\n', ['a', { b: 2.5 }]],
    ['a record with a bracket in it', 'a: "[x"\n', { a: '[x' }],
    ['with an anchor', 'a: &x {b: 1}\nc: *x\n', { a: { b: 1 }, c: { b: 1 } }],
    ['a key twice, of which the last one counts', 'a: 1\na: 2\n', { a: 2 }],
    ['fifteen digits', 'a: 123456789012345\n', { a: 123456789012345 }],
  ])('%s is that', (_name, text, expected) => {
    expect(readDocument(text)).toEqual(expected);
  });

  it.each<[string, string]>([
    ['a word', 'hello'],
    ['a number', '12'],
    ['nothing', ''],
    ['null', 'null'],
    ['no JSON', '{"a": }'],
    ['no YAML', 'a: [1\nb: 2'],
    ['a tag that nobody knows', 'a: !thing x\n'],
    ['a number that has no equal in JSON', 'a: .inf\n'],
    ['a number of more digits than are kept', '{"a": 1234567890123456}'],
    [
      'more aliases than anybody writes',
      `a: &a [x]\n${Array.from({ length: 200 }, (_, at) => `k${at}: [${'*a,'.repeat(5)}]`).join('\n')}\n`,
    ],
    ['lists without end', '['.repeat(100_000)],
    ['blocks without end', `${Array.from({ length: 2_000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')}\n`],
  ])('%s is no document', (_name, text) => {
    expect(readDocument(text)).toBeUndefined();
  });

  it('the same is read once, as long as few others come between', () => {
    const text = (at: number): string => `{"only": ${at}}`;
    const first = readDocument(text(0));
    for (const at of [1, 2, 3]) readDocument(text(at));
    expect(readDocument(text(0))).toBe(first);
    readDocument(text(4));
    expect(readDocument(text(0))).toEqual(first);
    expect(readDocument(text(0))).not.toBe(first);
    expect(readDocument(text(4))).toBe(readDocument(text(4)));
  });
});
