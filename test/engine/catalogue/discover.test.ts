import { symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discoverFiles } from '@platform-sync/catalogue/read/discover';
import { scratchFolder } from './scratch-project.js';

const yaml = 'resources: {}\n';

describe('the files of a project', () => {
  const project = (): string => {
    const root = scratchFolder({
      ...{ 'a.yaml': yaml, 'b/c/d.yaml': yaml, 'b/e.yml': yaml, 'b/.f/g.yaml': yaml, '.h.yaml': yaml },
      ...{ 'node_modules/i/j.yaml': yaml, 'b/node_modules/k.yaml': yaml, '.git/l.yaml': yaml, 'b/m.md': yaml },
    });
    symlinkSync('..', join(root, 'b/round'));
    symlinkSync('c', join(root, 'b/link'));
    symlinkSync('nowhere.yaml', join(root, 'b/broken.yaml'));
    symlinkSync('../a.yaml', join(root, 'b/file.yaml'));
    symlinkSync(tmpdir(), join(root, 'b/outside'));
    return root;
  };

  it.each([
    [['**/*.yaml'], ['a.yaml', 'b/file.yaml', 'b/c/d.yaml', 'b/link/d.yaml'], []],
    [['**/*.{yaml,yml}', '!b/link/**', '!**/file.*'], ['a.yaml', 'b/e.yml', 'b/c/d.yaml'], []],
    [['b/.f/*', '.h.yaml'], ['.h.yaml', 'b/.f/g.yaml'], []],
    [['b/c', 'b/m.md', 'x/*.yaml'], ['b/m.md'], ['b/c', 'x/*.yaml']],
    [['node_modules/**', '.git/*', 'b/outside/**'], [], ['node_modules/**', '.git/*', 'b/outside/**']],
  ] as const)('%j', async (patterns, files, unmatched) => {
    expect(await discoverFiles(project(), patterns)).toEqual({ files, unmatched });
  });

  it('are found by a pattern with more ways through it than anybody can try', async () => {
    const deep = scratchFolder({ [`${'a'.repeat(100)}.yaml`]: yaml, [`${'a/'.repeat(60)}b.yaml`]: yaml });
    const patterns = [`${'*a'.repeat(40)}b.yaml`, `${'**/a/'.repeat(40)}c.yaml`];
    expect((await discoverFiles(deep, patterns)).unmatched).toEqual(patterns);
    expect((await discoverFiles(deep, [`${'**/a/'.repeat(40)}b.yaml`])).files).toHaveLength(1);
  });
});
