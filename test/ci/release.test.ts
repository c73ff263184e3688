import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '@platform-sync/sandbox/server';
import { nodeDriver } from '@platform-sync/state/sqlite-driver';
import { builtDist } from '../harness/built.js';
import { sealedPlanText } from '../report/plan-builder.js';
import { inputsOf, readAction } from './action.js';
import { root } from './recipe.js';

/** A release as recipes fetch it: the built program, and no package beside it. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-release-'));
  await cp(await builtDist(), join(folder, 'dist'), { recursive: true });
  for (const name of ['action.yml', 'bin', 'schemas', 'package.json'])
    await cp(join(root, name), join(folder, name), { recursive: true });
  await writeFile(join(folder, 'sync.yaml'), 'project: payments\n');
  await mkdir(join(folder, 'catalogue'));
  await writeFile(join(folder, 'catalogue/a.yaml'), 'resources: { pets: { type: platform:Api } }\n');
  await writeFile(join(folder, 'plan.json'), sealedPlanText());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function run(...argv: readonly string[]): Promise<readonly [code: number, err: string]> {
  return node([join(folder, 'bin/sync.js'), ...argv]);
}

function node(
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<readonly [code: number, err: string]> {
  return new Promise((ended) => {
    const env = {
      ...{ PLATFORM_TOKEN: 'x', PLATFORM_SERVER_URL: 'http://127.0.0.1:1' },
      // As on a Node that has no SQLite.
      ...(nodeDriver() === undefined ? {} : { NODE_OPTIONS: '--no-experimental-sqlite' }),
      ...more,
    };
    execFile(process.execPath, args, { cwd: folder, env }, (error, _out, err) =>
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
      'What it means: sync explain state-unreadable',
      '',
    ].join('\n'),
  ]);
});

describe('the action, with nothing on the PATH', () => {
  const act = async (command: string, more: Readonly<Record<string, string>>): Promise<readonly [number, string]> => {
    const action = await readAction();
    const given = { command, 'github-token': 'x', folder: join(folder, 'reports') };
    return node([join(folder, action.runs['main'] ?? '')], {
      ...inputsOf(action, given, { 'job.status': 'success' }),
      ...{
        GITHUB_ACTIONS: 'true',
        GITHUB_OUTPUT: join(folder, 'output'),
        GITHUB_STEP_SUMMARY: join(folder, 'page.md'),
      },
      ...more,
    });
  };

  it('says what it lacks on the line of its log, in its outputs and on its page', async () => {
    const [code, err] = await act('plan', {});
    expect([code, err]).toEqual([1, expect.stringContaining('state-unreadable')]);
    expect(await readFile(join(folder, 'output'), 'utf8')).toMatch(/^exit-code=1$/m);
    expect(await readFile(join(folder, 'page.md'), 'utf8')).toContain('No plan: 1 error');
  });

  it.skipIf(nodeDriver() === undefined)(
    'plans and applies with a state in a file, on a Node that has SQLite (the others have none without a package)',
    async () => {
      const sandbox = await startSandbox({ quiet: true });
      try {
        const own = { NODE_OPTIONS: '', PLATFORM_SERVER_URL: sandbox.url };
        expect(await act('plan', own)).toMatchObject({ 0: 0 });
        expect(await act('apply', own)).toMatchObject({ 0: 0 });
        expect(await readFile(join(folder, 'reports/result.json'), 'utf8')).toContain('"status": "done"');
      } finally {
        await sandbox.close();
      }
    },
  );
});
