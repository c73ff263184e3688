import { describe, expect, test } from 'vitest';
import { ProviderError } from '@platform-sync/core/model/provider';
import type { Json } from '@platform-sync/core/model/value';
import { chooseCredential } from '@platform-sync/platform/credentials';
import { chooseServerUrl, terraformConfig } from '@platform-sync/platform/settings';
import { globalOrigin } from '@platform-sync/platform/wire';

type Settings = Record<string, Json>;
type Env = Record<string, string | undefined>;

function failure(run: () => unknown): ProviderError {
  try {
    run();
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
  throw new Error('expected a ProviderError');
}

describe('which token is sent', () => {
  test.each<[string, Settings, Env, string | undefined, string | undefined]>([
    ['none', {}, {}, undefined, undefined],
    ['a setting', { serviceAccessToken: 's' }, {}, 'Bearer s', 'the setting serviceAccessToken'],
    ['the environment', {}, { PLATFORM_TOKEN: 'e' }, 'Bearer e', 'the environment variable PLATFORM_TOKEN'],
    ['PLATFORM_SPAT', {}, { PLATFORM_SPAT: 'e' }, 'Bearer e', 'the environment variable PLATFORM_SPAT'],
    [
      'a setting beats a variable of higher rank',
      { systemAccountAccessToken: 's' },
      { PLATFORM_TOKEN: 'e' },
      'Bearer s',
      'the setting systemAccountAccessToken',
    ],
    [
      'personal first among settings',
      { serviceAccessToken: 'd', platformAccessToken: 'c', systemAccountAccessToken: 'b', personalAccessToken: 'a' },
      {},
      'Bearer a',
      'the setting personalAccessToken',
    ],
    [
      'then system account',
      { serviceAccessToken: 'd', platformAccessToken: 'c', systemAccountAccessToken: 'b' },
      {},
      'Bearer b',
      'the setting systemAccountAccessToken',
    ],
    [
      'then platform',
      { serviceAccessToken: 'd', platformAccessToken: 'c' },
      {},
      'Bearer c',
      'the setting platformAccessToken',
    ],
    [
      'personal first in the environment',
      {},
      { PLATFORM_SPAT: 'b', PLATFORM_TOKEN: 'a' },
      'Bearer a',
      'the environment variable PLATFORM_TOKEN',
    ],
    [
      'a value with its scheme stays',
      { personalAccessToken: 'Bearer abc' },
      {},
      'Bearer abc',
      'the setting personalAccessToken',
    ],
    ['in any case', { personalAccessToken: 'bearer abc' }, {}, 'bearer abc', 'the setting personalAccessToken'],
    [
      'a line break at the end of a file goes',
      { personalAccessToken: 'abc\n' },
      {},
      'Bearer abc',
      'the setting personalAccessToken',
    ],
    [
      'null is not configured',
      { personalAccessToken: null },
      { PLATFORM_SPAT: 'b' },
      'Bearer b',
      'the environment variable PLATFORM_SPAT',
    ],
    [
      'an empty variable is none beside a full one',
      {},
      { PLATFORM_TOKEN: '', PLATFORM_SPAT: 'b' },
      'Bearer b',
      'the environment variable PLATFORM_SPAT',
    ],
    [
      'an empty variable does not matter beside a setting',
      { personalAccessToken: 'a' },
      { PLATFORM_TOKEN: '' },
      'Bearer a',
      'the setting personalAccessToken',
    ],
  ])('%s', (_, settings, env, header, source) => {
    const { credential } = chooseCredential({ settings, env });
    expect([credential?.header, credential?.source]).toEqual([header, source]);
  });
});

test.each<[string, Settings, Env, string, string]>([
  ['an empty setting', { personalAccessToken: '' }, {}, 'empty-token', 'personalAccessToken'],
  ['a blank setting', { personalAccessToken: ' \t ' }, {}, 'empty-token', 'personalAccessToken'],
  [
    'an empty setting of lower rank',
    { personalAccessToken: 'a', serviceAccessToken: '' },
    {},
    'empty-token',
    'serviceAccessToken',
  ],
  ['only the scheme', { personalAccessToken: 'Bearer ' }, {}, 'empty-token', 'personalAccessToken'],
  ['an empty variable', {}, { PLATFORM_TOKEN: '' }, 'empty-token', 'PLATFORM_TOKEN'],
  ['a number', { personalAccessToken: 12345678 }, {}, 'invalid-setting', 'personalAccessToken'],
  ['a line break inside', { personalAccessToken: 'abc\r\nx-evil: 1' }, {}, 'invalid-token', 'personalAccessToken'],
  ['letters beyond ASCII', {}, { PLATFORM_SPAT: 'abcé' }, 'invalid-token', 'PLATFORM_SPAT'],
])('%s is a configuration error that names its place and not its value', (_, settings, env, code, place) => {
  const error = failure(() => chooseCredential({ settings, env }));
  expect(error.kind).toBe('configuration');
  expect(error.diagnostics).toMatchObject([{ code, severity: 'error' }]);
  expect(error.message).toContain(place);
  expect(error.message).not.toMatch(/abc|evil|12345678/);
});

describe('several tokens', () => {
  test('a warning names the one in use and the others, never a value', () => {
    const { warnings } = chooseCredential({
      settings: { systemAccountAccessToken: 'canary-one', serviceAccessToken: 'canary-two' },
      env: { PLATFORM_TOKEN: 'canary-three' },
    });
    expect(warnings).toMatchObject([
      {
        severity: 'warning',
        code: 'several-tokens',
        summary:
          'Several tokens are configured: the setting systemAccountAccessToken is used, the setting serviceAccessToken and the environment variable PLATFORM_TOKEN are not.',
      },
    ]);
    expect(JSON.stringify(warnings)).not.toContain('canary');
  });

  test('the same token in a setting and its variable is one token', () => {
    const { warnings } = chooseCredential({ settings: { personalAccessToken: 'a' }, env: { PLATFORM_TOKEN: 'a' } });
    expect(warnings).toEqual([]);
  });
});

test.each<[string, Settings, Env, string, string]>([
  [
    'the setting',
    { serverUrl: 'https://a.example' },
    { PLATFORM_SERVER_URL: 'https://b.example' },
    'https://a.example',
    'serverUrl',
  ],
  ['the environment', {}, { PLATFORM_SERVER_URL: ' https://b.example ' }, 'https://b.example', 'PLATFORM_SERVER_URL'],
  ['the default', {}, { PLATFORM_SERVER_URL: '' }, globalOrigin, 'default'],
])('server address from %s', (_, settings, env, url, source) => {
  const chosen = chooseServerUrl({ settings, env });
  expect(chosen.url).toBe(url);
  expect(chosen.source).toContain(source);
});

test('terraformConfig: snake_case names, what is configured, which of it is secret', () => {
  const config = terraformConfig({
    settings: { platformAccessToken: 'p', personalAccessToken: 'q', serviceAccessToken: '' },
    env: { PLATFORM_SERVER_URL: 'https://a.example' },
  });
  expect(config).toEqual({
    personal_access_token: { value: 'q', secret: true },
    platform_access_token: { value: 'p', secret: true },
    server_url: { value: 'https://a.example', secret: false },
  });
  expect(Object.keys(config)).toEqual(Object.keys(config).sort());
});

describe.each(['personalAccessToken', 'systemAccountAccessToken', 'platformAccessToken', 'serviceAccessToken'])(
  'an explicit %s',
  (setting) => {
    const configured = {
      settings: { [setting]: 'explicit', serverUrl: 'https://other.example' },
      env: { PLATFORM_TOKEN: 'env-1', PLATFORM_SPAT: 'env-2', PLATFORM_SERVER_URL: 'https://a.example' },
    };

    test('is the one that is sent', () => {
      expect(chooseCredential(configured).credential?.header).toBe('Bearer explicit');
    });

    test('is the only one that terraformConfig gives', () => {
      expect(JSON.stringify(terraformConfig(configured))).not.toContain('env-');
    });
  },
);

test('terraformConfig: without an explicit token, those of the environment', () => {
  expect(terraformConfig({ settings: {}, env: { PLATFORM_TOKEN: 'a', PLATFORM_SPAT: 'b' } })).toMatchObject({
    personal_access_token: { value: 'a', secret: true },
    system_account_access_token: { value: 'b', secret: true },
  });
});
