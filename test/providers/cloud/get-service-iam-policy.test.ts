import type { ServerResponse } from 'node:http';
import { programTrust } from '@platform-sync/core/model/trust';
import { describe, expect, test } from 'vitest';
import { ProviderError } from '@platform-sync/core/model/provider';
import { cloudPackage } from '@platform-sync/cloud/package';
import { defaultUniverse, headerNames, hostsOf, variables } from '@platform-sync/cloud/wire';
import { deadPort } from '../http/loopback.js';
import { canary, failure, policy, refusal, rig, service, token } from './rig.js';

describe('the call', () => {
  test('asks once for the policy with its conditions, and says who asks', async () => {
    const { provider, server, lookup } = await rig(() => policy(), { settings: { requestReason: 'audit 7' } });
    await lookup();
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      url: `/v1/services/${service}:getIamPolicy`,
      body: '{"options":{"requestedPolicyVersion":3}}',
      headers: {
        authorization: `Bearer ${canary}`,
        'content-type': 'application/json',
        'user-agent': 'platform-sync/0.0.0 (test)',
        [headerNames.requestReason]: 'audit 7',
      },
    });
    expect(server.seen[0]?.headers).not.toHaveProperty(headerNames.quotaProject);
    expect(provider.requests()).toBe(1);
  });

  test.each([service, `services/${service}`])(
    '%s: the result echoes the argument, the id is in normal form',
    async (name) => {
      const body = {
        version: 1,
        etag: 'BwYVx3tsmGE=',
        bindings: [{ role: 'roles/editor', members: ['group:x@example.com'] }],
      };
      const { server, lookup } = await rig(() => policy(body));
      expect(await lookup({ serviceName: name })).toEqual({
        etag: 'BwYVx3tsmGE=',
        id: `services/${service}`,
        policyData: '{"bindings":[{"members":["group:x@example.com"],"role":"roles/editor"}]}',
        serviceName: name,
      });
      expect(server.seen[0]?.url).toBe(`/v1/services/${service}:getIamPolicy`);
    },
  );

  test.each([
    ['an empty policy', policy({}), ''],
    ['a policy that was never set', policy({ etag: 'ACAB', version: 1 }), 'ACAB'],
    ['no content', { status: 204 }, ''],
  ])('%s', async (_name, reaction, etag) => {
    const { lookup } = await rig(() => reaction);
    expect(await lookup()).toMatchObject({ etag, policyData: '{}' });
  });

  test('a project that calls are counted for is named with each call', async () => {
    const env = { [variables.quotaProject[0]]: 'counted' };
    const { server, lookup } = await rig(() => policy(), { env });
    await lookup();
    expect(server.seen[0]?.headers).toHaveProperty(headerNames.quotaProject, 'counted');
  });

  test.each([
    [{}, /^serviceName is missing/],
    [{ serviceName: 'projects/p/foo' }, /^serviceName is not the name of a service: "projects\/p\/foo"/],
    [{ serviceName: service, service: 'x' }, /has no argument service; it takes serviceName/],
  ])('arguments %j are refused before anything is sent', async (args, message) => {
    const { server, lookup } = await rig(() => policy());
    const error = await failure(lookup(args));
    expect(error.kind).toBe('invalid');
    expect(error.message).toMatch(message);
    expect(error.diagnostics[0]).toMatchObject({ code: 'invalid-cloud-argument', field: expect.any(String) });
    expect(server.seen).toHaveLength(0);
  });
});

describe('refusals that are final', () => {
  const detail = (reason: string): { details: { '@type': string; reason: string }[] } => ({
    details: [{ '@type': 'type.example.com/ErrorInfo', reason }],
  });
  const hidden = `Service '${service}' not found or permission denied.`;
  test.each([
    ['404', refusal(404, `Service '${service}' not found.`), 'not-found', 'service-not-found', /Check the name/],
    [
      '404 of a proxy',
      { status: 404, text: '<h1>Nothing here</h1>' },
      'not-found',
      'service-not-found',
      /does not come from the service/,
    ],
    ['404 without a body', { status: 404 }, 'not-found', 'service-not-found', /does not come from the service/],
    ['403 that hides the service', refusal(403, hidden), 'not-found', 'service-not-found', /getIamPolicy/],
    [
      '403 that hides it otherwise',
      refusal(403, 'Denied (or it may not exist).'),
      'not-found',
      'service-not-found',
      /getIamPolicy/,
    ],
    [
      '403',
      refusal(403, 'The caller does not have permission'),
      'forbidden',
      'forbidden',
      /the setting accessToken.*getIamPolicy/,
    ],
    [
      '403: API not enabled',
      refusal(403, 'Not enabled', detail('SERVICE_DISABLED')),
      'forbidden',
      'forbidden',
      /enable it/,
    ],
    ['403: project', refusal(403, 'No', detail('USER_PROJECT_DENIED')), 'forbidden', 'forbidden', /billingProject/],
    [
      '403: scopes',
      refusal(403, 'No', detail('ACCESS_TOKEN_SCOPE_INSUFFICIENT')),
      'forbidden',
      'forbidden',
      /setting scopes/,
    ],
    ['401', refusal(401, 'Bad token'), 'unauthenticated', 'unauthenticated', /the setting accessToken.*expired/],
    ['400', refusal(400, 'Bad request'), 'invalid', 'request-rejected', undefined],
    [
      '302',
      { status: 302, headers: { location: 'https://login.example/' } },
      'unexpected-answer',
      'unexpected-answer',
      /CustomEndpoint/,
    ],
  ] as const)('%s', async (_name, reaction, kind, code, hint) => {
    const { provider, lookup } = await rig(() => reaction);
    const error = await failure(lookup());
    expect(error.kind).toBe(kind);
    expect(error.status).toBe(reaction.status);
    const [diagnostic] = error.diagnostics;
    expect(diagnostic).toMatchObject({ severity: 'error', code });
    if (hint === undefined) expect(diagnostic).not.toHaveProperty('hint');
    else expect(diagnostic?.hint).toMatch(hint);
    expect(provider.requests()).toBe(1);
  });

  test('the words of the service are told, without what it repeats of the token', async () => {
    const { lookup } = await rig(() => refusal(403, `Token ${canary} of\n\u001b[31mmine\u001b[0m may not`));
    const error = await failure(lookup());
    expect(error.message).toContain('403 Token (secret) of [31mmine [0m may not');
    expect(JSON.stringify(error.diagnostics)).not.toContain(canary);
  });
});

describe('answers that make no sense', () => {
  test.each([
    ['HTML', { status: 200, text: '<html></html>' }, /holds no JSON/],
    ['nothing', { status: 200 }, /holds no JSON/],
    ['a list', policy([]), /policy must be a map/],
    ['another shape', policy({ bindings: [{ role: 5 }] }), /policy\.bindings\[0\]\.role must be text/],
  ] as const)('%s', async (_name, reaction, said) => {
    const { provider, lookup } = await rig(() => reaction);
    const error = await failure(lookup());
    expect(error.kind).toBe('unexpected-answer');
    expect(error.message).toMatch(said);
    expect(provider.requests()).toBe(1);
  });
});

describe('repeats', () => {
  const broken = (response: ServerResponse): void => void response.destroy();

  test.each([408, 429, 500, 502, 503, 504])('%i passes', async (status) => {
    const { provider, lookup } = await rig((_request, nth) => (nth < 2 ? refusal(status, 'later') : policy()));
    expect(await lookup()).toMatchObject({ etag: 'ACAB' });
    expect(provider.requests()).toBe(3);
  });

  test('a broken connection passes, though the call is a POST: it only reads', async () => {
    const { provider, lookup } = await rig((_request, nth) => (nth === 0 ? broken : policy()));
    expect(await lookup()).toMatchObject({ etag: 'ACAB' });
    expect(provider.requests()).toBe(2);
  });

  test.each([
    ['by its words', refusal(403, "Quota exceeded for quota metric 'Calls' and limit 'Calls per minute' of service")],
    ['by its reason', refusal(403, 'Slow down', { details: [{ reason: 'RATE_LIMIT_EXCEEDED' }] })],
  ])('a 403 that is a quota a minute passes, known %s', async (_name, reaction) => {
    const { provider, lookup } = await rig((_request, nth) => (nth === 0 ? reaction : policy()));
    await lookup();
    expect(provider.requests()).toBe(2);
  });

  test('the waits double, and after six attempts the last word counts', async () => {
    const { provider, clock, said, lookup } = await rig((_request, nth) => refusal(503, `attempt ${nth + 1}`));
    const error = await failure(lookup());
    expect(error).toMatchObject({ kind: 'unavailable', status: 503 });
    expect(error.message).toContain('attempt 6');
    expect(provider.requests()).toBe(6);
    expect(clock.waits).toEqual([500, 1000, 2000, 4000, 8000]);
    expect(said.map(({ ms }) => ms)).toEqual(clock.waits);
  });

  test.each([
    ['Retry-After in seconds', { headers: { 'retry-after': '7' } }],
    ['Retry-After as a date', { headers: { 'retry-after': new Date(1_700_000_007_000).toUTCString() } }],
    ['a delay in the body', { json: { error: { code: 503, message: 'x', details: [{ retryDelay: '7s' }] } } }],
  ])('%s is waited for', async (_name, more) => {
    const { clock, lookup } = await rig((_request, nth) => (nth === 0 ? { status: 503, json: {}, ...more } : policy()));
    await lookup();
    expect(clock.waits).toEqual([7000]);
  });

  test('a 429 holds all calls back for as long as it says', async () => {
    const { clock, said, lookup } = await rig((_request, nth) =>
      nth === 0 ? { status: 429, headers: { 'retry-after': '20' } } : policy(),
    );
    await lookup();
    // A little more than asked, so that several machines don't come back together.
    expect(clock.waits[0]).toBeGreaterThanOrEqual(20_000);
    expect(clock.waits[0]).toBeLessThan(20_500);
    expect(said[0]?.reason).toMatch(/429/);
  });

  test.each([429, 503])('a %i that asks for more time than there is ends the lookup at once', async (status) => {
    const { provider, clock, lookup } = await rig(() => ({ status, headers: { 'retry-after': '600' } }));
    const error = await failure(lookup());
    expect(error).toMatchObject({ status, kind: status === 429 ? 'rate-limited' : 'unavailable' });
    expect(provider.requests()).toBe(1);
    expect(clock.waits).toEqual([]);
  });

  test('all attempts and waits share one deadline', async () => {
    const { provider, clock, lookup } = await rig(() => ({ status: 503, headers: { 'retry-after': '50' } }));
    expect(await failure(lookup())).toMatchObject({ kind: 'unavailable', status: 503 });
    expect(clock.waits).toEqual([50_000, 50_000]);
    expect(provider.requests()).toBe(3);
  });

  test('an answer that never comes ends with the deadline', async () => {
    let asked = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (asked = resolve));
    const { clock, lookup } = await rig(() => () => asked());
    const run = failure(lookup());
    await waiting;
    clock.strike();
    const error = await run;
    expect(error.kind).toBe('unavailable');
    expect(error.message).toMatch(/could not be read within 120 s/);
    expect(error.diagnostics[0]?.hint).toMatch(/requestTimeout/);
  });

  test('nobody listening is repeated, then told', async () => {
    const endpoint = `http://127.0.0.1:${deadPort}/v1/`;
    const { provider, lookup } = await rig(() => policy(), { settings: { serviceManagementCustomEndpoint: endpoint } });
    const error = await failure(lookup());
    expect(error.kind).toBe('unavailable');
    expect(error.diagnostics[0]).toMatchObject({
      code: 'unreachable',
      detail: expect.stringContaining('ECONNREFUSED'),
    });
    expect(provider.requests()).toBe(6);
  });
});

describe('a signal', () => {
  test('that has fired sends nothing', async () => {
    const { provider, server } = await rig(() => policy());
    const run = provider.lookup(token, { serviceName: service }, { signal: AbortSignal.abort() });
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.seen).toHaveLength(0);
  });

  test('that fires while the answer is out ends the call', async () => {
    const controller = new AbortController();
    const { provider } = await rig(() => () => controller.abort());
    const run = provider.lookup(token, { serviceName: service }, { signal: controller.signal });
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('the provider', () => {
  test('is bound to its endpoint, in one spelling', async () => {
    const start = async (settings: Record<string, string>): Promise<string> => {
      const context = { settings, env: {}, trust: programTrust, concurrency: 1, userAgent: 'x' };
      const provider = await cloudPackage.start(context);
      await provider.close();
      return provider.target;
    };
    expect(`${await start({})}/`).toBe(hostsOf(defaultUniverse).policies);
    expect(await start({ serviceManagementCustomEndpoint: 'https://a.example/v1' })).toBe('https://a.example/v1');
    expect(await start({ serviceManagementCustomEndpoint: 'https://A.example:443/v1/' })).toBe('https://a.example/v1');
  });

  test('has no other lookup', async () => {
    const { provider } = await rig(() => policy());
    await expect(provider.lookup('cloud:x:y', {})).rejects.toThrow(ProviderError);
  });
});
