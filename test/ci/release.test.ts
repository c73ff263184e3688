import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeDriver } from '@platform-sync/state/sqlite-driver';
import { builtDist } from '../harness/built.js';
import { sealedPlanText } from '../report/plan-builder.js';
import { root } from './recipe.js';

/** A release as recipes fetch it: the built program, and no package beside it. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-release-'));
  await cp(await builtDist(), join(folder, 'dist'), { recursive: true });
  for (const name of ['bin', 'schemas', 'package.json'])
    await cp(join(root, name), join(folder, name), { recursive: true });
  await writeFile(join(folder, 'sync.yaml'), 'project: payments\n');
  await mkdir(join(folder, 'catalogue'));
  await writeFile(join(folder, 'catalogue/a.yaml'), 'resources: { pets: { type: platform:Api } }\n');
  await writeFile(join(folder, 'plan.json'), sealedPlanText());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function run(...argv: readonly string[]): Promise<readonly [code: number, err: string]> {
  return new Promise((ended) => {
    const env = {
      ...{ PATH: process.env['PATH'] ?? '', PLATFORM_TOKEN: 'x', PLATFORM_SERVER_URL: 'http://127.0.0.1:1' },
      // As on a Node that has no SQLite.
      ...(nodeDriver() === undefined ? {} : { NODE_OPTIONS: '--no-experimental-sqlite' }),
    };
    execFile(process.execPath, [join(folder, 'bin/sync.js'), ...argv], { cwd: folder, env }, (error, _out, err) =>
      ended([typeof error?.code === 'number' ? error.code : 0, err]),
    );
  });
}

it('comments without any package', async () => {
  expect(await run('comment', 'plan.json', '--file', 'comment.md')).toEqual([0, '']);
});

it('says what a state in a file needs, and what to do', async () => {
  const [code, err] = await run('plan');
  expect([code, err.replace(process.versions.node, 'VERSION')]).toEqual([
    1,
    [
      'error  state-unreadable  a state in a file needs Node.js 22.13 or later, or the package libsql beside the program; this is Node.js VERSION',
      '  hint: Take a newer Node.js, keep state in PostgreSQL (state: {backend: postgres}), or install libsql.',
      '',
      '1 error',
      '',
    ].join('\n'),
  ]);
});
