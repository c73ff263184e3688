import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Description } from '@platform-sync/sandbox/described/description';
import { bodyProblems } from '@platform-sync/sandbox/described/check-body';
import type { Json } from '@platform-sync/sandbox/json';
import { Client } from './client.js';

let client: Client;
let plugins: string;
beforeAll(async () => {
  client = await Client.start();
  plugins = `/v2/control-planes/${await client.create('/v2/control-planes', { name: 'plane' })}/core-entities/plugins`;
});
afterAll(() => client.close());

const member = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((inner, name) => (inner as Readonly<Record<string, unknown>> | undefined)?.[name], value);
const plugin = (redis: Json): Json => ({ name: 'rate-limiting', config: { minute: 5, redis } });

describe('a port that the description calls a text with the bounds of a number', () => {
  it.each<[Json, Json]>([
    [6379, 6379],
    ['6379', 6379],
    [0, 0],
    ['65535', 65535],
    ['{vault://env/port}', '{vault://env/port}'],
  ])('is taken as %j, and answered as %j, when it is made and ever after', async (sent, answered) => {
    const { status, body } = await client.call('POST', plugins, plugin({ port: sent }));
    expect([status, member(body, 'config', 'redis', 'port')]).toEqual([201, answered]);
    const read = await client.get(`${plugins}/${String(member(body, 'id'))}`);
    expect(member(read.body, 'config', 'redis', 'port')).toBe(answered);
    await client.call('DELETE', `${plugins}/${String(member(body, 'id'))}`);
  });

  it('is a number where the platform fills it in', async () => {
    const { body } = await client.call('POST', plugins, plugin({ host: 'a' }));
    expect(member(body, 'config', 'redis', 'port')).toBe(6379);
    await client.call('DELETE', `${plugins}/${String(member(body, 'id'))}`);
  });

  it.each<[Json]>([[99999], ['99999'], [-1], [true], [{}]])('is refused as %j', async (sent) => {
    const { status, body } = await client.call('POST', plugins, plugin({ port: sent }));
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('config.redis.port')]);
  });
});

describe('what a description says may be', () => {
  const description = new Description({ openapi: '3.1.0', paths: {} });
  it.each<[string, Json, readonly Json[], readonly Json[]]>([
    ['a number or a text', { type: ['integer', 'string'] }, [5, '5', 'five'], [true, null, []]],
    ['one of two', { oneOf: [{ type: 'integer' }, { type: 'string' }] }, [5, '5', 'five'], [true, []]],
    ['a text', { type: 'string' }, ['5', 'five'], [5, true]],
    ['a number', { type: 'integer', minimum: 1 }, [5], ['5', 0]],
    ['a text with the bounds of a number', { type: 'string', maximum: 5 }, ['5', 5, 'five'], [6, '6', true]],
  ])('%s takes that, and nothing else', (_what, schema, fine, wrong) => {
    expect(fine.filter((value) => bodyProblems(description, schema, value).length > 0)).toEqual([]);
    expect(wrong.filter((value) => bodyProblems(description, schema, value).length === 0)).toEqual([]);
  });
});
