import { expect, test } from 'vitest';
import { RequestGate } from '@platform-sync/rest/http/gate';
import { FakeClock } from './fake-clock.js';

interface Limiter {
  /** Seconds to wait, or undefined when the request is let through. */
  readonly take: (now: number) => number | undefined;
}

/** Refills evenly; says "a second" when empty. */
function bucket(perSecond: number, capacity: number): Limiter {
  let tokens = capacity;
  let at: number | undefined;
  return {
    take: (now) => {
      tokens = Math.min(capacity, tokens + ((now - (at ?? now)) / 1000) * perSecond);
      at = now;
      if (tokens < 1) return 1;
      tokens -= 1;
      return undefined;
    },
  };
}

/** So many in each minute, then nothing till the next. */
function fixedWindow(perMinute: number): Limiter {
  let opened: number | undefined;
  let taken = 0;
  return {
    take: (now) => {
      if (opened === undefined || now - opened >= 60_000) [opened, taken] = [now, 0];
      taken += 1;
      return taken <= perMinute ? undefined : Math.ceil((opened + 60_000 - now) / 1000);
    },
  };
}

/** Sends `count` requests of 20 ms each against a limiter, as the client would. */
async function run(limiter: Limiter, count: number, concurrency: number): Promise<{ ms: number; refused: number }> {
  const clock = new FakeClock();
  const gate = new RequestGate({ concurrency, clock, random: () => 0.5 });
  const started = clock.now();
  let refused = 0;
  let done = 0;
  const one = async (): Promise<void> => {
    for (let repeated = false; ; repeated = true) {
      const permit = await gate.enter({ repeated });
      const wait = limiter.take(clock.now());
      await new Promise<void>((resolve) => clock.after(20, resolve));
      if (wait === undefined) {
        done += 1;
        return permit.accepted();
      }
      refused += 1;
      permit.refused(wait * 1000);
    }
  };
  // As the engine does: only so many calls are open at a time.
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await one();
    }
  };
  const workers = Promise.all(Array.from({ length: concurrency }, worker));
  while (done < count) await clock.advance(100);
  await workers;
  return { ms: clock.now() - started, refused };
}

test.each([
  ['a bucket of 10 a second', () => bucket(10, 10), 99_000],
  ['a bucket of 10 a second that starts full', () => bucket(10, 600), 40_000],
  ['600 in a fixed minute', () => fixedWindow(600), 61_000],
])('1,000 requests against %s: hardly longer than it must take, few refusals', async (_, limiter, ideal) => {
  const { ms, refused } = await run(limiter(), 1_000, 16);
  expect(ms).toBeLessThan(ideal * 1.1);
  expect(refused).toBeLessThan(30);
});

/** Refuses every tenth request, however slowly they come: somebody else uses up the limit. */
function everyTenth(): Limiter {
  let count = 0;
  return {
    take: () => {
      count += 1;
      return count % 10 === 0 ? 1 : undefined;
    },
  };
}

test('refusals that have nothing to do with our rate do not slow us down further and further', async () => {
  const { ms, refused } = await run(everyTenth(), 1_000, 16);
  expect(refused).toBe(111);
  // Each of them asks for a second.
  expect(ms).toBeLessThan(1.5 * 111_000);
});

test("minutes in which answers were lost are nobody's limit: requests are spread no wider than ten seconds", async () => {
  const clock = new FakeClock();
  const gate = new RequestGate({ concurrency: 1, clock, random: () => 0 });
  for (let nth = 0; nth < 3; nth += 1) {
    const permit = await gate.enter();
    await clock.advance(300_000);
    permit.accepted();
  }
  (await gate.enter()).refused(1_000);
  let isIn = false;
  void gate.enter().then(() => (isIn = true));
  await clock.advance(11_100);
  expect(isIn).toBe(true);
});
