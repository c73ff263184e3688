import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import { SourceFiles } from '@platform-sync/catalogue/read/file-texts';

function filesOf(text: string): SourceFiles {
  const files = new SourceFiles();
  files.add('a.yaml', text);
  return files;
}

const at = (start: number, end = start) => ({ file: 'a.yaml', start, end });

describe('places', () => {
  it.each([
    ['the very start', 'ab\ncd', 0, 1, 1, 1, 'ab'],
    ['a line break itself', 'ab\ncd', 2, 2, 1, 3, 'ab'],
    ['the start of a line', 'ab\ncd', 3, 4, 2, 1, 'cd'],
    ['the end of the file', 'ab\ncd', 5, 5, 2, 3, 'cd'],
    ['after a last line break', 'ab\n', 3, 3, 2, 1, ''],
    ['windows line ends', 'ab\r\ncd\r\n', 4, 6, 2, 1, 'cd'],
    ['an empty file', '', 0, 0, 1, 1, ''],
  ])('%s', (_name, text, start, end, line, column, shown) => {
    expect(filesOf(text).place(at(start, end))).toMatchObject({ file: 'a.yaml', line, column, text: shown });
  });

  it('ends a block before its last line break', () => {
    expect(filesOf('a: |\n  x\nb: 1').place(at(3, 9))).toMatchObject({ line: 1, endLine: 2, endColumn: 4 });
  });

  it('leaves out every line a secret touches, and no other', () => {
    const files = filesOf('a: 1\nb: !secret |\n  one\n  two\nc: 2\n');
    files.hide(at(16, 29));
    const shown = [0, 5, 18, 24, 29].map((start) => files.place(at(start)).text);
    expect(shown).toEqual(['a: 1', undefined, undefined, undefined, undefined]);
    expect(files.place(at(30)).text).toBe('c: 2');
  });

  it('knows no text of a file it never read', () => {
    expect(new SourceFiles().place(at(7))).toEqual({ file: 'a.yaml', line: 1, column: 1 });
  });
});

describe('a run that will be long', () => {
  it.each([
    ['is no small one', [100, 100], 0],
    ['is told once, by what all files hold together', [200_000, 100_000, 300_000], 1],
  ])('%s', (_name, lengths, times) => {
    let told = 0;
    const heard = (): void => void told++;
    subscribe('platform-sync:long-run', heard);
    const files = new SourceFiles();
    for (const [at, length] of lengths.entries()) files.add(`${String(at)}.yaml`, 'x'.repeat(length));
    unsubscribe('platform-sync:long-run', heard);
    expect(told).toBe(times);
  });
});
