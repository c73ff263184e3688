import { describe, expect, it } from 'vitest';
import { visible, visibleLine } from '../../../src/report/words/escape.js';

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

  it('keeps tabs inside the lines of a longer text', () => {
    expect(visibleLine('+\tx\u0007')).toBe('+\tx\\u0007');
    expect(visibleLine(' \t::error::x')).toBe(' \t\\u003a:error::x');
  });
});
