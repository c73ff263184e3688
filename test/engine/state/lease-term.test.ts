import { beforeEach, describe, expect, test } from 'vitest';
import type { LeaseHolder } from '@platform-sync/core/model/state-store';
import { acquireLease, breakLease, type LeaseSlot, type Occupant } from '@platform-sync/state/sql-lease';
import { realProcesses } from '@platform-sync/core/model/process-identity';
import { marginsOf, momentOf, realTiming, Term, type Timing } from '@platform-sync/state/lease-term';

const ttlMs = 30_000;

/** Two clocks that only move when they are told to, and what is to be done at their times. */
class Clocks {
  steadyMs = 1_000;
  wallMs = 1_700_000_000_000;
  #tasks: { readonly at: number; readonly every?: number; readonly task: () => void }[] = [];

  readonly timing: Timing = {
    ...{ ...realTiming, ttlMs, heartbeatMs: 5_000, pollMs: 500 },
    now: () => this.wallMs,
    steady: () => this.steadyMs,
    sleep: async (ms) => {
      await this.pass(ms);
    },
    every: (every, task) => this.#add({ at: this.steadyMs + every, every, task }),
    after: (ms, task) => this.#add({ at: this.steadyMs + ms, task }),
  };

  #add(entry: { readonly at: number; readonly every?: number; readonly task: () => void }): () => void {
    this.#tasks.push(entry);
    return () => (this.#tasks = this.#tasks.filter(({ task }) => task !== entry.task));
  }

  get waiting(): number {
    return this.#tasks.length;
  }

  async pass(ms: number): Promise<void> {
    const end = this.steadyMs + ms;
    for (;;) {
      const next = this.#tasks.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.wallMs += next.at - this.steadyMs;
      this.steadyMs = next.at;
      this.#tasks = this.#tasks.filter((one) => one !== next);
      if (next.every !== undefined) this.#tasks.push({ ...next, at: next.at + next.every });
      next.task();
      await new Promise((turn) => setImmediate(turn));
    }
    this.wallMs += end - this.steadyMs;
    this.steadyMs = end;
  }

  /** As a process that stands still: time passes, and nothing of what was due is done. */
  standStill(ms: number): void {
    this.wallMs += ms;
    this.steadyMs += ms;
  }
}

let clocks: Clocks;
let term: Term;
beforeEach(() => {
  clocks = new Clocks();
  term = new Term(clocks.timing, momentOf(clocks.timing));
});
const fired = (): readonly [late: boolean, over: boolean] => [term.late.aborted, term.over.aborted];

describe('the term of a lease', () => {
  test('a write may leave as long as a third is left, and is cut off two seconds before the end', async () => {
    expect(marginsOf(ttlMs)).toEqual({ sendMs: 10_000, cutMs: 2_000, partingMs: 500 });
    await clocks.pass(20_000);
    expect([term.mayWrite(), fired()]).toEqual([true, [false, false]]);
    await clocks.pass(1);
    expect([term.mayWrite(), fired(), term.late.reason]).toEqual([false, [true, false], 'late']);
    await clocks.pass(7_998);
    expect(fired()).toEqual([true, false]);
    await clocks.pass(2);
    expect(fired()).toEqual([true, true]);
    expect(clocks.waiting).toBe(0);
  });

  test('is looked at in the moment of sending: no timer has to fire', () => {
    clocks.standStill(20_001);
    expect([fired(), term.mayWrite(), fired()]).toEqual([[false, false], false, [true, false]]);
    clocks.standStill(8_000);
    expect([term.mayWrite(), fired()]).toEqual([false, [true, true]]);
  });

  test.each<[string, (clock: Clocks) => void]>([
    ['the clock of the wall is set forward', (clock) => (clock.wallMs += 20_001)],
    ['the steady one goes on alone (the wall’s was set back)', (clock) => (clock.steadyMs += 20_001)],
    [
      'the wall’s was set back by a day while time went on',
      (clock) => {
        clock.standStill(20_001);
        clock.wallMs -= 86_400_000;
      },
    ],
  ])('whichever clock ran faster counts: %s', (_what, move) => {
    move(clocks);
    expect(term.mayWrite()).toBe(false);
  });

  test('a confirmed sign of life counts from the moment it was asked for, not from the answer', async () => {
    await clocks.pass(5_000);
    const asked = momentOf(clocks.timing);
    await clocks.pass(10_000);
    term.confirmed(asked);
    expect(term.left()).toBe(20_000);
    await clocks.pass(10_000);
    expect([term.mayWrite(), fired()]).toEqual([true, [false, false]]);
    await clocks.pass(1);
    expect(term.mayWrite()).toBe(false);
  });

  test('what was late once stays so: a sign of life that comes after it revives nothing', async () => {
    await clocks.pass(20_001);
    term.confirmed(momentOf(clocks.timing));
    expect([term.mayWrite(), term.over.aborted]).toEqual([false, false]);
  });

  test('a refusal ends it at once for what would be sent, and at the old end for what was', async () => {
    term.refused();
    expect([term.mayWrite(), fired(), term.late.reason]).toEqual([false, [true, false], 'refused']);
    await clocks.pass(28_000);
    expect(fired()).toEqual([true, false]);
    await clocks.pass(1);
    expect(fired()).toEqual([true, true]);
  });

  test('one that was given back leaves no timer behind', () => {
    term.end();
    expect(clocks.waiting).toBe(0);
  });
});

/** A slot in memory, as the databases keep it. */
class Slot implements LeaseSlot {
  occupied: (Occupant & { readonly until: number; isRevoked: boolean }) | undefined;
  isAway = false;
  beats = 0;
  #token = 0;

  #alive(): typeof this.occupied {
    return this.occupied !== undefined && this.occupied.until > clocks.wallMs ? this.occupied : undefined;
  }

  async take(...[request, process]: Parameters<LeaseSlot['take']>): ReturnType<LeaseSlot['take']> {
    const other = this.#alive();
    if (other !== undefined) return other;
    const holder: LeaseHolder = { ...request, since: '', seen: '' };
    this.occupied = { holder, process, until: clocks.wallMs + ttlMs, isRevoked: false };
    return { token: (this.#token += 1), holder };
  }

  async beat(id: string): Promise<boolean> {
    this.beats += 1;
    if (this.isAway) throw new Error('away');
    const mine = this.#alive();
    if (mine?.holder.id !== id || mine.isRevoked) return false;
    this.occupied = { ...mine, until: clocks.wallMs + ttlMs };
    return true;
  }

  async revoke(id: string): Promise<boolean> {
    const mine = this.#alive();
    if (mine?.holder.id !== id) return false;
    return (mine.isRevoked = true);
  }

  async drop(id: string): Promise<boolean> {
    if (this.#alive()?.holder.id !== id) return false;
    this.occupied = undefined;
    return true;
  }

  async occupant(): Promise<LeaseHolder | undefined> {
    return this.#alive()?.holder;
  }
}

describe('a lease', () => {
  let slot: Slot;
  beforeEach(() => {
    slot = new Slot();
  });
  const acquire = (waitMs = 0): ReturnType<typeof acquireLease> =>
    acquireLease(slot, 'apply', { owner: 'me', waitMs }, clocks.timing, new Set());

  test('lives from beat to beat', async () => {
    const lease = await acquire();
    await clocks.pass(120_000);
    expect([lease.term.mayWrite(), slot.beats]).toEqual([true, 24]);
    await lease.release();
    expect(await slot.occupant()).toBeUndefined();
  });

  test('stops its run two thirds of its life after the last sign of life that was confirmed, not the last one tried', async () => {
    const lease = await acquire();
    await clocks.pass(10_000);
    slot.isAway = true;
    await clocks.pass(20_000);
    expect(lease.term.mayWrite()).toBe(true);
    await clocks.pass(1);
    expect(lease.term.mayWrite()).toBe(false);
  });

  test('whose beat is refused stops its run then, and beats no more', async () => {
    const lease = await acquire();
    await slot.revoke(lease.id);
    await clocks.pass(5_000);
    expect([lease.term.late.aborted, lease.term.late.reason]).toEqual([true, 'refused']);
    const { beats } = slot;
    await clocks.pass(20_000);
    expect(slot.beats).toBe(beats);
  });

  test('of a process that is proven dead is taken when its last bytes must have arrived, without any patience asked for', async () => {
    const me = realProcesses.self();
    if (me === undefined) return expect(process.platform).not.toBe('linux');
    const first = await acquire();
    first.term.mayWrite();
    // A number that was given again: its process started at another time.
    slot.occupied = { ...(slot.occupied as NonNullable<typeof slot.occupied>), process: { ...me, start: '1' } };
    const before = clocks.steadyMs;
    const next = await acquire();
    expect([next.id === first.id, clocks.steadyMs - before]).toEqual([false, marginsOf(ttlMs).cutMs]);
  });

  test.each(['host', 'boot', 'namespace', 'nothing'] as const)(
    'of a process that may live is not: it tells another %s',
    async (part) => {
      const me = realProcesses.self();
      if (me === undefined) return expect(process.platform).not.toBe('linux');
      const first = await acquire();
      const dead = { ...me, start: '1' };
      const told = part === 'nothing' ? undefined : { ...dead, [part]: 'another' };
      slot.occupied = { ...(slot.occupied as NonNullable<typeof slot.occupied>), process: told };
      await expect(acquire()).rejects.toMatchObject({ name: 'LeaseHeldError', holder: { id: first.id } });
    },
  );

  test('that is broken is over when what its run may have sent is cut off; at once only for who says so', async () => {
    const lease = await acquire();
    const before = clocks.steadyMs;
    expect(await breakLease(slot, 'another', {}, clocks.timing)).toBe(false);
    expect(await breakLease(slot, lease.id, {}, clocks.timing)).toBe(true);
    expect(clocks.steadyMs - before).toBeGreaterThanOrEqual(ttlMs);
    expect(lease.term.over.aborted).toBe(true);

    const next = await acquire();
    const then = clocks.steadyMs;
    expect(await breakLease(slot, next.id, { now: true }, clocks.timing)).toBe(true);
    expect(clocks.steadyMs).toBe(then);
  });

  test('of a run that ended cleanly is given back within its parting time when the store is away', async () => {
    const lease = await acquire();
    await clocks.pass(1);
    slot.drop = () => new Promise(() => undefined);
    clocks.standStill(20_001);
    lease.term.mayWrite();
    const before = clocks.steadyMs;
    await lease.release();
    expect(clocks.steadyMs - before).toBe(marginsOf(ttlMs).partingMs);
  });
});

test('budgets of a database lie below the lease', () => {
  expect(realTiming.ttlMs).toBe(ttlMs);
  // A query, and a beat that waits behind one, must be over before writes may not leave any more.
  expect(realTiming.heartbeatMs + realTiming.ttlMs / 3).toBeLessThanOrEqual(ttlMs - marginsOf(ttlMs).sendMs);
});
