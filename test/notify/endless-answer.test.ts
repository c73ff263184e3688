import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, createGzip } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { post } from '@platform-sync/review/notify/post';
import { githubClient } from '@platform-sync/review/github/client';
import { onceOnly } from '@platform-sync/review/gitlab/client';

let server: Server;
let written = 0;
beforeAll(async () => {
  server = createServer((asked, answer) => {
    asked.resume();
    const packed = asked.url === '/packed';
    answer.writeHead(200, packed ? { 'content-encoding': 'gzip' } : {});
    const out = packed ? createGzip({ flush: constants.Z_SYNC_FLUSH, level: constants.Z_BEST_SPEED }) : answer;
    if (out !== answer) out.pipe(answer);
    const chunk = Buffer.alloc(64 * 1024, 'a');
    // As much as is taken, and never an end.
    const write = (): void => {
      while (!answer.destroyed) {
        written += 1;
        if (!out.write(chunk)) return void out.once('drain', write);
      }
    };
    answer.on('error', () => undefined);
    write();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it.each(['/plain', '/packed'])('an answer without an end is read as far as it is quoted: %s', async (path) => {
  written = 0;
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}${path}`;
  const posted = await post({ url, headers: {}, pausesMs: [] }, '{}');
  expect(posted).toEqual({ taken: true, answer: 'a'.repeat(10_000) });
  // What is on its way fills buffers; a reader of everything takes hundreds of megabytes until its time is over.
  expect(written).toBeLessThan(4_000);
});

const url = (): string => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
const hosts = {
  gitlab: (path: string): Promise<unknown> => onceOnly({ url: url(), authHeaders: {} }, Date.now).get(path),
  github: async (path: string): Promise<unknown> => {
    const patience = { now: Date.now, pause: () => Promise.resolve(), onWait: () => undefined };
    const project = { host: 'github', apiUrl: url(), project: 'acme/shop', token: 'canary' } as const;
    const { call, octokit } = githubClient(project as never, patience as never);
    return call({ what: 'an object', form: (value) => value instanceof Map }, () => octokit.request(`GET ${path}`));
  },
};

it.each([
  ['gitlab', '/plain'],
  ['gitlab', '/packed'],
  ['github', '/plain'],
  ['github', '/packed'],
] as const)('an answer without an end of a host of reviews is given up: %s%s', async (host, path) => {
  written = 0;
  await expect(hosts[host](path)).rejects.toMatchObject({ name: 'ReviewError' });
  expect(written).toBeLessThan(4_000);
});
