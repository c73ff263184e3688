import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cloudServiceDomain, metadataFlavor } from '@platform-sync/sandbox/wire';
import { Client } from './client.js';

let client: Client;
beforeAll(async () => {
  client = await Client.start({ token: 'own' });
});
beforeEach(async () => {
  await client.call('POST', '/_sandbox/reset', undefined, own);
});
afterAll(() => client.close());

const own = { authorization: 'Bearer own' };
const domain = cloudServiceDomain;

function policy(verb: string, service: string, body?: unknown): ReturnType<Client['call']> {
  return client.call('POST', `/v1/services/${service}.${domain}:${verb}?alt=json`, body, own);
}

describe('policies', () => {
  test('are read with an empty body, whatever its content type says', async () => {
    for (const headers of [own, { ...own, 'content-type': 'application/json' }]) {
      const reply = await client.call('POST', `/v1/services/payments.${domain}:getIamPolicy`, undefined, headers);
      expect(reply.body).toMatchObject({ version: 1, etag: 'BwYVx3tsmGE=' });
    }
    expect((await policy('getIamPolicy', 'empty')).body).toEqual({ etag: 'ACAB' });
  });

  test('show conditions in version 3 only', async () => {
    const full = await policy('getIamPolicy', 'orders', { options: { requestedPolicyVersion: 3 } });
    expect(full.body).toMatchObject({ version: 3, bindings: [{ role: 'roles/viewer', condition: {} }] });
    const plain = await policy('getIamPolicy', 'orders');
    expect(plain.body['version']).toBe(1);
    expect(plain.body['bindings']).toEqual([
      { role: expect.stringMatching(/^roles\/viewer_withcond_[0-9a-f]{20}$/), members: ['user:eve@example.com'] },
    ]);
    const bad = await policy('getIamPolicy', 'orders', { options: { requestedPolicyVersion: 2 } });
    expect(bad.body['error']).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
  });

  test('of unknown services are forbidden, of a deleted one not found', async () => {
    const unknown = await policy('getIamPolicy', 'nope');
    expect(unknown.status).toBe(403);
    expect(unknown.body).toEqual({
      error: {
        code: 403,
        message: `Service 'nope.${domain}' not found or permission denied.`,
        status: 'PERMISSION_DENIED',
        errors: [{ message: expect.any(String), domain: 'global', reason: 'forbidden' }],
      },
    });
    expect((await policy('getIamPolicy', 'deleted')).body['error']).toMatchObject({ code: 404, status: 'NOT_FOUND' });
    const nobody = await client.call('POST', `/v1/services/payments.${domain}:getIamPolicy`);
    expect(nobody.body['error']).toMatchObject({ code: 401, status: 'UNAUTHENTICATED' });
  });

  test('are written whole, sorted, with a new etag; an old etag is refused', async () => {
    const bindings = [
      { role: 'roles/viewer', members: ['user:b@example.com', 'user:a@example.com'] },
      { role: 'roles/editor', members: ['user:c@example.com'] },
    ];
    const body = { policy: { etag: 'ACAB', bindings, auditConfigs: [{ service: 'allServices' }] } };
    const reply = await policy('setIamPolicy', 'empty', body);
    expect(reply.body).toEqual({
      version: 1,
      etag: expect.stringMatching(/^B.{10}=$/),
      bindings: [
        { role: 'roles/editor', members: ['user:c@example.com'] },
        { role: 'roles/viewer', members: ['user:a@example.com', 'user:b@example.com'] },
      ],
    });
    expect((await policy('getIamPolicy', 'empty')).body).toEqual(reply.body);
    const stale = await policy('setIamPolicy', 'empty', body);
    expect(stale.body['error']).toMatchObject({ code: 409, status: 'ABORTED' });
    const blind = await policy('setIamPolicy', 'empty', { policy: {} });
    expect(blind.body).not.toHaveProperty('bindings');
    expect(blind.body['etag']).not.toBe(reply.body['etag']);
  });

  test('do not know other verbs', async () => {
    expect((await policy('testIamPermissions', 'payments', {})).status).toBe(404);
  });
});

/** Whether a token opens the cloud's doors, and the platform's. */
async function opens(token: unknown): Promise<readonly number[]> {
  const authorization = `Bearer ${String(token)}`;
  const cloud = await client.call('POST', `/v1/services/payments.${domain}:getIamPolicy`, undefined, { authorization });
  const platform = await client.call('GET', '/v3/teams', undefined, { authorization });
  return [cloud.status, platform.status];
}

describe('tokens', () => {
  const form = { authorization: '', 'content-type': 'application/x-www-form-urlencoded' };
  const exchange = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    audience: '//iam.example.com/pool',
    subject_token: 'jwt',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  });

  test('are exchanged, and open the cloud only', async () => {
    const reply = await client.call('POST', '/sts/v1/token', exchange.toString(), form);
    expect(reply.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(await opens(reply.body['access_token'])).toEqual([200, 401]);
    expect(await opens('sandbox-sts-999')).toEqual([401, 401]);
    expect(await opens('own')).toEqual([200, 200]);
  });

  test.each(['grant_type', 'audience', 'subject_token', 'subject_token_type'])('not without %s', async (field) => {
    const body = new URLSearchParams(exchange);
    body.delete(field);
    const reply = await client.call('POST', '/sts/v1/token', body.toString(), form);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error: expect.any(String), error_description: expect.any(String) });
  });

  test.each([
    ['refresh_token=r&grant_type=refresh_token', 200],
    ['assertion=a&grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer', 200],
    ['grant_type=refresh_token', 400],
    ['grant_type=password', 400],
  ])('/token with %s', async (body, status) => {
    expect((await client.call('POST', '/token', body, form)).status).toBe(status);
  });

  test('are made for another account by one who has a token', async () => {
    const path = '/v1/projects/-/serviceAccounts/robot@p.iam.example.com:generateAccessToken';
    const reply = await client.call('POST', path, { scope: ['all'], lifetime: '600s' }, own);
    expect(Date.parse(String(reply.body['expireTime']))).toBeGreaterThan(Date.now());
    expect(await opens(reply.body['accessToken'])).toEqual([200, 401]);
    expect((await client.call('POST', path, {}, own)).status).toBe(400);
    expect((await client.call('POST', path, { scope: ['all'] })).status).toBe(401);
  });

  test('come from the metadata server to those who ask properly', async () => {
    const path = '/computeMetadata/v1/instance/service-accounts/default/token?scopes=x';
    const asked = { authorization: '', 'metadata-flavor': metadataFlavor };
    const reply = await client.call('GET', path, undefined, asked);
    expect(reply.headers.get('metadata-flavor')).toBe(metadataFlavor);
    expect(await opens(reply.body['access_token'])).toEqual([200, 401]);
    expect((await client.call('GET', path, undefined, { authorization: '' })).status).toBe(403);
    const project = await client.call('GET', '/computeMetadata/v1/project/project-id', undefined, asked);
    expect(project.text).toBe('sandbox-project');
  });
});
