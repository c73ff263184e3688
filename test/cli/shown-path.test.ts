import { posix, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shownPath } from '@platform-sync/cli/files/report-file';
import { schemaLine } from '@platform-sync/cli/init/editor-files';

describe('a path as it is shown', () => {
  it.each([
    [win32, 'C:\\work\\shop', 'C:\\work\\shop\\catalogue\\apis', 'catalogue/apis'],
    [win32, 'C:\\work\\shop', 'c:\\Work\\shop\\catalogue', 'catalogue'],
    [win32, 'C:\\work\\shop', 'C:\\work\\other', '../other'],
    [win32, 'C:\\work\\shop', 'D:\\found', 'D:/found'],
    [win32, 'C:\\work\\shop', 'C:\\work\\shop', '.'],
    [posix, '/home/shop', '/home/shop/catalogue/apis', 'catalogue/apis'],
    [posix, '/home/shop', '/home/shop/odd\\name', 'odd\\name'],
  ])('%#: %s', (path, from, to, expected) => {
    expect(shownPath(from, to, path)).toBe(expected);
  });

  it('leads back to the schema from any depth', () => {
    expect(schemaLine('catalogue', shownPath('C:\\shop', 'C:\\shop\\catalogue\\apis\\a.yaml', win32))).toContain(
      '=../../.platform-sync/',
    );
  });
});
