import { describe, expect, it } from 'vitest';
import type { SharedRate, Urgency } from '@platform-sync/core/model/shared-rate';
import { RequestGate } from '@platform-sync/rest/http/gate';
import { type Clock, sleep } from '@platform-sync/rest/http/clock';
import { emptyLedger, granted, heldFor } from '@platform-sync/state/rate-ledger';
import { leapingClock } from '../../harness/leaping-clock.js';

/** Chance with a beginning: the same every time. */
function chance(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

interface Stack {
  readonly name: string;
  readonly requests: number;
  readonly urgency?: Urgency;
  readonly startsAfterMs?: number;
  /** It never stops asking. */
  readonly until?: () => boolean;
}

interface Sent {
  readonly stack: string;
  readonly at: number;
}

/** Runs on many machines that share one ledger, as those of one database do: an answer takes a while each way. */
class Machines {
  readonly clock: Clock = leapingClock();
  readonly sent: Sent[] = [];
  readonly begun = this.clock.now();
  isAway = false;
  #ledger = emptyLedger;
  readonly #random: () => number;
  readonly #perMinute: number;

  constructor(seed: number, perMinute: number) {
    this.#random = chance(seed);
    this.#perMinute = perMinute;
  }

  async run({ name, requests, urgency = 'scheduled', startsAfterMs = 0, until }: Stack): Promise<number> {
    await sleep(this.clock, startsAfterMs);
    const rate = this.#rate(name, urgency);
    const gate = new RequestGate({
      ...{ concurrency: 16, clock: this.clock, random: this.#random, rate, requestsPerMinute: this.#perMinute },
    });
    const one = async (): Promise<void> => {
      const permit = await gate.enter();
      this.sent.push({ stack: name, at: this.clock.now() });
      await sleep(this.clock, 50 + this.#random() * 400);
      permit.accepted();
    };
    if (until === undefined) await Promise.all(Array.from({ length: requests }, one));
    else while (!until()) await Promise.all(Array.from({ length: requests }, one));
    return this.clock.now();
  }

  #rate(asker: string, urgency: Urgency): SharedRate {
    const away = (): Promise<void> => sleep(this.clock, this.#random() * 60);
    return {
      take: async (wanted) => {
        await away();
        if (this.isAway) throw new Error('away');
        const ask = { asker, wanted, urgency, perMinute: this.#perMinute };
        const { ledger, grant } = granted(this.#ledger, ask, this.clock.now());
        this.#ledger = ledger;
        await away();
        return grant;
      },
      refused: async (ms) => {
        this.#ledger = heldFor(this.#ledger, ms, this.clock.now());
      },
    };
  }

  /** The most that left in any minute. */
  busiestMinute(): number {
    const times = this.sent.map(({ at }) => at).sort((a, b) => a - b);
    let from = 0;
    return times.reduce((most, at, to) => {
      while (at - (times[from] ?? 0) >= 60_000) from += 1;
      return Math.max(most, to - from + 1);
    }, 0);
  }

  timesOf(stack: string): readonly number[] {
    return this.sent.filter((one) => one.stack === stack).map(({ at }) => at);
  }
}

function stacks(count: number, requests: number): Stack[] {
  return Array.from({ length: count }, (_, at) => ({ name: `stack${at}`, requests }));
}

describe('a rate that runs of one database keep together', () => {
  it.each([
    [1, 1, 3, 1],
    [2, 7, 4, 3],
    [3, 60, 6, 20],
    [4, 300, 12, 50],
    [5, 1_000, 12, 150],
  ])(
    'lets no more leave in any minute, and little less (case %i: %i a minute)',
    async (seed, perMinute, count, each) => {
      const machines = new Machines(seed, perMinute);
      await Promise.all(stacks(count, each).map((stack) => machines.run(stack)));
      expect(machines.sent).toHaveLength(count * each);
      expect(machines.busiestMinute()).toBeLessThanOrEqual(perMinute);
      const ideal = ((count * each - 1) / perMinute) * 60_000;
      expect(machines.clock.now() - machines.begun).toBeLessThan(ideal * 1.15 + 3_000);
    },
  );

  it('gives each stack its turn: of equal ones none is behind', async () => {
    const machines = new Machines(6, 300);
    const ends = await Promise.all(stacks(10, 60).map((stack) => machines.run(stack)));
    const took = ends.map((end) => end - machines.begun);
    expect(Math.max(...took) - Math.min(...took)).toBeLessThan(12_000);
  });

  it('lets what somebody waits for begin at once among two hundred that a schedule began', async () => {
    const machines = new Machines(7, 1_000);
    const asked = { name: 'request', requests: 10, urgency: 'asked', startsAfterMs: 8_000 } as const;
    let isDone = false;
    const scheduled = stacks(200, 2).map((stack) => machines.run({ ...stack, until: () => isDone }));
    const end = await machines.run(asked);
    isDone = true;
    const [first = Infinity] = machines.timesOf('request');
    expect(first - machines.begun - 8_000).toBeLessThan(10_000);
    expect(end - machines.begun - 8_000).toBeLessThan(20_000);
    await Promise.all(scheduled);
  });

  it('lets no stack starve beside others that write without end', async () => {
    const machines = new Machines(8, 60);
    let isDone = false;
    const writing = Array.from({ length: 5 }, (_, at) =>
      machines.run({ name: `writer${at}`, requests: 8, urgency: 'writing', until: () => isDone }),
    );
    await machines.run({ name: 'quiet', requests: 3, startsAfterMs: 5_000 });
    isDone = true;
    const times = [5_000 + machines.begun, ...machines.timesOf('quiet')];
    const waits = times.slice(1).map((at, nth) => at - (times[nth] ?? 0));
    // The head start of a writer, and a turn of each.
    expect(Math.max(...waits)).toBeLessThan(60_000);
    await Promise.all(writing);
  });

  it('goes on at its own pace while the database is away', async () => {
    const machines = new Machines(9, 120);
    machines.isAway = true;
    await machines.run({ name: 'alone', requests: 200 });
    expect(machines.busiestMinute()).toBeLessThanOrEqual(121);
    expect(machines.sent).toHaveLength(200);
  });
});
