import { expect, test } from 'vitest';
import { isOwnHost, mayCarryToken, resolveHosts, type HostFamily } from '@platform-sync/platform/hosts';
import { ProviderError } from '@platform-sync/core/model/provider';
import { addressListOrigin, globalOrigin, ownHostSuffix, regionCodes } from '@platform-sync/platform/wire';
import { isLoopback } from '@platform-sync/core/model/loopback';

const families: readonly HostFamily[] = ['regional', 'global', 'address-list'];
const regional = `https://eu${ownHostSuffix}`;

test.each<[string, string, readonly string[]]>([
  ['the global address', globalOrigin, [globalOrigin, globalOrigin, addressListOrigin]],
  ['a region', `${regional}/`, [regional, globalOrigin, addressListOrigin]],
  [
    'a region nobody knew yet',
    `https://jp${ownHostSuffix}`,
    [`https://jp${ownHostSuffix}`, globalOrigin, addressListOrigin],
  ],
  ['a sandbox', 'http://127.0.0.1:4010', Array(3).fill('http://127.0.0.1:4010')],
  ['a gateway with a path', 'https://gw.example.com/platform/', Array(3).fill('https://gw.example.com/platform')],
  [
    'a host that only looks like one',
    `https://eu${ownHostSuffix}.example.com`,
    Array(3).fill(`https://eu${ownHostSuffix}.example.com`),
  ],
])('families at %s', (_, url, expected) => {
  const hosts = resolveHosts(url, 'serverUrl');
  expect(families.map((family) => hosts.base(family).origin + hosts.base(family).prefix)).toEqual(expected);
  expect(hosts.target).toBe(expected[0]);
});

test('every known region is one of the own hosts', () => {
  for (const region of regionCodes) expect(isOwnHost(`${region}${ownHostSuffix}`)).toBe(true);
});

test.each([
  ['not an address', 'eu.example.com'],
  ['empty', ''],
  ['another scheme', 'ftp://example.com'],
  ['a password', 'https://user:canary@example.com'],
  ['a query', 'https://example.com/?token=canary'],
  ['a fragment', 'https://example.com/#canary'],
  ['plain http', 'http://example.com'],
  ['plain http to a name that looks local', 'http://127.0.0.1.example.com'],
  ['plain http to an own host', `http://eu${ownHostSuffix}`],
])('refused: %s', (_, url) => {
  let caught: unknown;
  try {
    resolveHosts(url, 'The setting serverUrl');
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(ProviderError);
  expect(caught).toMatchObject({ kind: 'configuration', diagnostics: [{ code: 'invalid-server-url' }] });
  expect(String(caught)).toContain('The setting serverUrl');
  expect(JSON.stringify(caught) + String(caught)).not.toContain('canary');
});

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['[::1]', true],
  ['128.0.0.1', false],
  ['localhost.example.com', false],
  ['0.0.0.0', false],
  ['10.0.0.1', false],
])('loopback %s: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test('the token goes to own hosts and the configured origin only', () => {
  const own = resolveHosts(regional, 's');
  const other = resolveHosts('https://gw.example.com/x', 's');
  const to = (origin: string) => ({ origin, prefix: '' });
  expect(mayCarryToken(own.base('regional'), own)).toBe(true);
  expect(mayCarryToken(own.base('global'), own)).toBe(true);
  expect(mayCarryToken(own.base('address-list'), own)).toBe(false);
  expect(mayCarryToken(other.base('global'), other)).toBe(true);
  expect(mayCarryToken(to('https://elsewhere.example.com'), other)).toBe(false);
  expect(mayCarryToken(to(globalOrigin.replace('https', 'http')), own)).toBe(false);
});
