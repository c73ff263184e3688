import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programTrust } from '@platform-sync/core/model/trust';
import type { Provider } from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import { cloudPackage } from '@platform-sync/cloud/package';
import { startCloud } from '@platform-sync/cloud/provider';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { cloudServiceDomain } from '@platform-sync/sandbox/wire';
import { failure, token } from './rig.js';
import { accountKey, paths, personKey } from './token-server.js';

let sandbox: RunningSandbox;
const providers: Provider[] = [];

beforeAll(async () => {
  // Only this token and those it has handed out itself are let in: a lookup that works had the right one.
  sandbox = await startSandbox({ token: 'sandbox-root', quiet: true });
});

afterAll(async () => {
  await Promise.all(providers.map((provider) => provider.close()));
  await sandbox.close();
});

async function start(settings: JsonObject): Promise<Provider> {
  const { url } = sandbox;
  const hosts = { exchange: url + paths.exchange, impersonation: url, token: url + paths.token };
  const context = {
    settings: { serviceManagementCustomEndpoint: `${url}/v1/`, ...settings },
    env: {},
    trust: programTrust,
    concurrency: 4,
    userAgent: 'platform-sync/0.0.0 (test)',
  };
  const provider = await startCloud(context, cloudPackage, { hosts });
  providers.push(provider);
  return provider;
}

const root = { accessToken: 'sandbox-root' };
const named = (name: string): JsonObject => ({ serviceName: `${name}.${cloudServiceDomain}` });

describe('the policies of the sandbox', () => {
  test('a plain one, in the order the service keeps', async () => {
    const provider = await start(root);
    const result = await provider.lookup(token, named('payments'));
    expect(result).toMatchObject({ id: `services/payments.${cloudServiceDomain}`, etag: 'BwYVx3tsmGE=' });
    expect(result.policyData).toBe(
      '{"bindings":[{"members":["group:platform@example.com"],"role":"roles/editor"},' +
        '{"members":["serviceAccount:shop@example.com","user:alice@example.com"],"role":"roles/servicemanagement.serviceConsumer"}]}',
    );
  });

  test('one with conditions comes with them, and with roles that have their real names', async () => {
    const provider = await start(root);
    const { policyData } = await provider.lookup(token, named('orders'));
    expect(policyData).toContain('"condition":{"expression":"request.time \\u003c timestamp(');
    expect(policyData).toContain('"role":"roles/viewer"');
    expect(policyData).toContain('"auditConfigs":[{');
  });

  test('one that was never set', async () => {
    const provider = await start(root);
    expect(await provider.lookup(token, named('empty'))).toMatchObject({ etag: 'ACAB', policyData: '{}' });
  });

  test.each([
    ['deleted', 404],
    ['unknown', 403],
  ])('%s: not found, answered as %i', async (name, status) => {
    const provider = await start(root);
    const error = await failure(provider.lookup(token, named(name)));
    expect(error).toMatchObject({ kind: 'not-found', status });
    expect(error.diagnostics[0]).toMatchObject({ code: 'service-not-found', field: 'serviceName' });
  });

  test('a wrong token is refused', async () => {
    const provider = await start({ accessToken: 'another-token' });
    expect(await failure(provider.lookup(token, named('empty')))).toMatchObject({
      kind: 'unauthenticated',
      status: 401,
    });
  });
});

describe('the token servers of the sandbox', () => {
  const exchange = { audience: '//a', serviceAccountEmail: 'robot@example.com', identityToken: 'identity' };
  test.each<[string, JsonObject]>([
    ['a key', { credentials: JSON.stringify(accountKey()) }],
    ['a login', { credentials: JSON.stringify(personKey()) }],
    ['an exchange', { externalCredentials: exchange }],
    ['impersonation over the root token', { ...root, impersonateServiceAccount: 'robot@example.com' }],
    [
      'impersonation over a key',
      { credentials: JSON.stringify(accountKey()), impersonateServiceAccount: 'robot@example.com' },
    ],
  ])('%s', async (_name, settings) => {
    const provider = await start(settings);
    expect(await provider.lookup(token, named('empty'))).toMatchObject({ etag: 'ACAB' });
  });
});
