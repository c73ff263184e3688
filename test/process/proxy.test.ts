import { execFile } from 'node:child_process';
import { createServer, request } from 'node:https';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { builtProgram } from '../harness/built.js';
import { accountKey } from '../providers/cloud/token-server.js';
import { startCountingProxy, type CountingProxy } from './counting-proxy.js';

const program = await builtProgram();
/** None of these exist: a request that does not take the proxy goes nowhere. */
const hosts = ['platform', 'cloud', 'review', 'hooks', 'collector'].map((name) => `${name}.example.test`);
const tokenHost = 'oauth2.googleapis.com';
const password = 'canary-proxy-password';

let folder: string;
let sandbox: RunningSandbox;
let others: ReturnType<typeof createServer>;
let proxy: CountingProxy;
const asked: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-proxy-'));
  const tls = { names: [...hosts, tokenHost] };
  sandbox = await startSandbox({ quiet: true, data: join(folder, 'sandbox'), tls });
  const [cert, key] = await Promise.all(
    ['cert', 'key'].map((name) => readFile(join(folder, `sandbox/sandbox-${name}.pem`), 'utf8')),
  );
  // Stands for whatever is told about a run: takes all.
  others = createServer({ cert: cert ?? '', key: key ?? '' }, (asking, response) => {
    asked.push(`${asking.method} ${asking.headers.host}`);
    asking.resume().on('end', () => {
      const made = {
        number: 1,
        body: '',
        html_url: 'https://review.example.test/1',
        ...{ id: 7, login: 'me', user: { id: 7, login: 'me', type: 'User' } },
        ...{ state: 'open', merged: false, merge_commit_sha: null, head: { sha: 'a'.repeat(40) } },
      };
      const isList = asking.method === 'GET' && !/\/(?:user|pulls\/\d+)$/.test(asking.url ?? '');
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(isList ? [] : made));
    });
  });
  await new Promise<void>((listening) => others.listen(0, '127.0.0.1', listening));
  const otherPort = (others.address() as AddressInfo).port;
  const atSandbox = new Set([hosts[0], hosts[1], tokenHost]);
  proxy = await startCountingProxy((host) => (atSandbox.has(host) ? sandbox.port : otherPort));
  await sync(['init', '--project', 'proxied'], {});
});
beforeEach(() => {
  proxy.tunnels.length = 0;
  proxy.status = 200;
});
afterAll(async () => {
  await proxy.close();
  others.closeAllConnections();
  await new Promise<void>((closed) => others.close(() => closed()));
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly text: string;
}

async function sync(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const own = {
    PATH: process.env['PATH'],
    HOME: folder,
    NODE_EXTRA_CA_CERTS: join(folder, 'sandbox/sandbox-cert.pem'),
  };
  return new Promise((ended) => {
    execFile(process.execPath, [program, '-C', folder, ...argv], { env: { ...own, ...env } }, (error, out, err) =>
      ended({ code: typeof error?.code === 'number' ? error.code : 0, text: out + err }),
    );
  });
}

/** Without a change there is no news to post. */
async function changeOutside(): Promise<void> {
  const found = await sync(['state', 'show', 'hello'], behindProxy());
  const { identity } = JSON.parse(found.text) as { readonly identity: { readonly id: string } };
  const ca = await readFile(join(folder, 'sandbox/sandbox-cert.pem'), 'utf8');
  const headers = { 'content-type': 'application/json' };
  await new Promise<void>((done, failed) => {
    const sent = request(
      `${sandbox.url}/_sandbox/objects/apis/${identity.id}`,
      { method: 'POST', ca, headers },
      (answer) => {
        answer.resume().on('end', done);
      },
    );
    sent.on('error', failed).end('{"description": "by hand"}');
  });
}

const behindProxy = (): Record<string, string> => ({
  HTTPS_PROXY: proxy.url.replace('//', `//user:${password}@`),
  PLATFORM_SERVER_URL: `https://${hosts[0]}`,
  PLATFORM_TOKEN: 'any',
});

describe('behind a proxy that the environment names', () => {
  it('every request to the platform takes it, with its credentials, and TLS goes through to the end', async () => {
    const { code, text } = await sync(['apply', '--yes'], behindProxy());
    expect([code, text]).toEqual([0, expect.stringContaining('2 done, 0 failed')]);
    expect(new Set(proxy.tunnels)).toEqual(new Set(['platform.example.test:443']));
    expect([...proxy.credentials]).toEqual([`Basic ${Buffer.from(`user:${password}`).toString('base64')}`]);
  });

  it('so do a policy and the token for it', async () => {
    await writeFile(join(folder, 'key.json'), JSON.stringify(accountKey()));
    const { code, text } = await sync(
      ['lookup', 'getServiceIamPolicy', 'serviceName=payments.endpoints.example.cloud.goog'],
      {
        ...behindProxy(),
        GOOGLE_CREDENTIALS: join(folder, 'key.json'),
        GOOGLE_SERVICE_MANAGEMENT_CUSTOM_ENDPOINT: `https://${hosts[1]}/v1/`,
      },
    );
    expect([code, text]).toEqual([0, expect.stringContaining('policyData')]);
    expect(new Set(proxy.tunnels)).toEqual(new Set(['oauth2.googleapis.com:443', 'cloud.example.test:443']));
  });

  it('so do the webhook, the metrics and the issue of a drift check, and the comment', async () => {
    const review = {
      GITHUB_API_URL: `https://${hosts[2]}`,
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_TOKEN: 'canary',
      ...behindProxy(),
    };
    await changeOutside();
    const told = [
      '--webhook',
      `https://${hosts[3]}/x`,
      '--otlp',
      `https://${hosts[4]}`,
      '--issue',
      '--platform',
      'github',
    ];
    await sync(['drift', ...told], review);
    await sync(['plan', '--out', 'plan.json'], behindProxy());
    await sync(['comment', 'plan.json', '--platform', 'github', '--request', '4'], review);
    expect(new Set(proxy.tunnels)).toEqual(
      new Set(['platform', 'review', 'hooks', 'collector'].map((name) => `${name}.example.test:443`)),
    );
    expect(new Set(asked)).toEqual(
      new Set([
        ...['POST hooks.example.test', 'POST collector.example.test'],
        ...['GET review.example.test', 'POST review.example.test'],
      ]),
    );
  });

  it('hosts of NO_PROXY are reached directly, and small letters count', async () => {
    const { HTTPS_PROXY: https_proxy = '', ...rest } = behindProxy();
    await sync(['lookup', 'getPlatformIpAddresses'], { ...rest, https_proxy });
    expect(proxy.tunnels).toEqual(['platform.example.test:443']);
    proxy.tunnels.length = 0;
    const direct = { ...behindProxy(), PLATFORM_SERVER_URL: sandbox.url.replace('127.0.0.1', 'localhost') };
    const { code } = await sync(['lookup', 'getPlatformIpAddresses'], { ...direct, NO_PROXY: 'example.test' });
    expect([code, proxy.tunnels]).toEqual([0, []]);
  });

  it('what goes to this machine in clear text never takes it', async () => {
    const plain = await startSandbox({ quiet: true });
    try {
      const env = { ...behindProxy(), HTTP_PROXY: proxy.url, PLATFORM_SERVER_URL: plain.url };
      expect(await sync(['lookup', 'getPlatformIpAddresses'], env)).toMatchObject({ code: 0 });
      expect(proxy.tunnels).toEqual([]);
    } finally {
      await plain.close();
    }
  });

  it('a proxy that says no is told, and what it was not asked twice is not unknown', async () => {
    proxy.status = 407;
    const { code, text } = await sync(['lookup', 'getPlatformIpAddresses'], behindProxy());
    expect([code, text]).toEqual([1, expect.stringContaining('the proxy answered 407')]);
    expect(text).not.toContain(password);
  });

  it.each(['http://', 'socks5://proxy:1', `ftp://x:${password}@proxy`])(
    '%s is no proxy, and not repeated',
    async (url) => {
      const { code, text } = await sync(['plan'], { ...behindProxy(), HTTPS_PROXY: url });
      expect([code, text]).toEqual([1, expect.stringContaining('proxy-unusable')]);
      expect(text).not.toContain(password);
    },
  );
});

describe('a client certificate', () => {
  it.each([
    [{ SYNC_CLIENT_CERT: 'a.pem' }, 'SYNC_CLIENT_KEY is not'],
    [{ SYNC_CLIENT_CERT: '/nowhere.pem', SYNC_CLIENT_KEY: '/nowhere.key' }, "can't be read: ENOENT"],
  ])('%j is refused: %s', async (files, words) => {
    const { code, text } = await sync(['plan'], { ...behindProxy(), ...files });
    expect([code, text]).toEqual([1, expect.stringContaining(words)]);
  });
});
