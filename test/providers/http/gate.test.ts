import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { RequestGate, type Permit } from '@platform-sync/rest/http/gate';
import { FakeClock, settle } from './fake-clock.js';

interface Rig {
  readonly clock: FakeClock;
  readonly gate: RequestGate;
  /** Names of the requests that were let in, in order. */
  readonly entered: string[];
  readonly permits: Map<string, Permit>;
  readonly waits: { ms: number; reason: string }[];
  readonly enter: (name: string, options?: { repeated?: boolean; signal?: AbortSignal }) => Promise<void>;
}

function rig(concurrency: number, requestsPerMinute?: number): Rig {
  const clock = new FakeClock();
  const waits: { ms: number; reason: string }[] = [];
  const gate = new RequestGate({
    concurrency,
    clock,
    random: () => 0,
    onWait: (wait) => waits.push(wait),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
  });
  const entered: string[] = [];
  const permits = new Map<string, Permit>();
  const enter = async (name: string, options = {}): Promise<void> => {
    permits.set(name, await gate.enter(options));
    entered.push(name);
  };
  return { clock, gate, entered, permits, waits, enter };
}

describe('number in flight', () => {
  test('never passes the concurrency, and lets in by order of arrival', async () => {
    const { gate, entered, permits, enter } = rig(2);
    for (const name of ['a', 'b', 'c', 'd']) void enter(name);
    await settle();
    expect(entered).toEqual(['a', 'b']);
    permits.get('b')?.accepted();
    await settle();
    expect(entered).toEqual(['a', 'b', 'c']);
    permits.get('a')?.released();
    await settle();
    expect(entered).toEqual(['a', 'b', 'c', 'd']);
    expect(gate.limit).toBe(2);
  });

  test('leaves nothing with the signal of who waited, which the runtime would keep', async () => {
    const { permits, enter } = rig(1);
    const { signal } = new AbortController();
    void enter('a');
    void enter('b', { signal });
    await settle();
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    permits.get('a')?.released();
    await settle();
    expect(permits.has('b')).toBe(true);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('a request that has to be repeated goes before newcomers', async () => {
    const { entered, permits, enter } = rig(1);
    void enter('a');
    void enter('b');
    void enter('again', { repeated: true });
    await settle();
    permits.get('a')?.released();
    await settle();
    expect(entered).toEqual(['a', 'again']);
  });

  test('halves once for a bunch of refusals, then climbs by one a round trip up to the concurrency', async () => {
    const { clock, gate, permits, enter } = rig(8);
    for (let at = 0; at < 8; at += 1) void enter(`first ${at}`);
    await settle();
    for (const permit of [...permits.values()]) permit.refused(1_000);
    expect(gate.limit).toBe(4);
    await clock.advance(1_000);
    const climb: number[] = [];
    for (let at = 0; at < 60; at += 1) {
      await enter(`next ${at}`);
      permits.get(`next ${at}`)?.accepted();
      climb.push(gate.limit);
    }
    expect(climb[3]).toBe(4);
    expect(climb[5]).toBe(5);
    expect(climb.at(-1)).toBe(8);
  });

  test('never falls below one', async () => {
    const { clock, gate, permits, enter } = rig(2);
    for (const name of ['a', 'b', 'c', 'd']) {
      await Promise.all([enter(name), clock.advance(60_000)]);
      permits.get(name)?.refused(1_000);
    }
    expect(gate.limit).toBe(1);
  });
});

describe('a refusal', () => {
  test('holds everyone back for as long as asked, once, and says so once', async () => {
    const { clock, entered, permits, waits, enter } = rig(4);
    for (const name of ['a', 'b', 'c', 'd', 'e']) void enter(name);
    await settle();
    for (const name of ['a', 'b', 'c', 'd']) permits.get(name)?.refused(5_000);
    await clock.advance(4_999);
    expect(entered).toEqual(['a', 'b', 'c', 'd']);
    await clock.advance(1);
    expect(entered).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(waits).toEqual([{ ms: 5_000, reason: 'the platform asked to slow down (429)' }]);
  });

  test('a later, longer wait extends the hold', async () => {
    const { clock, entered, permits, enter } = rig(2);
    for (const name of ['a', 'b', 'c']) void enter(name);
    await settle();
    permits.get('a')?.refused(1_000);
    permits.get('b')?.refused(3_000);
    await clock.advance(2_999);
    expect(entered).not.toContain('c');
    await clock.advance(1);
    expect(entered).toContain('c');
  });

  test('without a wait named, the hold doubles from refusal to refusal and starts over after a success', async () => {
    const { clock, permits, waits, enter } = rig(1);
    const outcomes = ['refused', 'refused', 'refused', 'accepted', 'refused'] as const;
    for (const [at, outcome] of outcomes.entries()) {
      await Promise.all([enter(`${at}`), clock.advance(60_000)]);
      permits.get(`${at}`)?.[outcome]();
    }
    expect(waits.map(({ ms }) => ms)).toEqual([375, 750, 1500, 375]);
  });
});

describe('signals', () => {
  test('a waiter whose signal fires leaves the queue and takes no place', async () => {
    const { entered, permits, enter } = rig(1);
    const giveUp = new AbortController();
    void enter('a');
    const gone = enter('b', { signal: giveUp.signal });
    void enter('c');
    await settle();
    giveUp.abort();
    await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
    permits.get('a')?.accepted();
    await settle();
    expect(entered).toEqual(['a', 'c']);
  });

  test('a signal that fired before is refused at once', async () => {
    const { enter } = rig(1);
    await expect(enter('a', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test('requestsPerMinute: never more starts than that in any minute, and waits are told', async () => {
  const { clock, gate, waits } = rig(50, 120);
  const starts: number[] = [];
  const all = Array.from({ length: 400 }, () =>
    gate.enter().then((permit) => {
      starts.push(clock.now());
      permit.accepted();
    }),
  );
  await clock.advance(5 * 60_000);
  await Promise.all(all);
  const busiest = Math.max(
    ...starts.map((start) => starts.filter((other) => other >= start && other < start + 60_000).length),
  );
  expect(busiest).toBeLessThanOrEqual(120);
  expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeLessThan((400 / 120) * 60_000 * 1.01);
  expect(waits[0]?.reason).toBe('keeping to the request rate');
});
