import { describe, expect, it } from 'vitest';
import { jsonText } from '@platform-sync/report/words/json-text';
import { visible, visibleLine } from '@platform-sync/report/words/escape';

describe('visible', () => {
  it.each([
    ['plain text with ümläuts and 日本語', 'plain text with ümläuts and 日本語'],
    ['emoji 🎉', 'emoji 🎉'],
    ['a\nb\tc\r', 'a\\nb\\tc\\r'],
    ['\u001b[31mred', '\\u001b[31mred'],
    ['\u0000\u007f\u009b', '\\u0000\\u007f\\u009b'],
    ['abc\u202edcba', 'abc\\u202edcba'],
    ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
    ['\u2066isolate\u2069', '\\u2066isolate\\u2069'],
    ['line\u2028separator', 'line\\u2028separator'],
    ['heart \u2764\ufe0f, and 1\ufe0f', 'heart \u2764\ufe0f, and 1\\ufe0f'],
    ['tag \u{e0041}', 'tag \\u{e0041}'],
    ['lone \ud800 half', 'lone \\ud800 half'],
    ['::stop-commands::x', '\\u003a:stop-commands::x'],
    ['  ::error::x', '  \\u003a:error::x'],
    ['a ##[error]x', 'a \\u0023#[error]x'],
    ["##teamcity[message text='x']", "\\u0023#teamcity[message text='x']"],
    ['##VSO[task.setvariable]x', '\\u0023#VSO[task.setvariable]x'],
    ['C++ a::b ## heading', 'C++ a::b ## heading'],
  ])('%j', (text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  it.each(
    [
      0x3164, 0x115f, 0xffa0, 0x2800, 0x34f, 0x17b4, 0x180b, 0x180d, 0x1d173, 0x1d17a, 0xe0100, 0xe01ef, 0xfe00, 0xad,
    ].map((code) => [code.toString(16), String.fromCodePoint(code)] as const),
  )('U+%s, which nobody sees, is spelled out in texts and in JSON', (code, char) => {
    expect(visible(`a${char}b`)).toContain(code);
    expect(jsonText({ name: `a${char}b` })).not.toContain(char);
    expect(JSON.parse(jsonText({ name: `a${char}b` }))).toEqual({ name: `a${char}b` });
  });

  it('leaves nothing in JSON that a CI system obeys, and the value as it was', () => {
    const value = { note: ['##[error]x', '##vso[task.setvariable]y', '\n::error::z'] };
    expect(jsonText(value)).not.toMatch(/##[a-z]*\[|^\s*::/im);
    expect(JSON.parse(jsonText(value))).toEqual(value);
  });

  it('keeps tabs inside the lines of a longer text', () => {
    expect(visibleLine('+\tx\u0007')).toBe('+\tx\\u0007');
    expect(visibleLine(' \t::error::x')).toBe(' \t\\u003a:error::x');
  });
});
