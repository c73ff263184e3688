import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { selfSigned } from '@platform-sync/sandbox/certificate';
import { startSandbox } from '@platform-sync/sandbox/server';
import { fakeProgram } from '../cli/fake-host.js';

const folder = await mkdtemp(join(tmpdir(), 'sandbox-tls-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

function statusOf(url: string, ca: string): Promise<number | undefined> {
  return new Promise((done, failed) => {
    const sent = request(`${url}/_sandbox/requests`, { ca, agent: false }, (answer) => {
      answer.resume().on('end', () => done(answer.statusCode));
    });
    sent.on('error', failed).end();
  });
}

describe('a certificate of its own', () => {
  it('is for every name and address it was made for, and for now', () => {
    const names = ['localhost', 'a-long-name.example.test', '127.0.0.1', '10.1.2.3', '::1', '2001:db8::7:1', 'fe80::1'];
    const now = Date.UTC(2049, 11, 31);
    for (let round = 0; round < 50; round += 1) {
      const { certificate, key } = selfSigned(names, now);
      const made = new X509Certificate(certificate);
      expect(names.filter((name) => (made.checkHost(name) ?? made.checkIP(name)) === undefined)).toEqual([]);
      expect([made.checkHost('example.test'), made.checkIP('10.1.2.4')]).toEqual([undefined, undefined]);
      expect(made.verify(made.publicKey)).toBe(true);
      expect([Date.parse(made.validFrom) < now, Date.parse(made.validTo) > now]).toEqual([true, true]);
      expect(key).toContain('BEGIN PRIVATE KEY');
    }
  });

  it('lets a client in that trusts it, stays the same in a data folder, and goes with a run that keeps nothing', async () => {
    const kept = [];
    for (const _ of [1, 2]) {
      const sandbox = await startSandbox({ quiet: true, data: folder, tls: { names: [] } });
      const ca = await readFile(sandbox.certificate ?? '', 'utf8');
      expect(sandbox.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
      expect(await statusOf(sandbox.url, ca)).toBe(200);
      await sandbox.close();
      kept.push(ca);
    }
    expect(kept[1]).toBe(kept[0]);
    const passing = await startSandbox({ quiet: true, tls: { names: [] } });
    await passing.close();
    await expect(readFile(passing.certificate ?? '', 'utf8')).rejects.toThrow('ENOENT');
    const more = await startSandbox({ quiet: true, data: folder, tls: { names: ['sandbox'] } });
    await more.close();
    expect(await readFile(more.certificate ?? '', 'utf8')).not.toBe(kept[0]);
  });
});

describe('sync sandbox --host', () => {
  it.each([
    [
      ['--host', '0.0.0.0'],
      'warning: whoever reaches 0.0.0.0 can read and change what the sandbox holds, with any token',
    ],
    [['--host', '::', '--token', 't'], 'with the token of --token'],
    [['--host', '127.0.0.1'], ''],
    [['--host', '::1'], ''],
    [[], ''],
  ])('%j warns where others can reach it', async (argv, words) => {
    const started: unknown[] = [];
    const { run } = fakeProgram({
      host: {
        startSandbox: async (options) => {
          started.push(options.host);
          return { url: 'http://x', port: 1, close: async () => undefined };
        },
        onSignal: (listener) => {
          queueMicrotask(() => listener('SIGTERM'));
          return () => undefined;
        },
      },
    });
    const { code, err } = await run('sandbox', ...argv);
    expect([code, err.includes('warning'), err]).toEqual([0, words !== '', expect.stringContaining(words)]);
    expect(started).toEqual([argv[1] ?? '127.0.0.1']);
  });
});
