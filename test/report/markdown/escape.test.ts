import { describe, expect, it } from 'vitest';
import { cellCode, code, cut, fenced, htmlCode, prose } from '@platform-sync/report/markdown/escape';

describe('code', () => {
  it.each([
    ['petstore/guide', '`petstore/guide`'],
    ['a`b', '``a`b``'],
    ['``', '``` `` ```'],
    ['`x', '`` `x ``'],
    [' padded ', '`  padded  `'],
    ['', '(empty)'],
    ['two\nlines', '`two\\nlines`'],
    ['<b>&', '`<b>&`'],
    ['x'.repeat(210), `\`${'x'.repeat(200)}… (10 more characters)\``],
  ])('%j', (text, expected) => {
    expect(code(text)).toBe(expected);
  });

  it('a bar in a table cell is spelled out', () => {
    expect(cellCode('a|b\\|c')).toBe('`a\\u007cb\\\\u007cc`');
  });
});

describe('prose', () => {
  it.each([
    ['must be replaced because petstore is', 'must be replaced because petstore is'],
    ['12 deletes, more than maxDeletes: 10', '12 deletes, more than maxDeletes: 10'],
    ['see pet_store/guide, please.', 'see `pet_store/guide`, please.'],
    ['ask @octocat #12 now', 'ask `@octocat #12` now'],
    ['www.evil.example', '`www.evil.example`'],
    ['https://evil.example.', '`https://evil.example`.'],
    ['fix JIRA-12 or GH-1', 'fix `JIRA-12` or `GH-1`'],
    ['in deadbeef it was', 'in `deadbeef` it was'],
    ['**bold** <b>', '`**bold** <b>`'],
    [':tada:', '`:tada`:'],
    ['1. item', '`1`. item'],
    ['/close', '`/close`'],
    ['...', '`...`'],
    ['3 of 3 resources (100 %), more than 20%', '3 of 3 resources (100 %), more than 20%'],
    ['in %12 or %"next" and %next', 'in `%12` or `%"next"` and `%next`'],
  ])('%j', (text, expected) => {
    expect(prose(text)).toBe(expected);
  });
});

describe('fenced', () => {
  it('no line can close the block', () => {
    expect(fenced([' ```', '+~~~', ' `````'], 'diff')).toBe('``````diff\n ```\n+~~~\n `````\n``````\n');
  });
});

describe('htmlCode and cut', () => {
  it('escapes for raw HTML', () => {
    expect(htmlCode(`</summary><b a="x" b='y'>&`)).toBe(
      '<code>&lt;/summary&gt;&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;</code>',
    );
  });

  it('never cuts a character in half', () => {
    expect(cut('ab🎉cd', 3)).toBe('ab… (4 more characters)');
    expect(cut('ab🎉cd', 4)).toBe('ab🎉… (2 more characters)');
    expect(cut('abc', 3)).toBe('abc');
  });
});
