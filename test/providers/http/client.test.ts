import { afterEach, describe, expect, test } from 'vitest';
import type { Clock } from '@platform-sync/rest/http/clock';
import { HttpClient, type HttpLimits } from '@platform-sync/rest/http/client';
import type { Method } from '@platform-sync/rest/http/retry';
import { type Connect, HttpFailure, type HttpAnswer, type HttpRequest } from '@platform-sync/rest/http/transport';
import { deadPort, loopback, type Loopback, type Reaction, type SeenRequest } from './loopback.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** Waits pass at once, and are noted. */
function hurriedClock(): { clock: Clock; slept: number[] } {
  const slept: number[] = [];
  let ahead = 0;
  const after: Clock['after'] = (ms, run) => {
    slept.push(ms);
    ahead += ms;
    const timer = setImmediate(run);
    return () => clearImmediate(timer);
  };
  return { clock: { now: () => Date.now() + ahead, after }, slept };
}

async function rig(
  react: (request: SeenRequest, nth: number) => Reaction,
  limits: Partial<HttpLimits> = {},
): Promise<{
  server: Loopback;
  client: HttpClient;
  slept: number[];
  waits: string[];
  send: (method: Method, extra?: Partial<HttpRequest>) => Promise<HttpAnswer>;
}> {
  const server = await loopback(react);
  const { clock, slept } = hurriedClock();
  const waits: string[] = [];
  const client = new HttpClient({
    concurrency: 4,
    clock,
    random: () => 0,
    limits,
    onWait: ({ reason }) => waits.push(reason),
  });
  open.push(client, server);
  const send = (method: Method, extra: Partial<HttpRequest> = {}): Promise<HttpAnswer> =>
    client.send({ method, origin: server.origin, path: '/things?x=1', headers: { accept: '*/*' }, ...extra });
  return { server, client, slept, waits, send };
}

const reset: Reaction = (response) => {
  response.socket?.destroy();
};
const halfAnswer: Reaction = (response) => {
  response.writeHead(201, { 'content-length': '1000' });
  response.write('{"id":');
  setImmediate(() => response.socket?.destroy());
};
const silence: Reaction = () => undefined;
const garbage: Reaction = (response) => {
  response.socket?.end('I am no web server\r\n\r\n');
};

test('sends method, path, headers and body; gives status, headers and text', async () => {
  const { server, send, client } = await rig(() => ({ status: 201, headers: { 'x-thing': '7' }, json: { id: 'a' } }));
  const answer = await send('POST', { body: '{"name":"é"}', headers: { 'content-type': 'application/json' } });
  expect(answer).toMatchObject({ status: 201, text: '{"id":"a"}' });
  expect(answer.headers['x-thing']).toBe('7');
  expect(server.seen[0]).toMatchObject({ method: 'POST', url: '/things?x=1', body: '{"name":"é"}' });
  expect(client.requests).toBe(1);
});

test('who asks to be told when its turn has come is told each time before it leaves, and may give the turn back', async () => {
  const told: string[] = [];
  const { server, send, client } = await rig((_seen, nth) => {
    told.push(`request ${String(nth + 1)}`);
    return nth === 0 ? { status: 429, headers: { 'retry-after': '1' } } : { status: 200 };
  });
  const atTurn = async (): Promise<void> => void told.push('turn');
  await send('POST', { atTurn });
  expect(told).toEqual(['turn', 'request 1', 'turn', 'request 2']);
  // More often than there are places: each turn that is given back is somebody else's.
  for (let nth = 0; nth < 10; nth += 1)
    await expect(send('POST', { atTurn: () => Promise.reject(new Error('the store is away')) })).rejects.toThrow(
      /away/,
    );
  await send('POST');
  expect([server.seen.length, client.requests]).toEqual([3, 3]);
});

test.each<Method>(['PUT', 'PATCH', 'DELETE'])(
  'a %s whose answer was lost may have been carried out, though nobody listens any more when it is sent again',
  async (method) => {
    const { server, send } = await rig(() => (response) => {
      void server.close();
      response.socket?.destroy();
    });
    await expect(send(method)).rejects.toMatchObject({ kind: 'reset' });
    expect(server.seen).toHaveLength(1);
  },
);

test('keeps connections open and never has more than `concurrency` requests in flight', async () => {
  let inFlight = 0;
  let peak = 0;
  const ports = new Set<number | undefined>();
  const { send } = await rig(() => (response, request) => {
    inFlight += 1;
    peak = Math.max(peak, inFlight);
    ports.add(request.socket.remotePort);
    setTimeout(() => {
      inFlight -= 1;
      response.end('{}');
    }, 2);
  });
  await Promise.all(Array.from({ length: 40 }, () => send('GET')));
  expect(peak).toBe(4);
  expect(ports.size).toBe(4);
});

test('a fault is no refusal: however many there are, as many requests as before are in flight, and at once', async () => {
  const faults: readonly Reaction[] = [{ status: 500 }, { status: 502 }, { status: 503 }, reset];
  const rounds = 40;
  let waiting: (() => void)[] = [];
  const { send, slept } = await rig((_request, nth) => {
    if (nth < rounds) return faults[nth % faults.length] ?? reset;
    // Nobody is answered before all four are there: were there fewer at a time, this would never end.
    return (response) => {
      waiting.push(() => void response.end('{}'));
      if (waiting.length < 4) return;
      waiting.forEach((answer) => answer());
      waiting = [];
    };
  });
  for (let nth = 0; nth < rounds; nth += 1) await send('POST').catch(() => undefined);
  const answers = await Promise.all(Array.from({ length: 8 }, () => send('POST')));
  expect([answers.map(({ status }) => status), slept]).toEqual([Array(8).fill(200), []]);
});

describe('repeats', () => {
  test.each<[string, Method, Reaction, number]>([
    ['503', 'GET', { status: 503 }, 2],
    ['500', 'DELETE', { status: 500 }, 2],
    ['504', 'PATCH', { status: 504 }, 2],
    ['a reset', 'GET', reset, 2],
    ['half an answer', 'GET', halfAnswer, 2],
    ['garbage', 'GET', garbage, 2],
    ['a reset', 'PATCH', reset, 2],
    ['429', 'POST', { status: 429 }, 2],
    ['429', 'GET', { status: 429, headers: { 'retry-after': '1' } }, 2],
    ['404', 'GET', { status: 404 }, 1],
    ['501', 'GET', { status: 501 }, 1],
    ['a redirect', 'GET', { status: 302, headers: { location: '/elsewhere' } }, 1],
  ])('after %s on %s', async (_, method, first, sent) => {
    const { server, client, send } = await rig((_request, nth) => (nth === 0 ? first : { status: 200, text: '{}' }));
    const { status } = await send(method);
    expect(server.seen).toHaveLength(sent);
    expect(client.requests).toBe(sent);
    if (sent === 2) expect(status).toBe(200);
  });

  test.each<[string, Reaction]>([
    ['a reset', reset],
    ['half an answer', halfAnswer],
    ['garbage', garbage],
  ])('never a POST after %s', async (_, first) => {
    const { server, send } = await rig(() => first);
    await expect(send('POST')).rejects.toBeInstanceOf(HttpFailure);
    expect(server.seen).toHaveLength(1);
  });

  test.each([500, 502, 503, 504])('never a POST after %i', async (status) => {
    const { server, send } = await rig(() => ({ status }));
    expect((await send('POST')).status).toBe(status);
    expect(server.seen).toHaveLength(1);
  });

  test('four times at most, with growing waits that are told', async () => {
    const { server, send, slept, waits } = await rig(() => ({ status: 503 }));
    expect((await send('GET')).status).toBe(503);
    expect(server.seen).toHaveLength(5);
    expect(slept).toEqual([375, 750, 1500, 3000]);
    expect(waits).toEqual(Array.from({ length: 4 }, () => 'the platform answered 503'));
  });

  test('leave the wait between them, and nothing else, to who called', async () => {
    let resting = 0;
    const { send, slept } = await rig((_request, nth) => ({ status: resting > 0 || nth < 2 ? 503 : 200 }));
    const waited: number[] = [];
    const whileWaiting = async <T>(wait: () => Promise<T>): Promise<T> => {
      resting += 1;
      const before = slept.length;
      const result = await wait();
      waited.push(...slept.slice(before));
      resting -= 1;
      return result;
    };
    expect((await send('GET', { whileWaiting })).status).toBe(200);
    expect(waited).toEqual(slept);
    expect(waited).toHaveLength(2);
  });

  test('a server that names the wait of a 503 gets it', async () => {
    const { send, slept } = await rig((_, nth) =>
      nth === 0 ? { status: 503, headers: { 'retry-after': '9' } } : { status: 200 },
    );
    await send('GET');
    expect(slept).toEqual([9_000]);
  });

  test('a wait named with a 503 that goes past the time of a call is not waited for', async () => {
    const { server, send, slept } = await rig(() => ({ status: 503, headers: { 'retry-after': '86400' } }));
    expect((await send('GET')).status).toBe(503);
    expect(server.seen).toHaveLength(1);
    expect(slept).toEqual([]);
  });

  test('429s as often as needed, until the time of a call is over', async () => {
    const { server, send } = await rig(() => ({ status: 429, headers: { 'retry-after': '10' } }), { callMs: 65_000 });
    expect((await send('POST')).status).toBe(429);
    expect(server.seen).toHaveLength(7);
  });

  test('a wait longer than the time of a call is not waited for', async () => {
    const { server, send, slept } = await rig(() => ({ status: 429, headers: { 'retry-after': '86400' } }));
    expect((await send('GET')).status).toBe(429);
    expect(server.seen).toHaveLength(1);
    expect(slept).toEqual([]);
  });
});

test.each<Method>(['GET', 'POST'])(
  '%s to a port nobody listens on: tried once more, known as not sent',
  async (method) => {
    const { send, client } = await rig(() => ({ status: 200 }));
    const origin = `http://127.0.0.1:${deadPort}`;
    await expect(send(method, { origin })).rejects.toMatchObject({ kind: 'not-sent', code: 'ECONNREFUSED' });
    expect(client.requests).toBe(2);
    // Nobody waits for such a server twice.
    await expect(send(method, { origin })).rejects.toMatchObject({ kind: 'not-sent' });
    expect(client.requests).toBe(3);
  },
);

test('no answer in time: a failure for POST, another attempt for GET', async () => {
  const { server, send } = await rig((_, nth) => (nth < 2 ? silence : { status: 200, text: 'late' }), {
    attemptMs: 40,
  });
  await expect(send('POST')).rejects.toMatchObject({ kind: 'timed-out' });
  expect(server.seen).toHaveLength(1);
  expect((await send('GET')).text).toBe('late');
});

test('an answer beyond the size limit is a failure, not a full memory', async () => {
  const { send } = await rig(() => ({ status: 200, text: 'x'.repeat(5_000) }), { maxAnswerBytes: 1_000 });
  await expect(send('POST')).rejects.toMatchObject({ kind: 'garbled' });
});

describe('signals', () => {
  test('end a request in flight', async () => {
    const giveUp = new AbortController();
    const { send } = await rig(() => {
      setImmediate(() => giveUp.abort());
      return silence;
    });
    await expect(send('POST', { signal: giveUp.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('end a request whose connection is still to come', async () => {
    const giveUp = new AbortController();
    const connect = (): ReturnType<Connect> =>
      Promise.resolve({ dispatch: () => true, destroy: () => Promise.resolve() });
    const client = new HttpClient({ concurrency: 1, connect });
    open.push(client);
    setImmediate(() => giveUp.abort());
    const sent = client.send({ method: 'GET', origin: 'http://a', path: '/', headers: {}, signal: giveUp.signal });
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
  }, 5_000);

  test('end the wait before a repeat', async () => {
    const giveUp = new AbortController();
    const server = await loopback(() => ({ status: 503 }));
    const client = new HttpClient({ concurrency: 1, onWait: () => giveUp.abort() });
    open.push(client, server);
    const sent = client.send({ method: 'GET', origin: server.origin, path: '/', headers: {}, signal: giveUp.signal });
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.seen).toHaveLength(1);
  });

  test('one signal for many calls makes the runtime warn of nothing', async () => {
    const warned: string[] = [];
    const listener = (warning: Error): number => warned.push(warning.name);
    process.on('warning', listener);
    const { send } = await rig(() => ({ status: 200 }));
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 50 }, () => send('GET', { signal })));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listener);
    expect(warned).toEqual([]);
  });

  test('with a reason of the caller still end as AbortError, and give the place free', async () => {
    const { send } = await rig(() => ({ status: 200 }));
    await expect(send('GET', { signal: AbortSignal.abort('stop') })).rejects.toMatchObject({ name: 'AbortError' });
    const all = await Promise.all(Array.from({ length: 5 }, () => send('GET')));
    expect(all).toHaveLength(5);
  });
});
