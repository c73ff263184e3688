import { afterEach, describe, expect, it } from 'vitest';
import type { Round } from '@platform-sync/core/model/fleet';
import { HttpClient } from '@platform-sync/rest/http/client';
import { loopback, type Loopback } from './loopback.js';

let server: Loopback | undefined;
const clients: HttpClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await server?.close();
});

function client(round: Round, caller = 'token'): (path: string) => Promise<string> {
  const made = new HttpClient({ concurrency: 4, round, caller, retries: 0 });
  clients.push(made);
  return async (path) => {
    const { text } = await made.send({ method: 'GET', origin: server?.origin ?? '', path, headers: {} });
    return text;
  };
}

describe('a round', () => {
  it('asks for what several need once, and a second time for whoever wants a second answer', async () => {
    server = await loopback((_, nth) => ({ status: 200, text: `answer ${nth}` }));
    const round = {};
    const [first, second, third] = [client(round), client(round), client(round)];
    expect([await first('/list'), await second('/list')]).toEqual(['answer 0', 'answer 0']);
    expect(await second('/list')).toBe('answer 1');
    expect(await third('/list')).toBe('answer 1');
    expect(server.seen.length).toBe(2);
  });

  it('takes an answer that is still under way', async () => {
    server = await loopback((_, nth) => ({ status: 200, text: `answer ${nth}` }));
    const round = {};
    const answers = await Promise.all([client(round)('/list'), client(round)('/list')]);
    expect([answers, server.seen.length]).toEqual([['answer 0', 'answer 0'], 1]);
  });

  it('hands no answer to another token, to another round, nor one that is no list', async () => {
    server = await loopback((_, nth) =>
      nth === 0 ? { status: 503, text: 'busy' } : { status: 200, text: `answer ${nth}` },
    );
    const round = {};
    expect(await client(round)('/list')).toBe('busy');
    expect(await client(round)('/list')).toBe('answer 1');
    expect(await client(round, 'other token')('/list')).toBe('answer 2');
    expect(await client({})('/list')).toBe('answer 3');
  });

  it('keeps one pace for all that ask with one token', async () => {
    let inFlight = 0;
    let most = 0;
    server = await loopback(() => (response) => {
      most = Math.max(most, ++inFlight);
      setImmediate(() => {
        inFlight -= 1;
        response.end('done');
      });
    });
    const round = {};
    await Promise.all([1, 2, 3].flatMap((each) => [1, 2, 3, 4].map((one) => client(round)(`/${each}/${one}`))));
    expect([server.seen.length, most <= 4]).toEqual([12, true]);
  });
});
