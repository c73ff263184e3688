import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from './client.js';

let client: Client;
beforeAll(async () => {
  client = await Client.start({ token: 'own' });
});
afterAll(() => client.close());

const own = { authorization: 'Bearer own' };

/** By hand, since `fetch` writes the name of the host itself. */
function statusOf(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  return new Promise((done, failed) => {
    request(client.sandbox.url + path, { method, headers }, (answer) => {
      answer.resume();
      done(answer.statusCode);
    })
      .on('error', failed)
      .end();
  });
}

describe('the controls of a sandbox with a token of its own', () => {
  it.each([
    ['GET', '/_sandbox/requests'],
    ['POST', '/_sandbox/reset'],
    ['GET', '/_sandbox/nothing'],
  ])('are shut without it: %s %s', async (method, path) => {
    for (const headers of [{}, { authorization: 'Bearer another' }, { authorization: 'Basic own' }])
      expect(await statusOf(method, path, headers)).toBe(401);
    expect(await statusOf(method, path, own)).not.toBe(401);
  });
});

describe('a page in a browser', () => {
  it.each(['/v3/apis', '/_sandbox/reset', '/_sandbox/requests', '/nothing'])(
    'of somebody else reaches nothing, not even with the token: %s',
    async (path) => {
      for (const origin of ['https://evil.example', 'http://localhost:1', 'null', ''])
        for (const method of ['GET', 'POST', 'OPTIONS'])
          expect([origin, await statusOf(method, path, { ...own, origin })]).toEqual([origin, 403]);
    },
  );

  it('of the sandbox itself does', async () => {
    expect(await statusOf('GET', '/v3/apis', { ...own, origin: client.sandbox.url })).toBe(200);
  });

  it('that has a name of its own lead here reaches nothing', async () => {
    for (const host of ['evil.example', 'evil.example:80', 'localhost.evil.example', '127.0.0.1.evil.example']) {
      expect([host, await statusOf('GET', '/v3/apis', { ...own, host })]).toEqual([host, 421]);
      expect([host, await statusOf('POST', '/_sandbox/reset', { ...own, host })]).toEqual([host, 421]);
    }
    for (const host of ['localhost', 'localhost:9', '127.0.0.1', '[::1]:80', 'platform.localhost'])
      expect([host, await statusOf('GET', '/v3/apis', { ...own, host })]).toEqual([host, 200]);
  });
});
