import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { markFor } from '../../pulumi/src/mark.js';
import { EngineService, messages, structOf } from '../../pulumi/src/wire/messages.js';
import type { Json } from '@platform-sync/core/model/value';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { controlOf } from './control.js';
import { asSecret, Engine, halfMade, refusal, urnOf } from './engine.js';

const types = {
  api: 'platform:index/api:Api',
  product: 'platform:index/apiProduct:ApiProduct',
  document: 'platform:index/apiDocument:ApiDocument',
};
const apiUrn = urnOf(types.api, 'pets');
const productUrn = urnOf(types.product, 'pets');

let sandbox: RunningSandbox;
const { control, stored, requests } = controlOf(() => sandbox.url);
let engine: Engine;

/** Another process of the provider, as after a kill: it knows nothing of the one before. */
async function another(): Promise<Engine> {
  await engine.close();
  engine = await Engine.start('platform', sandbox.url);
  await engine.configure();
  return engine;
}

/** A way to the platform on which lists of APIs are empty so many times, as where they are behind what was written. */
async function startLateLists(
  target: string,
  times: number,
): Promise<{ readonly url: string; hidden(): number; close(): Promise<void> }> {
  let hidden = 0;
  const server = createServer((request, response) => {
    const { method = 'GET', url = '', headers } = request;
    if (method === 'GET' && /^\/v3\/apis(?:\?|$)/.test(url) && hidden < times) {
      hidden += 1;
      response.setHeader('content-type', 'application/json');
      return void response.end('{"data":[],"meta":{"page":{"number":1,"size":100,"total":0}}}');
    }
    void text(request).then(async (body) => {
      const { authorization = '', 'content-type': type = 'application/json' } = headers;
      const sent = { method, headers: { authorization, 'content-type': type }, ...(body === '' ? {} : { body }) };
      const answer = await fetch(target + url, sent);
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
      response.end(await answer.text());
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return { url: `http://127.0.0.1:${String(port)}`, hidden: () => hidden, close };
}

beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true });
});
beforeEach(async () => {
  await control('POST', '/_sandbox/reset');
  engine = await Engine.start('platform', sandbox.url);
  await engine.configure();
});
afterEach(() => engine.close());
afterAll(() => sandbox.close());

describe('a mark', () => {
  it('is of letters that labels take, and no two resources share one', () => {
    const names = ['pets', 'Pets', 'pets::a', 'ü'.repeat(200), '', '-', 'a'.repeat(63), 'a'.repeat(64)];
    const marks = names.flatMap((name) => [markFor(urnOf(types.api, name)), markFor(urnOf(types.product, name))]);
    expect(new Set(marks).size).toBe(marks.length);
    for (const half of marks.flatMap((mark) => mark.split('/')))
      expect(half).toMatch(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])$/);
  });

  it('is on the object, stays through changes of its labels, and is in no output, input or difference', async () => {
    const inputs = { name: 'Pets', labels: { team: 'a' } };
    const { id, outputs: olds } = await engine.create(apiUrn, inputs);
    expect(JSON.stringify(olds)).not.toContain('platform-sync');
    const news = { name: 'Pets', labels: { tier: 'b' } };
    expect((await engine.diff(apiUrn, { id, olds, oldInputs: inputs, news })).detailed).toEqual({
      'labels["team"]': 2,
      'labels["tier"]': 0,
    });
    const outputs = await engine.update(apiUrn, { id, olds, oldInputs: inputs, news });
    expect(outputs['labels']).toEqual({ tier: 'b' });
    const [api] = await stored('apis');
    expect(api?.['labels']).toMatchObject({
      tier: 'b',
      'platform-sync-stack': expect.stringMatching(/^pulumi\.shop\.dev\./),
    });
    const bare = await engine.update(apiUrn, { id, olds: outputs, oldInputs: news, news: { name: 'Pets' } });
    expect(bare['labels'] ?? {}).toEqual({});
    expect((await stored('apis'))[0]?.['labels']).toHaveProperty('platform-sync-address');
    const seen = await engine.read(apiUrn, id);
    expect(JSON.stringify(seen)).not.toContain('platform-sync');
  });

  it('of a program is refused', async () => {
    const { failures } = await engine.check(apiUrn, { name: 'Pets', labels: { 'platform-sync-stack': 'mine' } });
    expect(failures).toEqual([expect.stringContaining('labels["platform-sync-stack"]')]);
  });
});

describe('a create that comes again after a kill', () => {
  it('finds its object by key and mark, and brings it to what the program says now', async () => {
    const { id } = await engine.create(apiUrn, { name: 'Pets', description: 'before' });
    const again = await (await another()).create(apiUrn, { name: 'Pets', description: 'after' });
    expect([again.id, again.outputs['description']]).toEqual([id, 'after']);
    expect(await stored('apis')).toHaveLength(1);
  });

  it.each([1, 2])(
    'waits for the list where it does not show yet what the platform refuses to make twice: %i times',
    async (times) => {
      const { id } = await engine.create(apiUrn, { name: 'Pets', description: 'before' });
      const late = await startLateLists(sandbox.url, times);
      const killed = await Engine.start('platform', late.url);
      try {
        await killed.configure();
        const again = await killed.create(apiUrn, { name: 'Pets', description: 'after' });
        expect([again.id, again.outputs['description'], late.hidden()]).toEqual([id, 'after', times]);
        expect(await stored('apis')).toHaveLength(1);
      } finally {
        await killed.close();
        await late.close();
      }
    },
  );

  it('finds it where names are not unique, too, and not what others made', async () => {
    const other = await engine.create(urnOf(types.product, 'other'), { name: 'Pets', portalIds: [] });
    const { id } = await engine.create(productUrn, { name: 'Pets', portalIds: [] });
    expect(id).not.toBe(other.id);
    const again = await (await another()).create(productUrn, { name: 'Pets', portalIds: [] });
    expect(again.id).toBe(id);
    expect(await stored('products')).toHaveLength(2);
  });

  it('below an object of the stack takes what is as sent, else tells its id', async () => {
    const { id: apiId } = await engine.create(apiUrn, { name: 'Pets' });
    const urn = urnOf(types.document, 'guide');
    const inputs = { apiId, title: 'Guide', content: '# Guide' };
    const { id } = await engine.create(urn, inputs);
    expect((await (await another()).create(urn, inputs)).id).toBe(id);
    const { code, details } = await refusal(
      (await another()).create(urn, { ...inputs, title: 'Guide!', slug: 'guide' }),
    );
    expect(code).toBe(status.ALREADY_EXISTS);
    expect(details).toContain((JSON.parse(id) as { id: string }).id);
    expect(await stored('documents')).toHaveLength(1);
  });

  it('below an object of nobody is refused, with the id', async () => {
    const urn = urnOf(types.document, 'guide');
    const { id: apiId } = (await (
      await fetch(`${sandbox.url}/v3/apis`, {
        method: 'POST',
        headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'By hand' }),
      })
    ).json()) as { id: string };
    const inputs = { apiId, title: 'Guide', content: '# Guide' };
    await engine.create(urn, inputs);
    expect((await refusal((await another()).create(urn, inputs))).details).toContain('pulumi import');
  });

  it('where only another object would do, says so with the id', async () => {
    const { id } = await engine.create(apiUrn, {
      name: 'Pets',
      specContent: '{"openapi":"3.0.0","info":{"title":"a","version":"1"},"paths":{}}',
    });
    const { code, details } = await refusal(
      (await another()).create(apiUrn, {
        name: 'Pets',
        specContent: '{"openapi":"3.0.0","info":{"title":"b","version":"1"},"paths":{}}',
      }),
    );
    expect([code, details]).toEqual([status.ALREADY_EXISTS, expect.stringContaining(id)]);
  });

  it('of an object that the engine knows is a replacement: another one is made', async () => {
    const inputs = { name: 'Pets', portalIds: [] };
    const { id, outputs: olds } = await engine.create(productUrn, inputs);
    await another();
    await engine.diff(productUrn, { id, olds, oldInputs: inputs, news: inputs });
    expect((await engine.create(productUrn, inputs)).id).not.toBe(id);
  });

  it('and is deleted in the same run was a replacement nobody told of: the object stays', async () => {
    const inputs = { name: 'Pets', portalIds: [] };
    const { id, outputs: olds } = await engine.create(productUrn, inputs);
    await another();
    expect((await engine.create(productUrn, inputs)).id).toBe(id);
    await engine.delete(productUrn, { id, olds, oldInputs: inputs });
    expect(await stored('products')).toHaveLength(1);
    await engine.configure();
    await engine.delete(productUrn, { id, olds, oldInputs: inputs });
    expect(await stored('products')).toHaveLength(0);
  });
});

it('what people should know while it runs is said to the engine, under the resource', async () => {
  const said: { readonly urn: string; readonly message: string }[] = [];
  const server = new Server();
  server.addService(EngineService, {
    log: (
      call: { request: InstanceType<typeof messages.LogRequest> },
      done: (error: null, answer: unknown) => void,
    ) => {
      said.push({ urn: call.request.getUrn(), message: call.request.getMessage() });
      done(null, new messages.Empty());
    },
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  try {
    const { id } = await engine.create(apiUrn, { name: 'Pets' });
    await another();
    const hello = new messages.ProviderHandshakeRequest();
    hello.setEngineAddress(`127.0.0.1:${String(port)}`);
    await engine.send('handshake', hello);
    await engine.create(apiUrn, { name: 'Pets' });
    expect(said).toEqual([{ urn: apiUrn, message: expect.stringContaining(id) as string }]);
  } finally {
    server.forceShutdown();
  }
});

describe('an object that is known to be ours, and cannot be brought to what the program says', () => {
  const fault = (match: Json, action: Json): Promise<Json> =>
    control('PUT', '/_sandbox/faults', [{ match, action }] as Json);
  afterEach(() => control('DELETE', '/_sandbox/faults'));

  it.each<[string, Json]>([
    ['its update is refused', { method: 'PATCH', route: '/v3/apis/{apiId}' }],
    ['it cannot be read', { method: 'GET', route: '/v3/apis/{apiId}' }],
  ])('where %s is kept with its id, and changed by the next update', async (_name, match) => {
    const { id } = await engine.create(apiUrn, { name: 'Pets', description: 'before', labels: { a: '1' } });
    const news = { name: 'Pets', description: 'after', labels: { a: '1' } };
    await another();
    await fault(match, { status: 403 });
    const kept = halfMade(await refusal(engine.create(apiUrn, news)));
    expect(kept).toMatchObject({ id, inputs: { name: 'Pets' } });
    expect(kept?.inputs['description']).not.toBe('after');
    expect(kept?.reasons.join()).toContain('403');
    await control('DELETE', '/_sandbox/faults');
    await another();
    const old = { id, olds: kept?.outputs ?? {}, oldInputs: kept?.inputs ?? {}, news };
    expect((await engine.diff(apiUrn, old)).changes).toBe('some');
    expect((await engine.update(apiUrn, old))['description']).toBe('after');
    expect(await stored('apis')).toMatchObject([{ id, description: 'after' }]);
  });

  it('its secrets are marked in what is kept', async () => {
    await engine.create(apiUrn, { name: 'Pets', labels: { a: asSecret('canary') } });
    await another();
    await fault({ method: 'GET', route: '/v3/apis/{apiId}' }, { status: 403 });
    const error = await refusal(engine.create(apiUrn, { name: 'Pets', labels: { a: asSecret('canary') } }));
    const kept = halfMade(error);
    expect(kept?.outputs['labels']).toEqual(asSecret({ a: 'canary' }));
    expect(kept?.inputs['labels']).toEqual(asSecret({ a: asSecret('canary') }));
    expect(error.details).not.toContain('canary');
  });
});

describe('the time that a program allows', () => {
  it('ends a create that hangs; what came of it is looked for', async () => {
    const fault = (action: Json): Promise<Json> =>
      control('PUT', '/_sandbox/faults', [{ match: { method: 'POST', route: '/v3/apis' }, action }] as Json);
    const creating = (): Promise<unknown> => {
      const request = new messages.CreateRequest();
      request.setUrn(apiUrn);
      request.setProperties(structOf({ name: 'Pets' }));
      request.setTimeout(0.5);
      return engine.send('create', request);
    };
    await fault({ delayMs: 5000 });
    expect((await refusal(creating())).code).toBe(status.DEADLINE_EXCEEDED);
    await control('DELETE', '/_sandbox/faults');
    await expect(creating()).resolves.toBeDefined();
  });
});

describe('reads of many objects', () => {
  it('are answered from pages of lists: 300 in few requests, one in one', async () => {
    const made = await Promise.all(
      Array.from({ length: 300 }, async (_, at) => {
        const inputs = { name: `N${String(at)}`, version: '1' };
        const urn = urnOf(types.api, inputs.name);
        return { urn, inputs, ...(await engine.create(urn, inputs)) };
      }),
    );
    await another();
    let before = await requests();
    const [first] = made;
    if (first === undefined) throw new Error('nothing was made');
    await engine.read(first.urn, first.id, first.inputs, first.outputs);
    expect((await requests()) - before).toBe(1);
    await another();
    before = await requests();
    const left = [...made];
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let one = left.pop(); one !== undefined; one = left.pop()) {
          const seen = await engine.read(one.urn, one.id, one.inputs, one.outputs);
          expect(seen).toEqual({ id: one.id, inputs: one.inputs, outputs: one.outputs });
        }
      }),
    );
    expect((await requests()) - before).toBeLessThanOrEqual(20);
  });

  it('never see what was before a write, and prove no absence by a list', async () => {
    const made = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        const urn = urnOf(types.api, name);
        return { urn, inputs: { name }, ...(await engine.create(urn, { name })) };
      }),
    );
    const read = (): Promise<readonly unknown[]> =>
      Promise.all(
        made.map(async ({ urn, id, inputs, outputs }) => (await engine.read(urn, id, inputs, outputs)).inputs),
      );
    expect(await read()).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    const [one, two] = made;
    if (one === undefined || two === undefined) throw new Error('nothing was made');
    await engine.update(one.urn, { ...one, olds: one.outputs, oldInputs: one.inputs, news: { name: 'a2' } });
    await engine.delete(two.urn, { ...two, olds: two.outputs, oldInputs: two.inputs });
    expect(await read()).toEqual([{ name: 'a2' }, {}, { name: 'c' }]);
  });
});
