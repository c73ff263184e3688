import { describe, expect, test } from 'vitest';
import type { Json } from '@platform-sync/core/model/value';
import { ProviderError } from '@platform-sync/core/model/provider';
import { cloudPackage } from '@platform-sync/cloud/package';
import { readSettings } from '@platform-sync/cloud/settings';
import { defaultScopes, defaultUniverse, hostsOf, variables } from '@platform-sync/cloud/wire';

type Record_ = Readonly<Record<string, Json>>;

function read(settings: Record_ = {}, env: Readonly<Record<string, string>> = {}): ReturnType<typeof readSettings> {
  return readSettings({ settings, env });
}

function refusal(settings: Record_, env: Readonly<Record<string, string>> = {}): string {
  try {
    read(settings, env);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    expect(error.kind).toBe('configuration');
    const [diagnostic] = error.diagnostics;
    expect(diagnostic?.hint).toBeTruthy();
    return `${diagnostic?.code ?? ''}: ${diagnostic?.summary ?? ''}`;
  }
  throw new Error('nothing was refused');
}

const [tokenVariable] = variables.accessToken;
const [firstKey, secondKey, thirdKey] = variables.credentials;
const exchange = { audience: '//a', serviceAccountEmail: 'sa@example.com', identityToken: 'foreign-identity' };

describe('the credentials used', () => {
  test.each<[string, Record_, Record<string, string>, object]>([
    ['nothing', {}, {}, { kind: 'default' }],
    ['a token', { accessToken: 't1' }, {}, { kind: 'token', token: 't1', source: 'the setting accessToken' }],
    ['a token with its scheme', { accessToken: 'Bearer t1' }, {}, { kind: 'token', token: 't1' }],
    ['a key', { credentials: 'key.json' }, {}, { kind: 'key', pathOrText: 'key.json' }],
    ['an exchange', { externalCredentials: exchange }, {}, { kind: 'exchange', ...exchange }],
    ['an exchange as text', { externalCredentials: JSON.stringify(exchange) }, {}, { kind: 'exchange', ...exchange }],
    ['a token variable', {}, { [tokenVariable]: 't2' }, { kind: 'token', token: 't2' }],
    ['an empty variable', {}, { [tokenVariable]: ' ' }, { kind: 'default' }],
    ['token before key variable', {}, { [tokenVariable]: 't2', [firstKey]: 'k' }, { kind: 'token', token: 't2' }],
    ['the first key variable', {}, { [thirdKey]: 'k3', [firstKey]: 'k1', [secondKey]: 'k2' }, { pathOrText: 'k1' }],
    ['the second key variable', {}, { [thirdKey]: 'k3', [firstKey]: '', [secondKey]: 'k2' }, { pathOrText: 'k2' }],
    [
      'the third key variable',
      {},
      { [thirdKey]: 'k3' },
      { pathOrText: 'k3', source: expect.stringContaining(thirdKey) },
    ],
    [
      'a setting before any variable',
      { credentials: 'k' },
      { [tokenVariable]: 't2', [firstKey]: 'k1' },
      { pathOrText: 'k' },
    ],
  ])('%s', (_name, settings, env, credential) => {
    expect(read(settings, env).credential).toMatchObject(credential);
  });

  test.each<[Record_]>([
    [{ accessToken: 'secret-token', credentials: 'k' }],
    [{ accessToken: 'secret-token', externalCredentials: exchange }],
    [{ credentials: 'k', externalCredentials: exchange }],
  ])('settings that exclude each other: %j', (settings) => {
    const said = refusal(settings);
    expect(said).toMatch(/^conflicting-cloud-credentials: The setting \w+ and the setting \w+ exclude/);
    expect(said).not.toContain('secret-token');
  });

  test('impersonation lies over a token, from settings or environment, but not over an exchange', () => {
    const env = { [variables.impersonate[0]]: 'env@example.com' };
    expect(read({ accessToken: 't' }, env).impersonate).toMatchObject({ email: 'env@example.com', delegates: [] });
    const settings = {
      impersonateServiceAccount: 'set@example.com',
      impersonateServiceAccountDelegates: ['via@example.com'],
    };
    expect(read(settings, env).impersonate).toMatchObject({ email: 'set@example.com', delegates: ['via@example.com'] });
    expect(read({ ...settings, externalCredentials: exchange }, env).impersonate).toBeUndefined();
  });
});

describe('settings that cannot be right', () => {
  test.each<[string, Record_, RegExp]>([
    ['an empty token', { accessToken: '' }, /^invalid-cloud-setting: The setting accessToken is empty/],
    ['a token that is no text', { accessToken: 5 }, /accessToken must be a text/],
    ['a token with a line break', { accessToken: 'a\nb' }, /characters that no token has/],
    ['an exchange without a member', { externalCredentials: { audience: 'a' } }, /lacks the text serviceAccountEmail/],
    ['an exchange that is no JSON', { externalCredentials: '{"a' }, /lacks the text audience/],
    ['an account with a slash', { impersonateServiceAccount: 'a/b' }, /not an e-mail address/],
    ['delegates that are no list', { impersonateServiceAccountDelegates: 'a' }, /must be a list of texts/],
    ['no scopes', { scopes: [] }, /must be a list of texts/],
    ['a flag that is no flag', { userProjectOverride: 'perhaps' }, /must be true or false/],
    ['a header with a line break', { requestReason: 'a\nb' }, /can't stand in a header/],
    ['a universe that is no domain', { universeDomain: 'https://x/' }, /is not a domain/],
    ['a time span without a unit', { requestTimeout: '10x' }, /must be a time span/],
    ['no time at all', { requestTimeout: 0 }, /must be a time span/],
  ])('%s', (_name, settings, said) => {
    expect(refusal(settings)).toMatch(said);
  });
});

describe('the endpoint', () => {
  const variable = variables.endpoint[0];
  test.each<[string, Record_, Record<string, string>, string]>([
    ['the default', {}, {}, hostsOf(defaultUniverse).policies],
    ['another universe', { universeDomain: 'Cloud.Example' }, {}, hostsOf('cloud.example').policies],
    ['the variable', {}, { [variable]: 'https://a.example/v1/' }, 'https://a.example/v1/'],
    [
      'the setting wins',
      { serviceManagementCustomEndpoint: 'https://b.example/v1' },
      { [variable]: 'https://a.example/v1/' },
      'https://b.example/v1/',
    ],
    ['a prefix', { serviceManagementCustomEndpoint: 'https://b.example/gate/v1/' }, {}, 'https://b.example/gate/v1/'],
    [
      'plain http on this machine',
      { serviceManagementCustomEndpoint: 'http://127.0.0.1:80/v1/' },
      {},
      'http://127.0.0.1/v1/',
    ],
    ['the same by IPv6', { serviceManagementCustomEndpoint: 'http://[::1]:8080/v1/' }, {}, 'http://[::1]:8080/v1/'],
  ])('%s', (_name, settings, env, url) => {
    const { origin, prefix } = read(settings, env).endpoint;
    expect(`${origin}${prefix}/`).toBe(url);
  });

  test.each([
    ['host.example/v1/', /is not a web address/],
    ['ftp://host.example/v1/', /is not a web address/],
    ['http://host.example/v1/', /plain http/],
    ['http://127.0.0.1.example/v1/', /plain http/],
    ['https://me:pass-word@host.example/v1/', /user name or password/],
    ['https://host.example/v1/?a=b', /query or fragment/],
    ['https://host.example/', /lacks the version/],
  ])('refuses %s', (url, said) => {
    for (const [settings, env] of [
      [{ serviceManagementCustomEndpoint: url }, {}],
      [{}, { [variable]: url }],
    ] as const) {
      const message = refusal(settings, env);
      expect(message).toMatch(/^invalid-cloud-endpoint: The (setting|environment variable) /);
      expect(message).toMatch(said);
      expect(message).not.toContain('pass-word');
    }
  });
});

describe('the rest', () => {
  test('defaults', () => {
    expect(read()).toMatchObject({ scopes: defaultScopes, universe: defaultUniverse, timeoutMs: 120_000 });
    expect(read()).not.toHaveProperty('quotaProject');
    expect(read()).not.toHaveProperty('requestReason');
  });

  test.each<[Json, number]>([
    ['90s', 90_000],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['250ms', 250],
    [30, 30_000],
  ])('requestTimeout %j', (requestTimeout, ms) => {
    expect(read({ requestTimeout }).timeoutMs).toBe(ms);
  });

  const shared = variables.quotaProject[0];
  test.each<[string, Record_, Record<string, string>, string | undefined]>([
    ['only the project', { billingProject: 'p' }, {}, undefined],
    ['only the flag', { userProjectOverride: true }, {}, undefined],
    ['both', { billingProject: 'p', userProjectOverride: true }, {}, 'p'],
    ['the flag as text', { billingProject: 'p', userProjectOverride: 'T' }, {}, 'p'],
    ['switched off', { billingProject: 'p', userProjectOverride: '0' }, {}, undefined],
    ['both by variable', {}, { [variables.billingProject[0]]: 'e', [variables.userProjectOverride[0]]: '1' }, 'e'],
    ['the shared variable', { billingProject: 'p' }, { [shared]: 's' }, 's'],
    ['all three', { billingProject: 'p', userProjectOverride: true }, { [shared]: 's' }, 'p'],
  ])('the project calls are counted for: %s', (_name, settings, env, project) => {
    expect(read(settings, env).quotaProject).toBe(project);
  });

  test('every setting that is read is one that sync.yaml may hold, and the secret ones are marked', () => {
    const names = [
      'accessToken',
      'credentials',
      'externalCredentials',
      'impersonateServiceAccount',
      'impersonateServiceAccountDelegates',
      'scopes',
      'billingProject',
      'userProjectOverride',
      'requestReason',
      'requestTimeout',
      'universeDomain',
      'serviceManagementCustomEndpoint',
    ];
    expect(Object.keys(cloudPackage.settings).sort()).toEqual([...names].sort());
    const secret = names.filter((name) => cloudPackage.settings[name]?.secret);
    expect(secret).toEqual(['accessToken', 'credentials', 'externalCredentials']);
  });
});
