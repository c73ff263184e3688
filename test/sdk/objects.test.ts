import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import {
  DiagnosticError,
  Output,
  Platform,
  ProviderError,
  get,
  getList,
  getListOutput,
  getOutput,
} from '@platform-sync/sdk/index';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';

const token = 'canary-token-of-a-program';
let sandbox: RunningSandbox;
let platform: Platform;
let controlPlaneId: string;

async function post(path: string, body: object): Promise<string> {
  const answer = await fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { id: string }).id;
}

beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true, token });
  controlPlaneId = await post('/v2/control-planes', { name: 'shop' });
  for (const name of ['orders', 'users'])
    await post(`/v2/control-planes/${controlPlaneId}/core-entities/services`, { name, host: `${name}.example.com` });
});
afterAll(() => sandbox.close());
beforeEach(() => {
  platform = new Platform({ personalAccessToken: token, serverUrl: sandbox.url }, { env: {} });
  return () => platform.close();
});

async function failure(promise: Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof DiagnosticError || error instanceof ProviderError)
    return error.diagnostics.map(({ code, summary }) => `${code}: ${summary}`);
  throw error;
}

describe('objects of any type', () => {
  it('are found by name, with the types of their fields', async () => {
    const service = await get('platform:GatewayService', { controlPlaneId, name: 'orders' }, { provider: platform });
    expect(service.host).toBe('orders.example.com');
    expectTypeOf(service.host).toEqualTypeOf<string>();
    expectTypeOf(service.port).toEqualTypeOf<number | null | undefined>();
  });

  it('are listed in the order of their names', async () => {
    const { datas } = await getList(
      'platform:GatewayService',
      { controlPlaneId, filter: { host: { contains: 'example' } } },
      { provider: platform },
    );
    expect(datas.map(({ name }) => name)).toEqual(['orders', 'users']);
  });

  it('of a type that has a lookup of its own, too', async () => {
    const portal = await get('platform:Portal', { filter: { name: 'dev' } }, { provider: platform });
    expect(portal.name).toBe('dev');
  });

  it('come later when what they are found by does, and wait for what is unknown', async () => {
    const plane = getOutput('platform:GatewayControlPlane', { name: 'shop' }, { provider: platform });
    const services = getListOutput('platform:GatewayService', { controlPlaneId: plane.id }, { provider: platform });
    expect(await services.datas.length.promise()).toBe(2);
    const unknown = getOutput(
      'platform:GatewayService',
      { controlPlaneId: Output.unknown<string>('plane.id') },
      { provider: platform },
    );
    expect(await unknown.isKnown()).toBe(false);
  });

  it('are refused before anything is sent when the question cannot be right', async () => {
    const loose = get as (type: string, args: object, options: object) => Promise<unknown>;
    const options = { provider: platform };
    expect(await failure(loose('platform:GatewayService', {}, options))).toEqual([
      'invalid-arguments: The argument controlPlaneId of getGatewayService is required.',
    ]);
    expect(await failure(loose('platform:GatewayServic', {}, options))).toEqual([
      'invalid-arguments: There is no such type: platform:GatewayServic.',
    ]);
    expect(await failure(loose('acme:Shelf', {}, {}))).toEqual([
      'invalid-arguments: There is no such type: acme:Shelf.',
    ]);
    expect(await failure(get('platform:GatewayService', { controlPlaneId, name: 'order' }, options))).toEqual([
      `nothing-found: There is no GatewayService with controlPlaneId "${controlPlaneId}" and name "order".`,
    ]);
  });
});
