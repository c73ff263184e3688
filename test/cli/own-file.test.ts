import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isOwnFile } from '@platform-sync/cli/run/webhook';

it('takes no file of the machine for one of the repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sync-own-'));
  const place = (name: string): string => join(folder, 'checkout', name);
  mkdirSync(place('.git'), { recursive: true });
  mkdirSync(place('docs'));
  for (const name of ['CODEOWNERS', 'docs/text']) writeFileSync(place(name), '* @acme\n');
  writeFileSync(join(folder, 'outside'), 'x');
  symlinkSync('docs/text', place('within'));
  symlinkSync('../outside', place('out'));
  symlinkSync('/proc/self/environ', place('environ'));
  symlinkSync('..', place('above'));
  const names = ['CODEOWNERS', 'docs/text', 'within', 'out', 'environ', 'above/outside', 'missing'];
  expect(names.filter((name) => isOwnFile(place(name)))).toEqual(['CODEOWNERS', 'docs/text', 'within']);
});
