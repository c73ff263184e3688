import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '@platform-sync/sandbox/server';
import { builtProgram } from '../harness/built.js';

const program = await builtProgram();

function start(argv: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, [program, ...argv], { cwd, env: { ...process.env, ...env } });
}

async function finished(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  const text = { out: '', err: '' };
  child.stdout?.on('data', (data) => (text.out += String(data)));
  child.stderr?.on('data', (data) => (text.err += String(data)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...text };
}

describe('the program as a process', () => {
  it('runs the sandbox until SIGTERM, and tells where it listens', async () => {
    const child = start(['sandbox'], tmpdir());
    const [line] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')) as [string];
    const { url, pid } = JSON.parse(line) as { url: string; pid: number };
    expect(pid).toBe(child.pid);
    expect((await fetch(`${url}/_sandbox/requests`)).status).toBe(200);
    child.kill('SIGTERM');
    expect((await finished(child)).code).toBe(0);
  });

  it('drains on SIGINT: finishes what is in flight, keeps it in state, and the next run does the rest', async () => {
    const sandbox = await startSandbox({ quiet: true, latencyMs: 20 });
    const folder = mkdtempSync(join(tmpdir(), 'sync-process-'));
    const apis = Array.from({ length: 40 }, (_, at) => `  api-${at}: {type: platform:Api}\n`);
    mkdirSync(join(folder, 'catalogue'));
    writeFileSync(join(folder, 'sync.yaml'), 'project: many\nconcurrency: 1\n');
    writeFileSync(join(folder, 'catalogue/a.yaml'), `resources:\n${apis.join('')}`);
    const env = { PLATFORM_SERVER_URL: sandbox.url, PLATFORM_TOKEN: 't' };
    try {
      const child = start(['apply', '--yes'], folder, env);
      const firstLine = once(createInterface({ input: child.stderr as NodeJS.ReadableStream }), 'line');
      const ended = finished(child);
      await firstLine;
      child.kill('SIGINT');
      const first = await ended;
      expect(first.code).toBe(130);
      expect(first.err).toContain('finishing what is in flight, starting nothing new');
      expect(first.out).toMatch(/The apply was cancelled: \d+ done, 0 failed, \d+ skipped/);
      const done = Number(/The apply was cancelled: (\d+) done/.exec(first.out)?.[1]);
      expect(done).toBeLessThan(40);
      const second = await finished(start(['apply', '--yes'], folder, env));
      expect(second.code).toBe(0);
      expect(second.out).toContain(`Applied: ${40 - done} done, 0 failed, 0 skipped`);
    } finally {
      await sandbox.close();
    }
  });

  it('a platform that never answers keeps nobody waiting: not what is wrong with the catalogue, and not Ctrl-C', async () => {
    const sandbox = await startSandbox({ quiet: true });
    const folder = mkdtempSync(join(tmpdir(), 'sync-process-'));
    mkdirSync(join(folder, 'catalogue'));
    writeFileSync(join(folder, 'sync.yaml'), 'project: slow\n');
    writeFileSync(join(folder, 'catalogue/a.yaml'), 'resources: {pets: {type: platform:Api}}\n');
    const env = { PLATFORM_SERVER_URL: sandbox.url, PLATFORM_TOKEN: 't' };
    try {
      expect((await finished(start(['apply', '--yes'], folder, env))).code).toBe(0);
      const rules = JSON.stringify([{ match: { route: '/v3/**' }, action: { delayMs: 600_000 } }]);
      const headers = { 'content-type': 'application/json' };
      await fetch(`${sandbox.url}/_sandbox/faults`, { method: 'PUT', headers, body: rules });
      const child = start(['plan', '--log-level', 'debug'], folder, env);
      const ended = finished(child);
      const isAsked = async (): Promise<boolean> =>
        JSON.stringify(await (await fetch(`${sandbox.url}/_sandbox/faults`)).json()).includes('"struck":1');
      while (!(await isAsked()));
      child.kill('SIGINT');
      expect((await ended).code).toBe(130);
      writeFileSync(join(folder, 'catalogue/b.yaml'), 'resources: {bad: {type: "platform:Nothing"}}\n');
      const broken = await finished(start(['plan'], folder, env));
      expect(broken.code).toBe(1);
      expect(broken.err).toContain('There is no resource type "platform:Nothing".');
      expect(broken.err).toContain('1 error\n');
    } finally {
      await sandbox.close();
    }
  });

  it('does not crash when nobody reads its output to the end', async () => {
    const child = start(['schema', '--format', 'json'], tmpdir());
    child.stdout?.destroy();
    let err = '';
    child.stderr?.on('data', (data) => (err += String(data)));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, err]).toEqual([0, '']);
  });
});
