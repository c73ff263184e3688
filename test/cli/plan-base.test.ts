import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeProgram } from './fake-host.js';

describe('sync plan with a base', () => {
  it('is told a commit, or a folder relative to the project', async () => {
    const { run, calls, folder } = fakeProgram();
    await run('plan', '--base', 'origin/main');
    await run('plan', '--base-dir', '../other');
    await run('plan');
    expect(
      calls.filter(([name]) => name === 'plan').map(([, options]) => (options as { base?: unknown }).base),
    ).toEqual([{ ref: 'origin/main' }, { folder: join(folder, '../other') }, undefined]);
  });

  it.each([
    [['--base', 'main', '--base-dir', 'x']],
    [['--base', 'main', '--destroy']],
    [['--base-dir', 'x', '--destroy']],
  ])('%j makes no sense', async (flags) => {
    const { run, opened } = fakeProgram();
    expect((await run('plan', ...flags)).code).toBe(64);
    expect(opened).toEqual([]);
  });
});
