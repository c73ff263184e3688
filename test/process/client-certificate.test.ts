import { execFile, spawn, spawnSync } from 'node:child_process';
import { request as plainRequest } from 'node:http';
import { createServer, type Server } from 'node:https';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '@platform-sync/sandbox/certificate';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { startCountingProxy } from './counting-proxy.js';
import { builtProgram } from '../harness/built.js';

const program = await builtProgram();
const pairs = { server: pair(), client: pair(), stranger: pair() };
let folder: string;
let sandbox: RunningSandbox;
let gateway: Server;
let url: string;

function pair(): { readonly certificate: string; readonly key: string } {
  return selfSigned(['localhost', '127.0.0.1'], Date.now());
}

// A company's gateway in front of the platform: it lets in who shows the one certificate that it trusts.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-mtls-'));
  sandbox = await startSandbox({ quiet: true });
  const { certificate: cert, key } = pairs.server;
  const tls = { cert, key, ca: [pairs.client.certificate], requestCert: true, rejectUnauthorized: true };
  gateway = createServer(tls, (asked, answer) => {
    const { method, headers } = asked;
    const onwards = plainRequest(sandbox.url + (asked.url ?? ''), { method, headers }, (told) => {
      answer.writeHead(told.statusCode ?? 502, told.headers);
      told.pipe(answer);
    });
    asked.pipe(onwards);
  });
  gateway.on('tlsClientError', () => undefined);
  await new Promise<void>((listening) => gateway.listen(0, '127.0.0.1', listening));
  url = `https://localhost:${(gateway.address() as AddressInfo).port}`;
  for (const [name, { certificate, key: own }] of Object.entries(pairs)) {
    await writeFile(join(folder, `${name}.pem`), certificate);
    await writeFile(join(folder, `${name}.key`), own);
  }
  await writeFile(join(folder, 'no.pem'), 'nothing');
  await sync(['init', '--project', 'let-in'], {});
});
afterAll(async () => {
  gateway.closeAllConnections();
  await new Promise<void>((closed) => gateway.close(() => closed()));
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

const shows = (name: string, key = name): Record<string, string> => ({
  SYNC_CLIENT_CERT: join(folder, `${name}.pem`),
  SYNC_CLIENT_KEY: join(folder, `${key}.key`),
});

async function sync(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly text: string }> {
  const own = {
    ...{ PATH: process.env['PATH'], HOME: folder, PLATFORM_SERVER_URL: url, PLATFORM_TOKEN: 'any' },
    NODE_EXTRA_CA_CERTS: join(folder, 'server.pem'),
  };
  return new Promise((ended) => {
    execFile(process.execPath, [program, '-C', folder, ...argv], { env: { ...own, ...env } }, (error, out, err) =>
      ended({ code: typeof error?.code === 'number' ? error.code : 0, text: out + err }),
    );
  });
}

describe('a gateway that asks for a certificate of the client', () => {
  it('lets in who shows the right one, directly and through a proxy', async () => {
    const direct = await sync(['apply', '--yes'], shows('client'));
    expect([direct.code, direct.text]).toEqual([0, expect.stringContaining('2 done, 0 failed')]);
    const proxy = await startCountingProxy(() => Number(new URL(url).port));
    try {
      // This machine is never reached through a proxy: it has another name behind it.
      const through = {
        ...shows('client'),
        HTTPS_PROXY: proxy.url,
        PLATFORM_SERVER_URL: 'https://gateway.example.test',
      };
      const { text } = await sync(['lookup', 'getPlatformIpAddresses'], through);
      // Let in by the gateway; it is the program that minds the name.
      expect([proxy.tunnels, text]).toEqual([
        ['gateway.example.test:443'],
        expect.stringContaining('certificate-refused'),
      ]);
    } finally {
      await proxy.close();
    }
  });

  // Node's own server breaks such connections without a word; OpenSSL's says why, as gateways do.
  const openssl = spawnSync('openssl', ['version']).status === 0;
  describe.skipIf(!openssl)(openssl ? 'and says why' : 'NOT TRIED: there is no openssl on this machine', () => {
    // The program asks again where a connection breaks: all wait at once.
    it.concurrent.each<readonly [string, string, () => Record<string, string>]>([
      ['none', '-tls1_3', () => ({})],
      ['none', '-tls1_2', () => ({})],
      ['another', '-tls1_3', () => shows('stranger')],
      ['another', '-tls1_2', () => shows('stranger')],
    ])('is understood by who shows %s (%s)', async (_name, version, files) => {
      const file = (name: string): string => join(folder, name);
      const args = [
        's_server',
        '-accept',
        '127.0.0.1:0',
        '-cert',
        file('server.pem'),
        '-key',
        file('server.key'),
        '-www',
      ];
      const asks = ['-CAfile', file('client.pem'), '-Verify', '1', '-verify_return_error', version];
      const server = spawn('openssl', [...args, ...asks], { stdio: ['ignore', 'pipe', 'ignore'] });
      try {
        let said = '';
        for await (const part of server.stdout) if (/ACCEPT [^\n]*:\d+/.test((said += String(part)))) break;
        const port = /ACCEPT [^\n]*:(\d+)/.exec(said)?.[1] ?? '';
        const env = { ...files(), PLATFORM_SERVER_URL: `https://localhost:${port}` };
        const { code, text } = await sync(['lookup', 'getTeamList'], env);
        expect([code, text]).toEqual([1, expect.stringContaining('SYNC_CLIENT_CERT')]);
        // Later versions say it after the handshake, and the connection is gone by then.
        if (version === '-tls1_2') expect(text).toContain('client-certificate-refused');
      } finally {
        server.kill();
      }
    });
  });

  it.each([
    ['a key of another certificate', () => shows('client', 'stranger')],
    ['a file that holds none', () => ({ ...shows('client'), SYNC_CLIENT_CERT: join(folder, 'no.pem') })],
  ])('is not even asked with %s', async (_name, files) => {
    const { code, text } = await sync(['lookup', 'getTeamList'], files());
    expect([code, text]).toEqual([1, expect.stringContaining('client-certificate-unusable')]);
    expect(text).not.toContain('please report');
  });
});

describe('an authority of its own', () => {
  it('is refused until it is named, and then trusted', async () => {
    const unnamed = await sync(['lookup', 'getTeamList'], { ...shows('client'), NODE_EXTRA_CA_CERTS: '' });
    expect([unnamed.code, unnamed.text]).toEqual([1, expect.stringContaining('certificate-refused')]);
    expect(unnamed.text).toContain('NODE_EXTRA_CA_CERTS');
    expect(await sync(['lookup', 'getTeamList'], shows('client'))).toMatchObject({ code: 0 });
  });
});
