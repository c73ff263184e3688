import { describe, expect, it } from 'vitest';
import { codeOwners } from '@platform-sync/review/notify/code-owners';

describe('CODEOWNERS', () => {
  it.each([
    ['nothing fits', '/other/ @x', 'a/b.yaml', []],
    ['everything', '* @x', 'a/b.yaml', ['@x']],
    ['the last line that fits', '* @x\n*.yaml @y ann@example.com', 'a/b.yaml', ['@y', 'ann@example.com']],
    ['a line without owners takes them away', '* @x\n/a/', 'a/b.yaml', []],
    ['a folder', 'catalogue/ @x', 'deep/catalogue/a/b.yaml', ['@x']],
    ['a folder of the root', '/catalogue/ @x', 'deep/catalogue/b.yaml', []],
    ['a folder without its slash', '/catalogue @x', 'catalogue/a/b.yaml', ['@x']],
    ['the files of a folder, not those below', '/catalogue/* @x', 'catalogue/a/b.yaml', []],
    ['the files of a folder', '/catalogue/* @x', 'catalogue/b.yaml', ['@x']],
    ['any depth', '/a/**/b.yaml @x', 'a/c/d/b.yaml', ['@x']],
    ['any depth, also none', '/a/**/b.yaml @x', 'a/b.yaml', ['@x']],
    ['all below', 'a/** @x', 'a/c/d', ['@x']],
    ['a dot is a dot', '*.yaml @x', 'a/bXyaml', []],
    ['a space in a name', String.raw`/my\ file.yaml @x`, 'my file.yaml', ['@x']],
    ['comments', '# * @z\n\n*.yaml @x # @y', 'b.yaml', ['@x']],
    [
      'sections, each by its last line',
      '*.yaml @x\n[Docs][2] @d\n*.md @m\n^[Pets] @p\n/pets.yaml',
      'pets.yaml',
      ['@x', '@p'],
    ],
    [
      'a section that is written in two places',
      '[Pets] @p\n*.yaml\n[Shop] @s\n*.md\n[pets] @q\n/a.yaml',
      'a.yaml',
      ['@q'],
    ],
    ['a section of more than one word', '[Pets and more][2] @p @@maintainer\n*', 'a.yaml', ['@p', '@@maintainer']],
    ['what a section leaves out', '* @x\n[Pets] @p\n*.yaml\n!a/*.yaml\n/a/ @q', 'a/b.yaml', ['@x']],
    ['what a section leaves out, and nothing else', '[Pets] @p\n*.yaml\n!a/*.yaml', 'c/b.yaml', ['@p']],
    ['owners by a space that is escaped', String.raw`/a\ b/ @x`, 'a b/c.yaml', ['@x']],
    ['a sharp in a name', String.raw`/\#a @x`, '#a', ['@x']],
    [
      'stars without end',
      `${'*a'.repeat(60)}b @x\n/${'**/a/'.repeat(60)}b @x`,
      'a/'.repeat(5_000) + 'a'.repeat(5_000),
      [],
    ],
    ['line ends of another system', '*.yaml @x\r\n', 'a.yaml', ['@x']],
  ] as const)('%s', (_name, text, file, owners) => {
    expect(codeOwners(text)(file)).toEqual(owners);
  });
});
