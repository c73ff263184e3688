import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SandboxInputError } from '@platform-sync/sandbox/input-error';
import { startSandbox } from '@platform-sync/sandbox/server';
import { Client, nobody } from './client.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('a data folder', () => {
  test('keeps objects, their order and the clock over a restart', async () => {
    const data = join(folder, 'kept');
    const first = await Client.start({ data });
    const api = await first.create('/v3/apis', { name: 'A', attributes: { tags: ['x', 'y'] } });
    for (const title of ['one', 'two', 'three']) {
      await first.create(`/v3/apis/${api}/documents`, { title, content: 'text' });
    }
    const gone = await first.create('/v3/apis', { name: 'B' });
    await first.call('DELETE', `/v3/apis/${gone}`);
    const before = (await first.get('/_sandbox/objects')).body;
    await first.close();

    const second = await Client.start({ data });
    expect((await second.get('/_sandbox/objects')).body).toEqual(before);
    expect((await second.call('POST', '/v3/apis', { name: 'A' })).status).toBe(409);
    await second.create(`/v3/apis/${api}/documents`, { title: 'four', content: 'text' });
    const slugs = (await second.list(`/v3/apis/${api}/documents`)).map((row) => row['slug']);
    expect(slugs).toEqual(['one', 'two', 'three', 'four']);
    await second.call('POST', '/_sandbox/reset');
    await second.close();

    const third = await Client.start({ data });
    expect(await third.list('/v3/apis')).toEqual([]);
    expect(await third.list('/v3/teams')).toHaveLength(10);
    await third.close();
  });

  test('that is none is refused in words', async () => {
    const data = join(folder, 'file');
    writeFileSync(data, 'not a folder');
    await expect(startSandbox({ data })).rejects.toThrow(SandboxInputError);
    const broken = join(folder, 'broken');
    await (await startSandbox({ data: broken })).close();
    writeFileSync(join(broken, 'sandbox.db'), 'x'.repeat(8192));
    await expect(startSandbox({ data: broken })).rejects.toThrow(/can't be used/);
  });
});

describe('a seed', () => {
  test('is an object or a file, and is planted again by a reset', async () => {
    const file = join(folder, 'seed.json');
    writeFileSync(file, JSON.stringify({ apis: [{ id: nobody, name: 'From the file' }] }));
    for (const seed of [file, { apis: [{ id: nobody, name: 'From the file' }] }]) {
      const client = await Client.start({ seed });
      await client.call('DELETE', `/v3/apis/${nobody}`);
      await client.call('POST', '/_sandbox/reset');
      expect(await client.names('/v3/apis')).toEqual(['From the file']);
      await client.close();
    }
  });

  test('that cannot be used is refused in words', async () => {
    const file = join(folder, 'bad.json');
    writeFileSync(file, '{"apis": ');
    const list = join(folder, 'list.json');
    writeFileSync(list, '[]');
    for (const seed of [file, list, join(folder, 'missing.json'), { things: [] }, { apis: 'x' }]) {
      await expect(startSandbox({ seed })).rejects.toThrow(SandboxInputError);
    }
  });
});

test('a taken port is refused in words', async () => {
  const first = await startSandbox();
  await expect(startSandbox({ port: first.port })).rejects.toThrow(SandboxInputError);
  await first.close();
});

test('closing cuts idle and waiting connections; those in flight at once are counted', async () => {
  const client = await Client.start({ latencyMs: 600_000 });
  const idle = connect(client.sandbox.port, '127.0.0.1');
  const closed = new Promise((resolve) => idle.once('close', resolve));
  await new Promise((resolve) => idle.once('connect', resolve));
  const waiting = Array.from({ length: 8 }, () => client.get('/v3/teams').catch((error: unknown) => error));
  // Control calls don't wait and don't count.
  await expect
    .poll(async () => (await client.get('/_sandbox/requests')).body['peakInFlight'], { timeout: 30_000 })
    .toBe(8);
  await client.close();
  for (const outcome of await Promise.all(waiting)) expect(outcome).toBeInstanceOf(Error);
  await closed;
});

test('the rate limit counts a minute, and says when the next one begins', async () => {
  let now = Date.UTC(2030, 0, 1);
  const client = await Client.start({ rateLimit: 3, clock: () => now });
  const statuses = async (count: number): Promise<readonly number[]> => {
    const seen: number[] = [];
    for (let at = 0; at < count; at += 1) seen.push((await client.get('/v3/teams')).status);
    return seen;
  };
  expect(await statuses(4)).toEqual([200, 200, 200, 429]);
  now += 18_500;
  const refused = await client.get('/v3/teams');
  expect(refused.headers.get('retry-after')).toBe('42');
  expect(refused.body).toMatchObject({ title: 'Rate Limited', detail: 'Too many requests' });
  expect((await client.get('/_sandbox/requests')).status).toBe(200);
  now += 42_000;
  expect(await statuses(4)).toEqual([200, 200, 200, 429]);
  await client.close();
});

describe('shuffled', () => {
  test('pages still hold every object once, in another order than made', async () => {
    const client = await Client.start({ shuffle: 1 });
    const names = Array.from({ length: 35 }, (_, at) => `api ${String(at)}`);
    for (const name of names) await client.create('/v3/apis', { name });
    const walk = async (): Promise<unknown[]> => {
      const pages = [1, 2, 3, 4].map((page) => client.names(`/v3/apis?page[number]=${String(page)}`));
      return (await Promise.all(pages)).flat();
    };
    const seen = await walk();
    expect(seen).not.toEqual(names);
    expect([...seen].sort()).toEqual([...names].sort());
    expect(await walk()).toEqual(seen);
    expect(await client.names('/v3/apis?sort=created_at&page[size]=100')).toEqual(names);
    await client.close();
  });

  test('attribute values change places from answer to answer, and lose nothing', async () => {
    const client = await Client.start({ shuffle: 2 });
    const sent = ['a', 'b', 'c', 'd', 'e', 'e'];
    const id = await client.create('/v3/apis', { name: 'A', attributes: { tags: sent } });
    const orders = new Set<string>();
    for (let at = 0; at < 20; at += 1) {
      const { tags } = (await client.get(`/v3/apis/${id}`)).body['attributes'] as { tags: string[] };
      orders.add(tags.join(''));
      expect([...tags].sort()).toEqual(sent);
    }
    expect(orders.size).toBeGreaterThan(5);
    await client.close();
  });
});
