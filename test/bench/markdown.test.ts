import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fillBlocks, fillFile } from '../../bench/markdown.js';
import { markdownLines } from '../../bench/table.js';

const text =
  'a\n<!-- bench:bars -->\nold\n\nold\n<!-- end of bench -->\nb\n<!-- bench:growth -->\n<!-- end of bench -->\n';

describe('marked places of a document', () => {
  test('are filled by name; the rest stays', () => {
    expect(fillBlocks(text, new Map([['bars', '$& $1']]))).toBe(
      'a\n<!-- bench:bars -->\n\n$& $1\n\n<!-- end of bench -->\nb\n<!-- bench:growth -->\n<!-- end of bench -->\n',
    );
  });

  test('are filled when they are empty', () => {
    expect(fillBlocks(text, new Map([['growth', 'new']]))).toContain(
      'b\n<!-- bench:growth -->\n\nnew\n\n<!-- end of bench -->\n',
    );
  });

  test('can be filled again', () => {
    const once = fillBlocks(text, new Map([['bars', 'new']]));
    expect(fillBlocks(once, new Map([['bars', 'new']]))).toBe(once);
  });

  test('that have no text stay as they are', () => {
    expect(fillBlocks(text, new Map([['other', 'x']]))).toBe(text);
  });
});

describe('a file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sync-bench-test-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('gets tables that are formatted as all Markdown is', async () => {
    const path = join(folder, 'page.md');
    writeFileSync(path, text);
    const table = markdownLines({ head: ['bar', 'limit'], lines: [['a | b', '≤ 2']] });
    await fillFile(path, new Map([['bars', table.join('\n')]]));
    expect(readFileSync(path, 'utf8')).toContain('| bar    | limit |\n| ------ | ----- |\n| a \\| b | ≤ 2   |\n');
  });
});
