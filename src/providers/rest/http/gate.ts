import { type Fence, NotSentError } from '@platform-sync/core/model/fence';
import { abortError, onAbort } from './abort.js';
import type { Clock, WaitListener } from './clock.js';
import { Pace } from './pace.js';
import { backoffMs } from './retry.js';

interface GateOptions {
  /** Requests in flight at most. */
  readonly concurrency: number;
  readonly requestsPerMinute?: number;
  readonly clock: Clock;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
  readonly onWait?: WaitListener;
}

/** The right to have one request in flight. Exactly one of its methods must be called, once. */
export interface Permit {
  /** An answer came that says nothing about load. */
  readonly accepted: () => void;
  /** 429: everyone waits, `retryAfterMs` if the platform said how long. Returns the milliseconds everyone waits. */
  readonly refused: (retryAfterMs?: number) => number;
  /** No answer, or one that says nothing about the limit. */
  readonly released: () => void;
}

interface Entrance {
  readonly repeated?: boolean;
  /** For a write. */
  readonly fence?: Fence | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly dropped?: AbortSignal | undefined;
}

interface Waiter {
  readonly start: (permit: Permit) => void;
  gone: boolean;
}

/**
 * The one gate all requests of a run pass, reads and writes alike, in the order they came (a request that has to be
 * repeated keeps its place in front). The number in flight grows by one a round trip and halves when the platform refuses;
 * refusals of requests that were already under way when it halved count as the same refusal.
 */
export class RequestGate {
  readonly #options: GateOptions;
  readonly #pace: Pace;
  readonly #fresh = new Fifo<Waiter>();
  readonly #repeated = new Fifo<Waiter>();
  /** Each lets one waiter go that must not wait any longer. */
  readonly #leaving = new Set<() => void>();
  #waiting = 0;
  #inFlight = 0;
  #limit: number;
  #heldUntil = 0;
  /** Grows with each refusal that counts; a permit of an older round can't count again. */
  #round = 0;
  /** Refusals in a row without an accepted request between them. */
  #strikes = 0;
  #wakeUp: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#limit = Math.max(1, options.concurrency);
    this.#pace = new Pace(options.requestsPerMinute);
  }

  /** Requests that may be in flight at this moment. */
  get limit(): number {
    return Math.max(1, Math.floor(this.#limit));
  }

  /**
   * Waits for its turn. Rejects with AbortError when the signal fires first. Once `dropped` has fired, no
   * write begins or goes on waiting (NotSentError), nor does a read that was refused or that the platform makes wait.
   */
  enter(options: Entrance = {}): Promise<Permit> {
    const { signal, dropped } = options;
    const known = this.#whyNot(options);
    if (known !== undefined) return Promise.reject(known);
    const now = this.#options.clock.now();
    // Nobody to wait for, and nothing: most requests.
    if (this.#waiting === 0 && this.#inFlight < this.limit && this.#readyAt(now) <= now)
      return Promise.resolve(this.#begun(now));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const reason = this.#whyNot(options);
        if (reason === undefined) return;
        waiter.gone = true;
        this.#waiting -= 1;
        forget();
        reject(reason);
      };
      const calledOff = [onAbort(signal, leave), onAbort(dropped, leave)];
      const forget = (): void => {
        this.#leaving.delete(leave);
        calledOff.forEach((each) => each());
      };
      this.#leaving.add(leave);
      const waiter: Waiter = {
        gone: false,
        start: (permit) => {
          forget();
          resolve(permit);
        },
      };
      (options.repeated === true ? this.#repeated : this.#fresh).push(waiter);
      this.#waiting += 1;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#waiting > 0 && this.#inFlight < this.limit) {
      const now = this.#options.clock.now();
      const readyAt = this.#readyAt(now);
      if (readyAt > now) return this.#wakeAt(readyAt, now);
      const waiter = this.#next();
      if (waiter === undefined) return;
      this.#waiting -= 1;
      waiter.start(this.#begun(now));
    }
  }

  /** Why a request may not wait any longer; undefined as long as it may. */
  #whyNot({ signal, dropped, fence, repeated }: Entrance): Error | undefined {
    if (signal?.aborted === true) return abortError(signal);
    if (dropped?.aborted !== true) return undefined;
    if (fence !== undefined) return new NotSentError();
    return repeated === true || this.#heldUntil > this.#options.clock.now() ? abortError(dropped) : undefined;
  }

  #readyAt(now: number): number {
    return Math.max(this.#heldUntil, this.#pace.readyAt(now));
  }

  #begun(now: number): Permit {
    this.#inFlight += 1;
    this.#pace.started(now);
    return this.#permit();
  }

  #next(): Waiter | undefined {
    for (const queue of [this.#repeated, this.#fresh]) {
      let waiter = queue.shift();
      while (waiter?.gone === true) waiter = queue.shift();
      if (waiter !== undefined) return waiter;
    }
    return undefined;
  }

  #wakeAt(at: number, now: number): void {
    if (this.#wakeUp !== undefined) {
      if (this.#wakeUp.at <= at) return;
      this.#wakeUp.cancel();
    }
    // A hold was reported when it began.
    if (at > this.#heldUntil) this.#options.onWait?.({ ms: at - now, reason: 'keeping to the request rate' });
    const cancel = this.#options.clock.after(at - now, () => {
      this.#wakeUp = undefined;
      this.#pump();
    });
    this.#wakeUp = { at, cancel };
  }

  #permit(): Permit {
    const round = this.#round;
    const leave = (): void => {
      this.#inFlight -= 1;
      this.#pump();
    };
    return {
      released: leave,
      accepted: () => {
        this.#strikes = 0;
        this.#limit = Math.min(Math.max(1, this.#options.concurrency), this.#limit + 1 / this.#limit);
        this.#pace.accepted(this.#options.clock.now());
        leave();
      },
      refused: (retryAfterMs) => {
        const held = this.#refuse(round, retryAfterMs);
        leave();
        return held;
      },
    };
  }

  #refuse(round: number, retryAfterMs: number | undefined): number {
    const { clock, random, onWait } = this.#options;
    const now = clock.now();
    const first = round === this.#round;
    // A little more than asked, so that several machines that were refused together don't come back together.
    const asked =
      retryAfterMs === undefined ? undefined : retryAfterMs + Math.round(random() * Math.min(250, retryAfterMs / 10));
    const ms = asked ?? (first ? backoffMs(this.#strikes + 1, random) : 0);
    this.#heldUntil = Math.max(this.#heldUntil, now + ms);
    const held = this.#heldUntil - now;
    if (!first) return held;
    this.#round += 1;
    this.#strikes += 1;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#pace.refused(now, held);
    for (const leave of [...this.#leaving]) leave();
    onWait?.({ ms: held, reason: 'the platform asked to slow down (429)' });
    return held;
  }
}

/** A first-in, first-out queue with O(1) push and shift (Array.shift moves every element). */
class Fifo<T> {
  #items: T[] = [];
  #head = 0;

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.#head === this.#items.length) return undefined;
    const item = this.#items[this.#head];
    this.#head += 1;
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
