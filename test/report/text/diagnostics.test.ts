import { describe, expect, it } from 'vitest';
import type { Diagnostic, Place } from '@platform-sync/core/model/diagnostic';
import { sortDiagnostics } from '@platform-sync/report/words/diagnostics';
import { diagnosticsText } from '@platform-sync/report/text/diagnostics';
import { plainStyle } from '@platform-sync/report/text/style';

const at = (file: string, line: number, column: number, text?: string, endColumn?: number): Place => ({
  file,
  line,
  column,
  ...(text === undefined ? {} : { text }),
  ...(endColumn === undefined ? {} : { endLine: line, endColumn }),
});
const error = (parts: Partial<Diagnostic>): Diagnostic => ({ severity: 'error', code: 'c', summary: 's', ...parts });
const render = (...found: Diagnostic[]): string => diagnosticsText(found, plainStyle);

describe('diagnosticsText', () => {
  it('shows place, code, sentence, line, caret, hint and related places', () => {
    const found = error({
      code: 'unknown-property',
      summary: 'platform:Api has no property "nmae".',
      hint: 'did you mean "name"?',
      detail: 'First line.\nSecond line.',
      place: at('catalogue/a.yaml', 12, 7, '      nmae: Petstore', 11),
      related: [{ place: { file: 'catalogue/b.yaml', line: 3, column: 1 }, message: 'declared here' }],
    });
    expect(render(found)).toBe(`catalogue/a.yaml:12:7  unknown-property  platform:Api has no property "nmae".
   12 |       nmae: Petstore
      |       ^^^^
  First line.
  Second line.
  hint: did you mean "name"?
  see catalogue/b.yaml:3:1  declared here

1 error
`);
  });

  it('sorts by place, puts what has none last, drops repeats, and counts', () => {
    const list = [
      error({ address: 'z' }),
      error({ place: at('b.yaml', 1, 1) }),
      error({ place: at('a.yaml', 10, 1), severity: 'warning' }),
      error({ place: at('a.yaml', 9, 1) }),
      error({ place: at('a.yaml', 9, 1) }),
      error({ address: 'a', field: 'f', severity: 'info' }),
    ];
    const text = render(...list);
    expect(text.match(/^\S+(?= {2}c {2})/gm)).toEqual(['a.yaml:9:1', 'a.yaml:10:1', 'b.yaml:1:1', 'a.f', 'z']);
    expect(text.endsWith('\n3 errors, 1 warning, 1 note\n')).toBe(true);
    expect(sortDiagnostics(list)).toHaveLength(5);
  });

  it.each([
    ['a tab before the column', '\tkey: 1', 2, 5, '    1 | \\tkey: 1\n      |   ^^^'],
    ['a control character', 'a\u001b: 1', 4, 5, '    1 | a\\u001b: 1\n      |         ^'],
    ['no end', 'abc', 2, undefined, '    1 | abc\n      |  ^'],
    ['a column past the end', 'abc', 4, 4, '    1 | abc\n      |    ^'],
  ])('puts the caret right: %s', (_name, text, column, end, expected) => {
    expect(render(error({ place: at('f', 1, column, text, end) }))).toContain(`${expected}\n`);
  });

  it('shows the part of a very long line that matters', () => {
    const line = `${'x'.repeat(5000)}HERE${'y'.repeat(5000)}`;
    const [, shown = '', caret = ''] = render(error({ place: at('f', 1, 5001, line, 5005) })).split('\n');
    expect(shown.length).toBeLessThan(140);
    expect(shown.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1)).toBe('HERE');
  });

  it.each<[Partial<Diagnostic>, string]>([
    [{}, 'error  c  s'],
    [{ severity: 'warning' }, 'warning  c  s'],
    [{ severity: 'info' }, 'note  c  s'],
    [{ severity: 'warning', address: 'a' }, 'a  c  warning: s'],
    [{ severity: 'warning', address: 'warning' }, 'warning  c  warning: s'],
    [{ severity: 'info', address: 'a', field: 'f' }, 'a.f  c  note: s'],
    [{ severity: 'warning', place: at('f', 1, 2) }, 'f:1:2  c  warning: s'],
    [{ address: 'a' }, 'a  c  s'],
  ])('says once how grave %j is', (parts, line) => {
    expect(render(error(parts)).split('\n')[0]).toBe(line);
  });

  it('lets no text draw on the terminal', () => {
    const hostile = '\u001b[31m\r\nerror';
    const text = render(error({ summary: hostile, hint: hostile, detail: hostile, address: hostile, field: hostile }));
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});
