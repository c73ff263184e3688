import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { buildProgram } from '../ci/recipe.js';

const full = '/dev/full';
/** The program as it is shipped: an uncaught error of a bundle shows pages of it. */
const program = buildProgram();

let sandbox: RunningSandbox;
let folder: string;
beforeAll(async () => {
  // Slow enough that the program is at work when something else goes wrong in its process.
  sandbox = await startSandbox({ quiet: true, latencyMs: 60_000 });
  folder = mkdtempSync(join(tmpdir(), 'sync-last-words-'));
  mkdirSync(join(folder, 'catalogue'));
  writeFileSync(join(folder, 'sync.yaml'), 'project: last\n');
  writeFileSync(join(folder, 'catalogue/a.yaml'), 'resources: {a: {type: platform:Api, properties: {version: "1"}}}\n');
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A plan in whose process that happens while it waits for the platform: nobody has called it, so nobody can catch it. */
async function planWhile(happens: string, { debug = '', err: errTo = 'pipe' as 'pipe' | number } = {}): Promise<Ended> {
  const env = { ...process.env, PLATFORM_SERVER_URL: sandbox.url, PLATFORM_TOKEN: 't', SYNC_DEBUG: debug };
  // Not before the program has said what happens to such errors.
  const begin = `const wait = setInterval(() => {
    if (process.listenerCount('uncaughtException') === 0 && ${debug === ''}) return;
    clearInterval(wait);
    ${happens}
  }, 20)`;
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(begin)}`, program(), 'plan'],
    { cwd: folder, env, stdio: ['ignore', 'pipe', errTo] },
  );
  const text = { out: '', err: '' };
  child.stdout?.on('data', (data) => (text.out += String(data)));
  child.stderr?.on('data', (data) => (text.err += String(data)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...text };
}

const report = ', please report; set SYNC_DEBUG=1 for the stack';

describe('what nobody caught', () => {
  it.each<[what: string, happens: string, says: string]>([
    [
      'an error of a library',
      'throw new TypeError("x is not a function");',
      `bug: run-failed: x is not a function${report}`,
    ],
    [
      'one of several lines',
      'throw new Error("first\\nsecond\\n    at node:internal/x:1:1");',
      `bug: run-failed: first${report}`,
    ],
    ['a text', 'throw "just a text";', `bug: run-failed: just a text${report}`],
    ['nothing', 'throw undefined;', `bug: run-failed: undefined${report}`],
    ['a promise that nobody waits for', 'Promise.reject(new Error("lost"));', `bug: run-failed: lost${report}`],
    ['signs that a terminal obeys', 'throw new Error("a\\u001b[2Jb\\u0007c");', `bug: run-failed: a [2Jb c${report}`],
    ['a page of text', 'throw new Error("x".repeat(30_000));', `bug: run-failed: ${'x'.repeat(300)}${report}`],
    [
      'an error of the system',
      'process.emit("uncaughtException", Object.assign(new Error("EMFILE: too many open files, open \'x\'"), {code: "EMFILE", syscall: "open"}));',
      "error: system-error: EMFILE: too many open files, open 'x'",
    ],
    [
      'a recursion without end',
      'const deep = () => deep() + 1; deep();',
      'error: nested-too-deep: a file or an answer is nested deeper than can be followed',
    ],
  ])('%s is one line with a code, and exit code 1', async (_what, happens, says) => {
    const { code, out, err } = await planWhile(happens);
    expect([code, out, err]).toEqual([1, '', `${says}\n`]);
  });

  it('is told with its stack to those who ask for it', async () => {
    const { code, err } = await planWhile('throw new TypeError("x is not a function");', { debug: '1' });
    expect([code === 0, err]).toEqual([false, expect.stringMatching(/TypeError: x is not a function\n {4}at /)]);
  });

  it.skipIf(!existsSync(full))('ends the run also where it cannot be told', async () => {
    const disk = openSync(full, 'w');
    const { code, out } = await planWhile('throw new Error("x");', { err: disk });
    closeSync(disk);
    expect([code, out]).toEqual([1, '']);
  });

  it('warnings of libraries are not told, those about TLS are', async () => {
    const { err } = await planWhile(
      'process.emitWarning("x is deprecated"); process.emitWarning("TLS is off\\nand more"); setTimeout(() => { throw new Error("end"); }, 50);',
    );
    expect(err).toBe(`warning: TLS is off\nbug: run-failed: end${report}\n`);
  });
});
