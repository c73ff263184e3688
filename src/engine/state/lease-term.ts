import type { LeaseTerm } from '@platform-sync/core/model/state-store';
import { realWorld, type World } from '@platform-sync/core/model/world';

/** A moment by both clocks: one stands still while the machine sleeps, the other may be set. */
interface Moment {
  readonly steady: number;
  readonly wall: number;
}

/** How long before its end what is no longer done under a lease, so that a run is over before its lease is. */
interface Margins {
  /** Nothing is sent any more. */
  readonly sendMs: number;
  /** What was sent is cut off, and no answer of the store is waited for. */
  readonly cutMs: number;
  /** Each of the last things a run does (giving back, closing) may take so long at most when the store is away. */
  readonly partingMs: number;
}

export function marginsOf(ttlMs: number): Margins {
  return { sendMs: ttlMs / 3, cutMs: ttlMs / 15, partingMs: ttlMs / 60 };
}

/** "Mine until T": counted from the moment before the last confirmed beat was asked for, by whichever clock ran faster. */
export class Term implements LeaseTerm {
  readonly #timing: Timing;
  readonly #late = new AbortController();
  readonly #over = new AbortController();
  #from: Moment;
  #wakeUp: (() => void) | undefined;

  constructor(timing: Timing, from: Moment) {
    this.#timing = timing;
    this.#from = from;
    this.#watch();
  }

  get lifeMs(): number {
    return this.#timing.ttlMs;
  }

  get late(): AbortSignal {
    return this.#late.signal;
  }

  get over(): AbortSignal {
    return this.#over.signal;
  }

  mayWrite(): boolean {
    this.#look();
    return !this.#late.signal.aborted;
  }

  /** Milliseconds left for sure. */
  left(): number {
    const now = momentOf(this.#timing);
    return this.#timing.ttlMs - Math.max(now.steady - this.#from.steady, now.wall - this.#from.wall);
  }

  /** The store said that the lease is ours, in an answer to what was asked at that moment. */
  confirmed(asked: Moment): void {
    this.#from = asked;
    this.#watch();
  }

  /** The store said that it is ours no more. What was sent before is still cut off at the old end only. */
  refused(): void {
    this.#late.abort('refused');
  }

  /** The lease was given back. */
  end(): void {
    this.#wakeUp?.();
    this.#wakeUp = undefined;
  }

  #look(): void {
    const { sendMs, cutMs } = marginsOf(this.#timing.ttlMs);
    const left = this.left();
    if (left < sendMs) this.#late.abort('late');
    if (left < cutMs) this.#over.abort('over');
  }

  #watch(): void {
    this.#look();
    this.#wakeUp?.();
    if (this.#over.signal.aborted) return;
    const { sendMs, cutMs } = marginsOf(this.#timing.ttlMs);
    const next = this.left() - (this.#late.signal.aborted ? cutMs : sendMs);
    this.#wakeUp = this.#timing.after(Math.max(1, Math.ceil(next)), () => this.#watch(), { ref: false });
  }
}

export function momentOf({ now, steady }: Timing): Moment {
  return { steady: steady(), wall: (now ?? realWorld.now)() };
}

/** How long leases live, and the world they live in. Replaced in tests. */
export interface Timing extends Omit<World, 'now'> {
  /** A lease not seen for this long is over, milliseconds. */
  readonly ttlMs: number;
  /** Time between two signs of life, milliseconds. */
  readonly heartbeatMs: number;
  /** Time between two looks at a lease that another run holds, milliseconds. */
  readonly pollMs: number;
  /** Milliseconds since 1970. Absent: the database's clock on PostgreSQL, this process's elsewhere. */
  readonly now?: () => number;
}

const { now: _, ...real } = realWorld;

export const realTiming: Timing = { ttlMs: 30_000, heartbeatMs: 5_000, pollMs: 500, ...real };
