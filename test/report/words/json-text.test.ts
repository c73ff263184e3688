import { expect, test } from 'vitest';
import { jsonText } from '@platform-sync/report/words/json-text';

test('is the same value, without characters that a terminal or a reader would be fooled by', () => {
  const value = {
    'na\u202eme': ['a\u009b31mred', '\u001b[0m', 'zero\u200bwidth', '\u{e0041}', 'ordinary: äé日本🎉', '\u2028'],
    nested: { n: 1, yes: true, nothing: null },
  };
  const text = jsonText(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text).not.toMatch(
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e]|[\u{e0000}-\u{e007f}]/u,
  );
  expect(text).toContain('ordinary: äé日本🎉');
  expect(text).toContain('"na\\u202eme"');
  expect(text).toContain('\\udb40\\udc41');
  expect(text.endsWith('}\n')).toBe(true);
});
