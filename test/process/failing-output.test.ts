import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { buildProgram } from '../ci/recipe.js';

const objects = 40;
const full = '/dev/full';
/** The program as it is shipped: what goes wrong outside of a command shows there. */
const program = buildProgram();

let sandbox: RunningSandbox;
let folder: string;
beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true, latencyMs: 20 });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sync-output-'));
  const apis = Array.from(
    { length: objects },
    (_, at) => `  api-${at}: {type: platform:Api, properties: {version: "1"}}\n`,
  );
  mkdirSync(join(folder, 'catalogue'));
  writeFileSync(join(folder, 'sync.yaml'), 'project: many\nconcurrency: 2\n');
  writeFileSync(join(folder, 'catalogue/a.yaml'), `resources:\n${apis.join('')}`);
  await fetch(`${sandbox.url}/_sandbox/reset`, { method: 'POST' });
  return () => rmSync(folder, { recursive: true, force: true });
});

type Target = number | 'pipe' | 'ignore';

function start(argv: readonly string[], out: Target, err: Target): ChildProcess {
  const env = { ...process.env, PLATFORM_SERVER_URL: sandbox.url, PLATFORM_TOKEN: 't', SYNC_DEBUG: '' };
  return spawn(process.execPath, [program(), ...argv], { cwd: folder, env, stdio: ['ignore', out, err] });
}

async function ended(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly out: string; err: string }> {
  const text = { out: '', err: '' };
  child.stdout?.on('data', (data) => (text.out += String(data)));
  child.stderr?.on('data', (data) => (text.err += String(data)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...text };
}

async function existing(): Promise<number> {
  const { apis } = (await (await fetch(`${sandbox.url}/_sandbox/objects`)).json()) as { apis: unknown[] };
  return apis.length;
}

/** Whatever was made is recorded: the next run makes the rest and settles nothing. */
async function expectRecorded(made: number): Promise<void> {
  const { code, out, err } = await ended(start(['apply', '--yes'], 'pipe', 'pipe'));
  expect([code, err]).toEqual([0, expect.not.stringContaining('settled')]);
  if (made < objects) expect(out).toContain(`Applied: ${objects - made} done, 0 failed, 0 skipped`);
  expect(await existing()).toBe(objects);
}

describe.skipIf(!existsSync(full))('output that cannot be written any more (a full disk)', () => {
  it('of the progress: what is in flight is finished and recorded, nothing more is begun, and the code says so', async () => {
    const disk = openSync(full, 'w');
    const { code } = await ended(start(['apply', '--yes'], 'pipe', disk));
    closeSync(disk);
    const made = await existing();
    expect([code, made < objects]).toEqual([1, true]);
    await expectRecorded(made);
  });

  it('of the result: one line says it where there is still a way', async () => {
    const disk = openSync(full, 'w');
    const { code, err } = await ended(start(['apply', '--yes'], disk, 'pipe'));
    closeSync(disk);
    const lines = err.trimEnd().split('\n');
    expect([code, lines.at(-1)]).toEqual([1, 'error: output-failed: the output cannot be written (ENOSPC)']);
    expect(err).not.toMatch(/\n {4}at |node:|bug:/);
    await expectRecorded(await existing());
  });

  it('of a plan: the same', async () => {
    const disk = openSync(full, 'w');
    const { code, err } = await ended(start(['plan'], disk, 'pipe'));
    closeSync(disk);
    expect([code, err.trimEnd().split('\n').at(-1)]).toEqual([
      1,
      'error: output-failed: the output cannot be written (ENOSPC)',
    ]);
  });
});

describe('a reader that goes away', () => {
  it('takes nothing with it: the apply does all it has begun and all that is left, and records it', async () => {
    const child = start(['apply', '--yes'], 'pipe', 'pipe');
    await once(child.stderr as NodeJS.ReadableStream, 'data');
    child.stdout?.destroy();
    child.stderr?.destroy();
    const [code] = (await once(child, 'close')) as [number];
    expect([code, await existing()]).toEqual([0, objects]);
    await expectRecorded(objects);
  });
});

describe('a state that is no file', () => {
  it.each<[string, (path: string) => void]>([
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    ['a device', (path) => execFileSync('ln', ['-s', '/dev/null', path])],
    ['a device that is always full', (path) => execFileSync('ln', ['-s', full, path])],
    ['a link to nothing in no folder', (path) => execFileSync('ln', ['-s', join(folder, 'no/where'), path])],
    ['a ring of links', (path) => execFileSync('ln', ['-s', path, path])],
    ['a text', (path) => writeFileSync(path, 'just a text, and not a short one either\n')],
  ])('%s: one line with a code, and what to do', async (_what, make) => {
    mkdirSync(join(folder, '.sync'));
    make(join(folder, '.sync/state.db'));
    for (const argv of [['plan'], ['apply', '--yes'], ['state', 'list']]) {
      const { code, out, err } = await ended(start(argv, 'pipe', 'pipe'));
      expect([argv.join(' '), code, out]).toEqual([argv.join(' '), 1, '']);
      expect(err).toMatch(/state.* \([A-Z_]+\)|path-leaves-project/);
      expect(err).toContain('hint: ');
      expect(err).not.toMatch(/bug:|\n {4}at |node:/);
    }
  });
});
