import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClientTokens } from '@platform-sync/rest/own/connect';
import { loopback, type Loopback, type Reaction } from '../http/loopback.js';

/** One token for all: whoever finds it ended asks once, and a failure is nobody's but those who waited for it. */

let server: Loopback;
let tokens: ClientTokens;
let asked: number;
let react: (nth: number) => Reaction;
const granted = (nth: number, expires_in: number): Reaction => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  json: { access_token: `token-${nth}`, expires_in },
});

beforeEach(async () => {
  asked = 0;
  react = (nth) => granted(nth, 3600);
  server = await loopback(() => react((asked += 1)));
  const client = { tokenUrl: `${server.origin}/token`, clientId: 'me', clientSecret: 'canary-secret' };
  const trust = { admit: () => Promise.resolve(), chooserOf: () => 'operator' as const };
  tokens = new ClientTokens({ by: 'clientCredentials', ...client }, {
    settings: {},
    env: {},
    trust,
    concurrency: 4,
    userAgent: 'test',
    retries: 0,
  } as never);
});
afterEach(async () => {
  vi.useRealTimers();
  await tokens.close();
  await server.close();
});

const many = (): Promise<readonly string[]> => Promise.all(Array.from({ length: 5 }, () => tokens.get()));

describe('a token of a client', () => {
  it('is asked for once, however many want it at a time', async () => {
    expect(new Set(await many())).toEqual(new Set(['token-1']));
    expect(asked).toBe(1);
  });

  it('is asked for once more when all find at a time that it has ended', async () => {
    await many();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    expect(new Set(await many())).toEqual(new Set(['token-2']));
    expect(new Set(await many())).toEqual(new Set(['token-2']));
    expect(asked).toBe(2);
  });

  it('of a short life is used in the first half of it', async () => {
    react = (nth) => granted(nth, 10);
    expect(await tokens.get()).toBe('token-1');
    expect(await tokens.get()).toBe('token-1');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 });
    expect(await tokens.get()).toBe('token-2');
  });

  it('that is refused fails all who wait for it, and is asked for anew by who comes later', async () => {
    react = () => ({ status: 401, headers: { 'content-type': 'application/json' }, json: { error: 'invalid_client' } });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => tokens.get()));
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'));
    const failed = asked;
    react = (nth) => granted(nth, 3600);
    expect(new Set(await many())).toEqual(new Set([`token-${failed + 1}`]));
    expect(failed).toBe(1);
  });
});
