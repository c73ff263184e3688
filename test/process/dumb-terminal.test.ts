import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { builtProgram } from '../harness/built.js';

const program = await builtProgram();
const folder = mkdtempSync(join(tmpdir(), 'sync-words-'));
let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The program with a real terminal on all three streams, by `script`, which Linux systems have. */
function atTerminal(term: string, ...argv: readonly string[]): Promise<string> {
  const line = [process.execPath, program, '-C', folder, ...argv].join(' ');
  const { NO_COLOR: _none, FORCE_COLOR: _neither, ...rest } = process.env;
  const env = { ...rest, TERM: term, PLATFORM_SERVER_URL: sandbox.url, PLATFORM_TOKEN: 'any' };
  return new Promise((ended) => {
    const child = execFile('script', ['-qec', line, '/dev/null'], { env }, (_error, out) => ended(out));
    child.stdin?.end();
  });
}

const canTry = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

describe.skipIf(!canTry)(canTry ? 'at a terminal' : 'NOT TRIED: there is no script(1) on this machine', () => {
  it('that is dumb, nothing is coloured and nothing is painted again; at another, both', async () => {
    await atTerminal('dumb', 'init', '--project', 'words');
    for (const argv of [['plan'], ['apply', '--yes'], ['validate'], ['plan', '--help']]) {
      const text = await atTerminal('dumb', ...argv);
      expect([argv, text]).toEqual([argv, expect.stringMatching(/./)]);
      // No escape, no return without a new line, no step back.
      expect(text.replaceAll('\r\n', '\n')).not.toMatch(/[\x1b\r\b]/);
    }
    expect(await atTerminal('xterm', 'destroy', '--yes')).toMatch(/\x1b\[/);
  });
});

describe('what libraries say', () => {
  const preload = join(folder, 'library.cjs');
  const run = (code: string, env: Readonly<Record<string, string>> = {}): { status: number | null; err: string } => {
    writeFileSync(preload, code);
    const { status, stderr } = spawnSync(process.execPath, ['--require', preload, program, 'schema'], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
    return { status, err: stderr };
  };
  // When the program has made itself ready.
  const once = (event: string, code: string): string =>
    `process.on('newListener', (name) => {
       if (name === '${event}') setTimeout(() => { ${code} }, 0);
     });`;

  it('of old and new interfaces stays off stderr', () => {
    const code = "process.emitWarning('old', 'DeprecationWarning'); process.emitWarning('new', 'ExperimentalWarning');";
    expect(run(once('warning', code))).toEqual({ status: 0, err: '' });
  });

  it('about a check that was switched off is told, in one line', () => {
    const text = 'Setting NODE_TLS_REJECT_UNAUTHORIZED to 0 makes TLS connections insecure';
    expect(run(once('warning', `process.emitWarning('${text}');`))).toEqual({ status: 0, err: `warning: ${text}\n` });
  });

  it('when they break down outside of a command is one line without a page of source', () => {
    const { status, err } = run(once('uncaughtException', "throw new Error('first\\nsecond');"));
    expect([status, err]).toEqual([1, 'bug: run-failed: first, please report; set SYNC_DEBUG=1 for the stack\n']);
  });
});
