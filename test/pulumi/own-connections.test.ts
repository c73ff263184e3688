import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tokenSettings } from '@platform-sync/platform/credentials';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { controlOf } from './control.js';
import { schemas } from './engine.js';
import { counts, Stack } from './stand-in/stack.js';

/** Calls that nothing is given to, as programs name them. */
const inputless = Object.entries(schemas['platform']?.functions ?? {}).flatMap(([token, { inputs }]) =>
  Object.keys(inputs.properties).length === 0 ? [token.split(':').at(-1) ?? ''] : [],
);

let sandbox: RunningSandbox;
/** Another server, of which only the program knows: what came to it, with which token. */
const heard: { readonly token: string; readonly url: string }[] = [];
const other = createServer((request, response) => {
  const { method = 'GET', url = '/', headers } = request;
  heard.push({ token: headers.authorization ?? '', url });
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const sent = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    const type = headers['content-type'] ?? 'application/json';
    void fetch(sandbox.url + url, { method, headers: { authorization: 'Bearer x', 'content-type': type }, ...sent })
      .then(async (answer) => [answer.status, await answer.text()] as const)
      .then(([status, text]) => response.writeHead(status, { 'content-type': 'application/json' }).end(text));
  });
});
beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true });
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  other.closeAllConnections();
  other.close();
  await sandbox.close();
});

it('a connection of the program has the token that the program gives, of any kind; lookups ask over it, those without input too', async () => {
  const url = `http://127.0.0.1:${String((other.address() as AddressInfo).port)}`;
  const settings = tokenSettings.map(({ setting }) => setting);
  const stack = await Stack.make(sandbox.url, {
    'index.js': `const platform = require('pulumi-platform');
const cloud = require('pulumi-cloud');
exports.asked = ${JSON.stringify(settings)}.map((setting, at) => {
  const provider = new platform.Provider('own' + at, { serverUrl: '${url}', [setting]: 'explicit-' + at });
  new platform.Api('api' + at, { name: 'K' + at, version: '1' }, { provider });
  return [${inputless.map((name) => `platform.${name}Output({ provider })`).join(', ')}];
});
const mine = new cloud.Provider('mine', { accessToken: 'explicit-cloud', serviceManagementCustomEndpoint: '${url}/v1/' });
exports.policy = cloud.endpoints.getServiceIamPolicyOutput({ serviceName: 'orders.endpoints.example.cloud.goog' }, { provider: mine });
`,
  });
  try {
    const { control } = controlOf(() => sandbox.url);
    const up = await stack.up();
    expect([up.failures, counts(up)['create']]).toEqual([[], settings.length * 2 + 1]);
    const wanted = [...settings.map((_, at) => `Bearer explicit-${String(at)}`), 'Bearer explicit-cloud'];
    // What is public is asked for without one.
    const told = heard.flatMap(({ token }) => (token === '' ? [] : [token]));
    expect([...new Set(told)].sort()).toEqual(wanted.sort());
    // Nothing was asked at the address of the environment: all that the sandbox heard came from there.
    const { total } = (await control('GET', '/_sandbox/requests')) as { readonly total: number };
    expect([inputless.length, total]).toEqual([3, heard.length]);
    expect(stack.checkpoint.export() + JSON.stringify(up.outputs)).not.toMatch(/test-token|explicit-/);
  } finally {
    await stack.close();
  }
});
