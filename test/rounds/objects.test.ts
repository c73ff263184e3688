import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openProject } from '@platform-sync/engine/engine';
import { providerPackages } from '@platform-sync/sdk/registry';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { fakeProgram } from '../cli/fake-host.js';

let sandbox: RunningSandbox;
let plane: string;

async function post(path: string, body: object): Promise<string> {
  const answer = await fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { id: string }).id;
}

beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true });
  plane = await post('/v2/control-planes', { name: 'shop' });
  const core = `/v2/control-planes/${plane}/core-entities`;
  for (const name of ['orders', 'users', '42'])
    await post(`${core}/services`, { name, host: `${name}.example.com`, port: name === 'users' ? 443 : 80 });
  const upstream = await post(`${core}/upstreams`, { name: 'orders' });
  await post(`${core}/upstreams/${upstream}/targets`, { target: '10.0.0.1:80', weight: 5 });
  await post(`${core}/plugins`, {
    name: 'saml',
    instance_name: 'sign-in',
    config: {
      ...{ assertion_consumer_path: '/c', idp_sso_url: 'https://i.example.com', issuer: 'a' },
      session_secret: 'canary'.padEnd(32, '-'),
    },
  });
  await post(`${core}/plugins`, { name: 'shop-sign', instance_name: 'sign', config: { maxAge: 3, seed: 'canary' } });
  const api = await post('/v3/apis', { name: 'Petstore', description: 'Pets\u001b[31m' });
  await post(`/v3/apis/${api}/documents`, { title: 'Guide', slug: 'guide', content: '# Guide' });
});
afterAll(() => sandbox.close());

async function sync(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const { run } = fakeProgram({
    host: {
      env: { PLATFORM_SERVER_URL: sandbox.url, PLATFORM_TOKEN: 'any' },
      openProject,
      packages: async () => providerPackages,
    },
  });
  return run(...argv);
}

it('a plugin of any name is found by that and by its instance name, and no plugin of a kind is', async () => {
  for (const name of ['shop-sign', 'sign']) {
    const { code, out } = await sync('get', 'GatewayCustomPlugin', name, '--parent', 'shop');
    expect([code, parse(out)]).toMatchObject([0, { name: 'shop-sign', instanceName: 'sign' }]);
    // Nothing is known of its settings, so each text of them is a secret.
    expect(parse(out)).toMatchObject({ config: { maxAge: 3 } });
    expect(out).not.toContain('canary');
  }
  expect((await sync('get', 'GatewayCustomPlugin', 'saml', '--parent', 'shop')).err).toContain('There is no');
});

describe('sync get without a name', () => {
  it('shows a table, in the order of the names', async () => {
    const { code, out } = await sync('get', 'GatewayService', '--parent', 'shop');
    expect(code).toBe(0);
    const lines = out.split('\n');
    expect(lines[0]).toMatch(/^name +host +.* id$/);
    expect(lines.slice(1, 4).map((line) => /\b(42|orders|users)\b/.exec(line)?.[0])).toEqual(['42', 'orders', 'users']);
  });

  it.each([
    [['--filter', 'port=443'], ['users']],
    [['--filter', 'name.contains=ORD'], ['orders']],
    [['--filter', 'name=42'], ['42']],
    [['--filter', 'port=80', '--filter', 'name.neq=42'], ['orders']],
  ])('only those that %j means', async (words, names) => {
    const { out } = await sync(
      'get',
      'gatewayservice',
      '--parent',
      `controlPlaneId=${plane}`,
      '--format',
      'json',
      ...words,
    );
    expect((JSON.parse(out) as { name: string }[]).map(({ name }) => name)).toEqual(names);
  });

  it('goes down through what objects live in, by name or id', async () => {
    const words = ['get', 'platform:GatewayTarget', '--parent', 'shop', '--parent', 'orders', '--format', 'yaml'];
    expect(parse((await sync(...words)).out)).toMatchObject([{ target: '10.0.0.1:80', weight: 5 }]);
  });

  it('says that there are none', async () => {
    expect(await sync('get', 'DcrProvider')).toEqual({ code: 0, out: 'No DcrProvider.\n', err: '' });
  });

  it.each([
    [['get', 'GatewayServic'], 'unknown-type', 'Did you mean'],
    [['get', 'GatewayPlugin'], 'unknown-type', 'Did you mean one of GatewayPluginACL, '],
    [['get', 'eventgatewaycons'], 'unknown-type', 'EventGatewayConsumePolicyDecrypt, '],
    [['get', 'GatewayService'], 'parent-missing', '--parent NAME --parent controlPlaneId=ID'],
    [['get', 'GatewayService', '--parent', 'controlPlaneId=shop'], 'bad-question', '"controlPlaneId" must be an id'],
    [['get', 'Api', '--parent', 'x'], 'parent-unknown', 'live in nothing else'],
    [['get', 'GatewayService', '--parent', 'shp'], 'nothing-found', 'shop'],
    [['get', 'Api', '--filter', 'nam=x'], 'bad-question', 'Did you mean name?'],
    [['get', 'Api', '--filter', 'name'], 'bad-question', 'name.contains=ord'],
    [['get', 'Api', '--filter', 'name.contain=x'], 'bad-question', 'Did you mean contains?'],
    [['get', 'Api', '--filter', 'version.gt=3'], 'bad-question', 'Operators are eq, neq'],
    [['get', 'ApiDocument', '--parent', 'apiId=hello'], 'bad-question', 'sync schema getApiDocument'],
    [['get', 'Api', 'petstore'], 'nothing-found', 'Did you mean Petstore?'],
    [['get', 'Api', '--filter', 'name=a', '--filter', 'name=b'], 'bad-question', 'twice'],
    [['get', 'CMEK'], 'bad-question', 'sync get CMEK ID'],
    [['get', 'GatewayService', 'order', '--parent', 'shop'], 'nothing-found', 'Did you mean orders?'],
    [['get', 'GatewayService', '--parent', 'shop', '--one'], 'several-found', '42, orders'],
  ])('%j is an error that says what to do', async (argv, code, text) => {
    const found = await sync(...argv);
    expect(found.code).toBe(1);
    expect(found.out).toBe('');
    expect(found.err).toContain(code);
    expect(
      found.err
        .replaceAll(/\([0-9a-f-]{36}\)| {2,}|\n/g, ' ')
        .replaceAll(/ +,/g, ',')
        .replaceAll(/ +/g, ' '),
    ).toContain(text);
    const json = await sync(...argv, '--format', 'json');
    expect(JSON.parse(json.out)).toMatchObject({ ok: false });
  });
});

describe('sync get', () => {
  it('shows one object in full', async () => {
    const { code, out, err } = await sync('get', 'ApiDocument', 'guide', '--parent', 'Petstore');
    expect([code, err]).toEqual([0, '']);
    expect(parse(out)).toMatchObject({ title: 'Guide', slug: 'guide', content: '# Guide' });
  });

  it('takes the type alone where there is only one', async () => {
    const { out } = await sync('get', 'Api', '--one', '--format', 'json');
    expect(JSON.parse(out)).toMatchObject({ name: 'Petstore' });
  });

  it.each(['table', 'yaml', 'json'])('shows no secret, and nothing that moves a terminal, as %s', async (format) => {
    const secret = await sync('get', 'GatewayPluginSaml', '--parent', 'shop', '--format', format);
    expect(secret.out).toContain('sign-in');
    expect(secret.out).not.toContain('canary');
    const { out } = await sync('get', 'Api', '--format', format);
    expect(out).toContain('Petstore');
    expect(out).not.toContain('\u001b');
  });
});

it('sync schema TYPE --example writes a block; it is about one type', async () => {
  const { code, out } = await sync('schema', 'ApiDocument', '--example');
  expect([code, out]).toEqual([0, expect.stringContaining('type: platform:ApiDocument')]);
  expect((await sync('schema', '--example')).code).toBe(64);
  expect((await sync('schema', 'ApiDocumen', '--example')).err).toContain('did you mean ApiDocument?');
});
