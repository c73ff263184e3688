import { afterEach, describe, expect, test } from 'vitest';
import { NotSentError, type Fence } from '@platform-sync/core/model/state-store';
import { HttpClient } from '@platform-sync/rest/http/client';
import type { Method } from '@platform-sync/rest/http/retry';
import { HttpFailure, type HttpAnswer } from '@platform-sync/rest/http/transport';
import { FakeClock, settle } from './fake-clock.js';
import { loopback, type Loopback, type Reaction } from './loopback.js';

/** The right to send, as a test gives and takes it. */
class Right implements Fence {
  #mayWrite = true;
  readonly #dropped = new AbortController();
  readonly #cut = new AbortController();
  readonly dropped = this.#dropped.signal;
  readonly cut = this.#cut.signal;
  asked = 0;

  mayWrite(): boolean {
    this.asked += 1;
    return this.#mayWrite;
  }

  /** As a lease that is late: nobody tells those who wait. */
  lose(): void {
    this.#mayWrite = false;
  }

  drop(): void {
    this.#dropped.abort();
  }

  cutOff(): void {
    this.#cut.abort();
  }
}

const writes: readonly Method[] = ['POST', 'PUT', 'PATCH', 'DELETE'];
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

interface Rig {
  readonly server: Loopback;
  readonly clock: FakeClock;
  readonly right: Right;
  /** Of a run without the stack there is no right at all. */
  fence: Fence | undefined;
  send(method: Method, signal?: AbortSignal): Promise<HttpAnswer>;
}

async function rig(react: (nth: number) => Reaction, concurrency = 4): Promise<Rig> {
  const server = await loopback((_request, nth) => react(nth));
  const clock = new FakeClock();
  const right = new Right();
  const made: Rig = {
    ...{ server, clock, right, fence: right },
    send: (method, signal) =>
      client.send({ method, origin: server.origin, path: '/things', headers: {}, ...(signal && { signal }) }),
  };
  const client = new HttpClient({ concurrency, clock, random: () => 0, fence: () => made.fence });
  open.push(client, server);
  return made;
}

const fine: Reaction = { status: 200, text: '{}' };
const later: Reaction = { status: 429, headers: { 'retry-after': '45' } };
const silence: Reaction = () => undefined;
const reset: Reaction = (response) => void response.socket?.destroy();
/** Until a request is there, or nothing can come any more. */
const arrived = async (server: Loopback, count: number): Promise<void> =>
  void (await expect.poll(() => server.seen.length).toBe(count));
const ended = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'answered',
    (error: unknown) => (error instanceof Error ? error.name : error),
  );

describe('a write', () => {
  test.each(writes)('%s: leaves with the right to, and not without', async (method) => {
    const made = await rig(() => fine);
    expect((await made.send(method)).status).toBe(200);
    made.right.lose();
    await expect(made.send(method)).rejects.toBeInstanceOf(NotSentError);
    made.fence = undefined;
    await expect(made.send(method)).rejects.toBeInstanceOf(NotSentError);
    expect(made.server.seen).toHaveLength(1);
  });

  test.each(writes)('%s that waits at the gate is asked in the moment its bytes leave, not before', async (method) => {
    const { server, clock, right, send } = await rig((nth) => (nth === 0 ? later : fine));
    const call = ended(send(method));
    await arrived(server, 1);
    await settle();
    right.lose();
    await clock.advance(60_000);
    expect([await call, server.seen.length]).toEqual(['NotSentError', 1]);
  });

  test('that waits for a connection is asked then, too', async () => {
    let answerFirst = (): void => undefined;
    const { server, right, send } = await rig(
      (nth) => (nth > 0 ? fine : (response) => (answerFirst = () => void response.end('{}'))),
      1,
    );
    const first = ended(send('GET'));
    await arrived(server, 1);
    const second = ended(send('POST'));
    right.lose();
    answerFirst();
    expect([await first, await second, server.seen.length]).toEqual(['answered', 'NotSentError', 1]);
  });

  test.each(writes)('%s under way is cut off, which says nothing about what became of it', async (method) => {
    const { server, right, send } = await rig(() => silence);
    const call = ended(send(method));
    await arrived(server, 1);
    right.cutOff();
    // Not NotSentError: it may have been carried out.
    expect([await call, server.seen.length]).toEqual(['AbortError', 1]);
  });

  test('that was lost and may not be repeated any more ends as what it was: lost', async () => {
    const { server, clock, right, send } = await rig(() => reset);
    let isOver = false;
    const call = send('PATCH')
      .catch((error: unknown) => error)
      .finally(() => (isOver = true));
    await arrived(server, 1);
    right.lose();
    const passed = async (): Promise<boolean> => {
      await clock.advance(1_000);
      return isOver;
    };
    await expect.poll(passed).toBe(true);
    expect(await call).toBeInstanceOf(HttpFailure);
    expect(server.seen).toHaveLength(1);
  });
});

describe('a read', () => {
  test('needs no right', async () => {
    const made = await rig(() => fine);
    made.right.lose();
    made.right.drop();
    made.right.cutOff();
    expect((await made.send('GET')).status).toBe(200);
    made.fence = undefined;
    expect((await made.send('GET')).status).toBe(200);
  });
});

describe('a run that is to end', () => {
  test.each([...writes, 'GET'] as const)('drops a %s that was refused and only waits', async (method) => {
    const { server, right, send } = await rig(() => later);
    const call = ended(send(method));
    await arrived(server, 1);
    await settle();
    right.drop();
    // At once: the 45 seconds do not pass.
    expect([await call, server.seen.length]).toEqual([method === 'GET' ? 'AbortError' : 'NotSentError', 1]);
  });

  test('drops a write that waits because others were refused', async () => {
    const { server, right, send } = await rig((nth) => (nth === 0 ? later : fine));
    const refused = ended(send('POST'));
    await arrived(server, 1);
    await settle();
    const behind = ended(send('POST'));
    await settle();
    right.drop();
    expect([await refused, await behind, server.seen.length]).toEqual(['NotSentError', 'NotSentError', 1]);
  });

  test('drops one that waits for its turn and may not leave any more, without waiting for the turn', async () => {
    const { server, right, send } = await rig(() => silence, 1);
    void ended(send('POST'));
    await arrived(server, 1);
    const waiting = ended(send('POST'));
    await settle();
    right.lose();
    right.drop();
    expect([await waiting, server.seen.length]).toEqual(['NotSentError', 1]);
  });

  test('drops a write that only waits for its turn, and lets the one on the wire finish', async () => {
    let answerFirst = (): void => undefined;
    const { server, right, send } = await rig(
      (nth) => (nth > 0 ? fine : (response) => (answerFirst = () => void response.end('{}'))),
      1,
    );
    const first = ended(send('POST'));
    await arrived(server, 1);
    const second = ended(send('POST'));
    await settle();
    right.drop();
    answerFirst();
    expect([await first, await second, server.seen.length]).toEqual(['answered', 'NotSentError', 1]);
  });
});
