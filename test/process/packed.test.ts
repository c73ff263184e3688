import { execFile } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { leftOut } from '../harness/left-out.js';
import { compile, installPacked, runProgram, writeExamples, type PackedPackage } from './packed-package.js';

const run = promisify(execFile);
let packed: PackedPackage;
let sandbox: RunningSandbox;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  open.push((sandbox = await startSandbox({ quiet: true, token: 'canary-token' })));
  open.push((packed = await installPacked()));
});
afterAll(() => Promise.all(open.map((each) => each.close())));

const environment = (): Record<string, string> => ({
  PLATFORM_TOKEN: 'canary-token',
  PLATFORM_SERVER_URL: sandbox.url,
});

/** As whom to run the program; another user than root needs a Node that is not in root's own folders. */
async function anotherUser(): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const user = { uid: 65_534, gid: 65_534 };
  try {
    await run(process.execPath, ['--version'], { cwd: '/', ...user });
    return user;
  } catch {
    leftOut('a user who owns nothing', `only root can start ${process.execPath}`);
    return {};
  }
}

describe('the packed package', () => {
  it('holds what runs and nothing of how it is made', () => {
    const made = (file: string): boolean => file.startsWith('dist/') || file.startsWith('schemas/');
    const named = ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin/sync.js', 'npm-shrinkwrap.json', 'package.json'];
    expect(packed.files.filter((file) => !made(file)).sort()).toEqual(named);
    expect(packed.files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/types/index.d.ts']));
  });

  it('runs in a program of ES modules: lookups, a plan, an apply, its events', async () => {
    const report = await runProgram(packed.folder, ['program.mjs', packed.folder], environment());
    expect(report).toEqual({
      id: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0e16',
      greeting: 'Hello, People who look after payments!',
      steps: ['create payments'],
      status: 'done',
      done: ['create payments'],
      outputs: { api: 'Payments' },
      empty: true,
    });
  });

  it('runs in a CommonJS program, which ends by itself', async () => {
    const report = await runProgram(packed.folder, ['program.cjs'], environment());
    expect(report).toEqual({
      id: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0e16',
      shown: expect.stringMatching(/^Output\(masked/),
    });
  });

  // What the image promises: a user who owns nothing but the project and /tmp. Root may write anywhere, so another user is asked.
  it('works for a user without a home, who may write to the project and the folder for temporary files only', async () => {
    const project = join(packed.place, 'project');
    const temporary = join(packed.place, 'tmp');
    const nobody = await anotherUser();
    for (const folder of [project, temporary]) {
      await mkdir(folder);
      await chmod(folder, 0o777);
    }
    await chmod(packed.place, 0o755);
    const env = { ...environment(), PATH: process.env['PATH'], HOME: '/nonexistent', TMPDIR: temporary };
    const program = join(packed.folder, 'node_modules/platform-sync/bin/sync.js');
    const sync = async (...argv: readonly string[]): Promise<string> =>
      (await run(process.execPath, [program, ...argv], { cwd: project, env, ...nobody })).stdout;
    await sync('init', '--project', 'image');
    expect(await sync('apply', '--yes')).toContain('2 done, 0 failed');
    expect(await sync('plan')).toContain('No changes');
    await chmod(project, 0o555);
    expect(await sync('validate')).toContain('Valid');
    await chmod(project, 0o777);
  });

  it('brings types that compile as they are, for Node and for bundlers', async () => {
    const examples = await writeExamples(packed.folder);
    expect(examples.length).toBeGreaterThan(7);
    const nodeOptions = ['--module', 'nodenext', '--target', 'es2023'];
    expect(await compile(packed.folder, [...nodeOptions, 'typed.ts', 'typed.cts', ...examples])).toBe('');
    const bundlerOptions = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022'];
    expect(await compile(packed.folder, [...bundlerOptions, 'typed.ts'])).toBe('');
  });
});
