import { describe, expect, test } from 'vitest';
import { programTrust } from '@platform-sync/core/model/trust';
import { ProviderError } from '@platform-sync/core/model/provider';
import { platformPackage } from '@platform-sync/platform/package';
import type { Reaction } from '../http/loopback.js';
import { canary, failure, gone, rig, typeNamed } from './rig.js';

const api = typeNamed('Api');
const identity = { id: 'a1', scope: {} };
const addressLookup = 'platform:index/getPlatformIpAddresses:getPlatformIpAddresses';

test('headers: bearer token, user agent, accept; a content type only with a body', async () => {
  const { provider, server } = await rig((_, nth) => (nth === 0 ? gone : { status: 200, json: { id: 'a1' } }));
  await provider.read(api, identity);
  await provider.create(api, {}, { name: 'x' });
  const [read, create] = server.seen;
  expect(read?.headers).toMatchObject({
    authorization: `Bearer ${canary}`,
    'user-agent': 'platform-sync/0.0.0 (test)',
  });
  expect(read?.headers.accept).toContain('application/json');
  expect(read?.headers['content-type']).toBeUndefined();
  expect(create?.headers['content-type']).toBe('application/json');
});

const addresses = { regions: {}, ingressIPs: {}, egressIPs: {}, updateDate: '2026-01-01-00-00-00' };

test('the address list is asked for without a token, and needs none', async () => {
  const { provider, server } = await rig(() => ({ status: 200, json: addresses }));
  await provider.lookup(addressLookup, {});
  expect(server.seen[0]?.headers.authorization).toBeUndefined();
  const bare = await rig(() => ({ status: 200, json: addresses }), { env: {} });
  const started = await platformPackage.start({
    settings: { serverUrl: bare.server.origin },
    env: {},
    trust: programTrust,
    concurrency: 1,
    userAgent: 'x',
  });
  expect(await started.lookup(addressLookup, {})).toHaveProperty('regions');
  await started.close();
});

test('without a token, the first call that needs one says so, and nothing is sent', async () => {
  const { provider, server } = await rig(() => ({ status: 200, json: {} }), { env: {} });
  const error = await failure(provider.read(api, identity));
  expect(error).toMatchObject({ kind: 'configuration', diagnostics: [{ code: 'missing-token' }] });
  expect(server.seen).toEqual([]);
});

test('a path in serverUrl goes before every call; the target is its normal form', async () => {
  const { server } = await rig(() => gone);
  const settings = { serverUrl: `${server.origin}/eu/` };
  const provider = await platformPackage.start({
    settings,
    env: { PLATFORM_TOKEN: canary },
    trust: programTrust,
    concurrency: 1,
    userAgent: 'x',
  });
  await provider.read(api, identity);
  expect(server.seen[0]?.url).toBe('/eu/v3/apis/a1');
  expect(provider.target).toBe(`${server.origin}/eu`);
  await provider.close();
});

test('requests are counted, repeats included', async () => {
  const { provider } = await rig((_, nth) => (nth === 0 ? { status: 429, headers: { 'retry-after': '0' } } : gone));
  await provider.read(api, identity);
  expect(provider.requests()).toBe(2);
});

test('several tokens: told once, at the start', async () => {
  const { warnings } = await rig(() => ({ status: 200 }), {
    env: { PLATFORM_TOKEN: canary, PLATFORM_SPAT: 'another-token' },
  });
  expect(warnings.map(({ code }) => code)).toEqual(['several-tokens']);
});

test('settings that cannot work stop the start', async () => {
  const start = platformPackage.start({
    settings: { serverUrl: 'http://example.com' },
    env: {},
    trust: programTrust,
    concurrency: 1,
    userAgent: 'x',
  });
  await expect(start).rejects.toBeInstanceOf(ProviderError);
});

test('an unknown lookup is an error of the user', async () => {
  const { provider } = await rig(() => ({ status: 200 }));
  expect((await failure(provider.lookup('platform:index/nope:nope', {}))).diagnostics[0]?.code).toBe('unknown-lookup');
});

describe('401 and 403 say where the token came from', () => {
  test.each<[number, string, RegExp]>([
    [401, 'unauthenticated', /environment variable PLATFORM_TOKEN.*expired/],
    [403, 'forbidden', /environment variable PLATFORM_TOKEN.*role/],
  ])('%i', async (status, kind, hint) => {
    const { provider } = await rig(() => ({ status, json: { title: 'Nope', detail: 'A valid token is required' } }));
    const error = await failure(provider.read(api, identity));
    expect(error.kind).toBe(kind);
    expect(error.diagnostics[0]?.hint).toMatch(hint);
    expect(error.diagnostics[0]?.summary).toContain('A valid token is required');
  });
});

test('a token that a server throws back appears nowhere', async () => {
  const echo = (status: number): Reaction => ({
    status,
    json: {
      title: `Bearer ${canary}`,
      detail: `${'x'.repeat(280)}${canary}`,
      instance: canary,
      invalid_parameters: [{ field: canary, reason: `token ${canary}`, rule: canary, choices: [canary] }],
    },
  });
  const reactions: Reaction[] = [
    ...[400, 401, 403, 409, 422, 500].map(echo),
    { status: 400, text: `<html><body>Authorization: Bearer ${canary}</body></html>` },
    { status: 201, text: canary, headers: { 'content-type': canary } },
    { status: 302, headers: { location: `https://example.com/?t=${canary}` } },
  ];
  for (const reaction of reactions) {
    const { provider } = await rig(() => reaction);
    const error = await failure(provider.create(api, {}, { name: 'x' }));
    const everything = [
      error.message,
      error.stack,
      JSON.stringify(error),
      JSON.stringify(error.diagnostics),
      String(error.cause),
    ].join('\n');
    expect(everything).not.toContain('canary');
  }
});

test('a redirect is not followed', async () => {
  const { provider, server } = await rig(() => ({ status: 307, headers: { location: '/elsewhere' } }));
  expect((await failure(provider.read(api, identity))).kind).toBe('unexpected-answer');
  expect(server.seen).toHaveLength(1);
});

describe('an answer that is nested deep', () => {
  const deep = (levels: number): Reaction => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    text: `{"id": "a1", "name": "x", "labels": ${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`,
  });

  test.each([200, 5_000, 200_000])('%i levels: is no answer, and says why', async (levels) => {
    const { provider } = await rig(() => deep(levels));
    const error = await failure(provider.read(api, identity));
    expect(error.diagnostics[0]).toMatchObject({ code: 'unexpected-answer' });
    expect(error.message).toContain('values nested more than 200 levels deep');
    // The object was made: it has to be looked for.
    expect((await failure(provider.create(api, {}, { name: 'x' }))).kind).toBe('ambiguous');
  });
});
