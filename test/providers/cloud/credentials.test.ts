import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { defaultScopes, headerNames, libraryTokenUrl, variables, type CloudHosts } from '@platform-sync/cloud/wire';
import { deadPort, loopback, type Reaction, type SeenRequest } from '../http/loopback.js';
import { canary, failure, rig, service, type Rig } from './rig.js';
import { accountKey, claims, paths, personKey, tokenServer, trail } from './token-server.js';

const ask = `/v1/services/${service}:getIamPolicy`;

type React = (request: SeenRequest, nth: number) => Reaction;

interface Started extends Rig {
  readonly origin: string;
}

/** A provider without a ready-made token, token servers on loopback. */
async function start(
  settingsAt: (origin: string) => JsonObject,
  { react = tokenServer, env = {} }: { readonly react?: React; readonly env?: Record<string, string> } = {},
): Promise<Started> {
  // The settings name the server, so it comes first; the policy endpoint is the same one.
  const server = await loopback(react);
  const { origin } = server;
  const hosts: Partial<CloudHosts> = {
    exchange: origin + paths.exchange,
    impersonation: origin,
    token: origin + paths.token,
  };
  const settings = { accessToken: null, serviceManagementCustomEndpoint: `${origin}/v1/`, ...settingsAt(origin) };
  const made = await rig(() => ({ status: 500 }), { settings, env }, { hosts });
  onTestFinished(() => server.close());
  return { ...made, server, origin };
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cloud-credentials-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const inline = (content: JsonObject): JsonObject => ({ credentials: JSON.stringify(content) });

describe('a key of a service account', () => {
  test('is exchanged at the address it names, by an assertion for that address and the scopes', async () => {
    const { origin, server, lookup } = await start((at) => inline(accountKey({ token_uri: at + paths.token })));
    await lookup();
    expect(trail(server.seen)).toEqual([`${paths.token} ← nobody`, `${ask} ← Bearer from-jwt-bearer`]);
    const assertion = new URLSearchParams(server.seen[0]?.body).get('assertion') ?? '';
    expect(claims(assertion)).toMatchObject({
      iss: 'robot@example.com',
      aud: origin + paths.token,
      scope: defaultScopes.join(' '),
    });
  });

  test.each([
    ['no address', {}],
    ["the vendor's own address", { token_uri: libraryTokenUrl }],
  ])('with %s goes where all go', async (_name, more) => {
    const { server, lookup } = await start(() => inline(accountKey(more)));
    await lookup();
    expect(server.seen[0]?.url).toBe(paths.token);
  });

  test('may ask for other scopes', async () => {
    const scopes = ['https://scopes.example/one', 'https://scopes.example/two'];
    const { server, lookup } = await start((at) => ({
      ...inline(accountKey({ token_uri: at + paths.token })),
      scopes,
    }));
    await lookup();
    const assertion = new URLSearchParams(server.seen[0]?.body).get('assertion') ?? '';
    expect(claims(assertion)).toHaveProperty('scope', scopes.join(' '));
  });

  test('is exchanged once for several lookups', async () => {
    const { server, lookup } = await start((at) => inline(accountKey({ token_uri: at + paths.token })));
    await Promise.all([lookup(), lookup({ serviceName: 'other.example' })]);
    await lookup();
    expect(server.seen.filter(({ url }) => url === paths.token)).toHaveLength(1);
  });

  test('of another cloud signs its own token there', async () => {
    const universe = 'cloud.example';
    const { server, lookup } = await start(() => ({
      ...inline(accountKey({ universe_domain: universe })),
      universeDomain: universe,
    }));
    await lookup();
    expect(server.seen.map(({ url }) => url)).toEqual([ask]);
    const jwt = server.seen[0]?.headers.authorization?.replace('Bearer ', '') ?? '';
    expect(claims(jwt)).toMatchObject({ iss: 'robot@example.com', scope: defaultScopes.join(' ') });
  });

  test.each([
    ['the default cloud', { universe_domain: 'cloud.example' }, {}, 'universeDomain: cloud.example'],
    ['another cloud', {}, { universeDomain: 'cloud.example' }, /Remove the setting universeDomain/],
  ])('does not go to %s when it is of a third', async (_name, key, settings, hint) => {
    const { server, lookup } = await start(() => ({ ...inline(accountKey(key)), ...settings }));
    const error = await failure(lookup());
    expect(error.kind).toBe('configuration');
    expect(error.diagnostics[0]).toMatchObject({ code: 'cloud-universe-mismatch', hint: expect.stringMatching(hint) });
    expect(server.seen).toHaveLength(0);
  });
});

describe('a file', () => {
  test.each([
    ['of a setting', (path: string) => ({ settings: { credentials: path }, env: {} })],
    ['of a variable', (path: string) => ({ settings: {}, env: { [variables.credentials[0]]: path } })],
    [
      'of default credentials',
      (path: string) => ({ settings: {}, env: { [variables.defaultCredentialsFile[0]]: path } }),
    ],
  ])('%s is read', async (_name, configure) => {
    const path = join(await folder(), 'key.json');
    const { settings, env } = configure(path);
    const { origin, server, lookup } = await start(() => settings, { env });
    await writeFile(path, `\ufeff${JSON.stringify(accountKey({ token_uri: origin + paths.token }))}`);
    await lookup();
    expect(trail(server.seen).at(-1)).toBe(`${ask} ← Bearer from-jwt-bearer`);
  });

  test('in the home folder', async () => {
    const home = await folder();
    const { origin, server, lookup } = await start(() => ({ credentials: '~/key.json' }), { env: { HOME: home } });
    await writeFile(join(home, 'key.json'), JSON.stringify(accountKey({ token_uri: origin + paths.token })));
    await lookup();
    expect(server.seen).toHaveLength(2);
  });

  test('that was repaired is read again by the next lookup', async () => {
    const path = join(await folder(), 'key.json');
    const { origin, lookup } = await start(() => ({ credentials: path }));
    expect(await failure(lookup())).toMatchObject({ kind: 'configuration' });
    await writeFile(path, JSON.stringify(accountKey({ token_uri: origin + paths.token })));
    expect(await lookup()).toMatchObject({ etag: 'ACAB' });
  });

  test.each<[string, string | undefined, RegExp]>([
    ['that is not there', undefined, /can't be read \(ENOENT\)/],
    ['that is no JSON', '-----BEGIN canary-private-key', /holds no JSON object/],
    ['that is a list', '["canary-private-key"]', /holds no JSON object/],
    ['without a type', '{"private_key":"canary-private-key"}', /has no "type" that is known/],
    ['of an unknown type', '{"type":"canary-private-key"}', /has no "type" that is known/],
    ['of a type all objects know', '{"type":"constructor"}', /has no "type" that is known/],
    [
      'without what the type needs',
      '{"type":"service_account","private_key":"canary-private-key"}',
      /lacks "client_email"/,
    ],
    [
      'that names a server in clear text',
      JSON.stringify(personKey({ token_uri: 'http://example.com/token' })),
      /"token_uri" that is not an https/,
    ],
    [
      'that hides such a server',
      JSON.stringify({
        type: 'impersonated_service_account',
        service_account_impersonation_url: 'https://example.com/a:generateAccessToken',
        source_credentials: personKey({ token_uri: 'http://example.com/' }),
      }),
      /"token_uri" that is not an https/,
    ],
    [
      'without the inner credentials',
      '{"type":"impersonated_service_account","service_account_impersonation_url":"https://example.com/a:generateAccessToken"}',
      /lacks "source_credentials"/,
    ],
    [
      'whose address names no account',
      JSON.stringify({
        type: 'impersonated_service_account',
        service_account_impersonation_url: 'https://example.com/',
        source_credentials: personKey(),
      }),
      /no usable impersonated_service_account/,
    ],
  ])('%s is refused before anything is sent', async (_name, text, said) => {
    const path = join(await folder(), 'key.json');
    if (text !== undefined) await writeFile(path, text);
    const { server, lookup } = await start(() => ({ credentials: path }));
    const error = await failure(lookup());
    expect(error.kind).toBe('configuration');
    expect(error.diagnostics[0]?.code).toBe('unusable-cloud-credentials');
    expect(error.message).toMatch(said);
    expect(error.message).toContain(path);
    expect(JSON.stringify(error.diagnostics)).not.toContain('canary');
    expect(server.seen).toHaveLength(0);
  });
});

describe('other kinds of credentials', () => {
  test("a person's login is refreshed, and its own project counted", async () => {
    const { server, lookup } = await start(() => inline(personKey({ quota_project_id: 'mine' })));
    await lookup();
    expect(trail(server.seen)).toEqual([`${paths.token} ← nobody`, `${ask} ← Bearer from-refresh_token`]);
    expect(server.seen[1]?.headers).toHaveProperty(headerNames.quotaProject, 'mine');
  });

  test('the project of the settings beats the one of the login', async () => {
    const login = inline(personKey({ quota_project_id: 'mine' }));
    const { server, lookup } = await start(() => ({ ...login, billingProject: 'ours', userProjectOverride: true }));
    await lookup();
    expect(server.seen[1]?.headers).toHaveProperty(headerNames.quotaProject, 'ours');
  });

  test.each([
    ['alone', false, 'from-exchange'],
    ['with a service account behind it', true, 'as-robot@example.com'],
  ])('an external account %s', async (_name, behind, result) => {
    const path = join(await folder(), 'identity');
    await writeFile(path, 'canary-foreign-identity');
    const { server, lookup } = await start((at) =>
      inline({
        type: 'external_account',
        audience: '//audience.example/pool',
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        token_url: at + paths.exchange,
        credential_source: { file: path },
        ...(behind && {
          service_account_impersonation_url: `${at}${paths.impersonate}robot@example.com:generateAccessToken`,
        }),
      }),
    );
    await lookup();
    const exchange = new URLSearchParams(server.seen[0]?.body);
    expect(exchange.get('subject_token')).toBe('canary-foreign-identity');
    expect(exchange.get('audience')).toBe('//audience.example/pool');
    expect(trail(server.seen).at(-1)).toBe(`${ask} ← Bearer ${result}`);
    expect(server.seen).toHaveLength(behind ? 3 : 2);
  });

  test('an external user', async () => {
    const { server, lookup } = await start((at) =>
      inline({
        ...personKey(),
        type: 'external_account_authorized_user',
        audience: '//a',
        token_url: at + paths.token,
      }),
    );
    await lookup();
    expect(trail(server.seen).at(-1)).toBe(`${ask} ← Bearer from-refresh_token`);
  });

  test('an impersonated account, its inner key going to its own address', async () => {
    const { server, lookup } = await start((at) =>
      inline({
        type: 'impersonated_service_account',
        service_account_impersonation_url: `${at}${paths.impersonate}target@example.com:generateAccessToken`,
        delegates: ['via@example.com'],
        source_credentials: accountKey({ token_uri: at + paths.token }),
      }),
    );
    await lookup();
    expect(trail(server.seen)).toEqual([
      `${paths.token} ← nobody`,
      `${paths.impersonate}target@example.com:generateAccessToken ← Bearer from-jwt-bearer`,
      `${ask} ← Bearer as-target@example.com`,
    ]);
    expect(JSON.parse(server.seen[1]?.body ?? '')).toMatchObject({
      delegates: ['via@example.com'],
      scope: defaultScopes,
    });
  });

  test('a foreign identity from the settings', async () => {
    const identity = { audience: '//a', serviceAccountEmail: 'robot@example.com', identityToken: 'canary-identity' };
    const { server, lookup } = await start(() => ({ externalCredentials: JSON.stringify(identity) }));
    await lookup();
    expect(new URLSearchParams(server.seen[0]?.body).get('subject_token')).toBe('canary-identity');
    expect(trail(server.seen)).toEqual([
      `${paths.exchange} ← nobody`,
      `${paths.impersonate}robot%40example.com:generateAccessToken ← Bearer from-exchange`,
      `${ask} ← Bearer as-robot@example.com`,
    ]);
  });
});

describe('acting as a service account', () => {
  test.each([
    ['from the settings', { impersonateServiceAccount: 'target@example.com' }, {}],
    ['from the environment', {}, { [variables.impersonate[0]]: 'target@example.com' }],
  ])('%s, over a ready-made token', async (_name, settings, env) => {
    const { server, lookup } = await start(
      () => ({ accessToken: canary, impersonateServiceAccountDelegates: ['via@example.com'], ...settings }),
      { env },
    );
    await lookup();
    expect(trail(server.seen)).toEqual([
      `${paths.impersonate}target@example.com:generateAccessToken ← Bearer ${canary}`,
      `${ask} ← Bearer as-target@example.com`,
    ]);
    expect(JSON.parse(server.seen[0]?.body ?? '')).toMatchObject({
      delegates: ['via@example.com'],
      scope: defaultScopes,
      lifetime: '3600s',
    });
  });

  test('over a key', async () => {
    const key = inline(accountKey());
    const { server, lookup } = await start(() => ({ ...key, impersonateServiceAccount: 'target@example.com' }));
    await lookup();
    expect(server.seen.map(({ url }) => url)).toHaveLength(3);
    expect(trail(server.seen).at(-1)).toBe(`${ask} ← Bearer as-target@example.com`);
  });

  test('without the right to: the words of the service, and who it was', async () => {
    const react: React = (request) =>
      request.url.startsWith(paths.impersonate)
        ? { status: 403, json: { error: { code: 403, message: `no right, ${canary}`, status: 'PERMISSION_DENIED' } } }
        : tokenServer(request);
    const settings = { accessToken: canary, impersonateServiceAccount: 'target@example.com' };
    const { provider, lookup } = await start(() => settings, { react });
    const error = await failure(lookup());
    expect(error.kind).toBe('unauthenticated');
    expect(error.message).toMatch(/no right, \(secret\)/);
    expect(error.diagnostics[0]?.hint).toMatch(/the setting accessToken, acting as target@example.com/);
    expect(provider.requests()).toBe(0);
  });
});

describe('a token server', () => {
  test('that refuses is told, without secrets, and not asked again by us', async () => {
    const react: React = ({ body }) => ({
      status: 400,
      json: { error: 'invalid_grant', error_description: `Revoked: ${decodeURIComponent(body)}` },
    });
    const { provider, lookup } = await start(() => inline(personKey()), { react });
    const error = await failure(lookup());
    expect(error.kind).toBe('unauthenticated');
    expect(error.diagnostics[0]).toMatchObject({ code: 'refused-cloud-credentials' });
    expect(error.diagnostics[0]?.hint).toMatch(/the setting credentials/);
    expect(error.message).toMatch(/invalid_grant/);
    // The cause of an error is printed, too, when somebody inspects it.
    expect(`${JSON.stringify(error.diagnostics)} ${String(error.cause)} ${error.stack}`).not.toContain('canary');
    expect(provider.requests()).toBe(0);
  });

  test('that is down for a moment is asked again', async () => {
    let refusals = 2;
    const react: React = (request) =>
      request.url === paths.token && refusals-- > 0 ? { status: 503, text: 'later' } : tokenServer(request);
    const { clock, lookup } = await start(() => inline(accountKey()), { react });
    expect(await lookup()).toMatchObject({ etag: 'ACAB' });
    expect(clock.waits).toEqual([500, 1000]);
  });

  test('whose answer has no end is not read whole, packed or not', async () => {
    const bomb = JSON.stringify({ access_token: 'x'.repeat(30_000_000) });
    for (const encoding of ['identity', 'gzip']) {
      const body = encoding === 'gzip' ? gzipSync(bomb) : Buffer.from(bomb);
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      const react: React = ({ url }) =>
        url === paths.token ? (response) => response.writeHead(200, headers).end(body) : { status: 500 };
      const { provider, lookup } = await start(() => inline(accountKey()), { react });
      expect((await failure(lookup())).message).toMatch(/over limit/);
      expect(provider.requests()).toBe(0);
    }
  });

  test('that nobody runs', async () => {
    const address = `http://127.0.0.1:${deadPort}/token`;
    const { provider, clock, lookup } = await start(() => inline(accountKey({ token_uri: address })));
    const error = await failure(lookup());
    expect(error.kind).toBe('unavailable');
    expect(error.diagnostics[0]).toMatchObject({
      code: 'cloud-token-unavailable',
      detail: expect.stringMatching(/setting credentials/),
    });
    expect(clock.waits).toHaveLength(5);
    expect(provider.requests()).toBe(0);
  });

  test('that never answers does not outlast the deadline', async () => {
    let asked = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (asked = resolve));
    const { clock, lookup } = await start(() => inline(accountKey()), { react: () => () => asked() });
    const run = failure(lookup());
    await waiting;
    clock.strike();
    expect((await run).kind).toBe('unavailable');
  });
});

test('a private key that is none is refused without being shown', async () => {
  const { lookup } = await start(() => inline(accountKey({ private_key: 'canary-private-key' })));
  const error = await failure(lookup());
  expect(error.kind).toBe('unauthenticated');
  expect(error.message).not.toContain('canary');
});
