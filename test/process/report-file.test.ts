import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { removeReport, writeReport } from '@platform-sync/cli/files/report-file';

function pipeIn(folder: string): string {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  return pipe;
}

/** What a program run as root would have replaced for the whole machine: `--out /dev/null`. */
describe.skipIf(process.platform === 'win32')('a report for a place that is no file', () => {
  it.each(['itself', 'a link to it'])('goes into %s, which stays', async (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'sync-report-'));
    const pipe = pipeIn(folder);
    const path = name === 'itself' ? pipe : join(folder, 'link');
    if (path !== pipe) symlinkSync(pipe, path);
    const before = readdirSync(folder);
    const [text] = await Promise.all([readFile(pipe, 'utf8'), writeReport(path, 'all of it')]);
    expect(text).toBe('all of it');
    await removeReport(path);
    expect(readdirSync(folder)).toEqual(before);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });
});
