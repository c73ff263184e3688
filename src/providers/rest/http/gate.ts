import { type Fence, NotSentError } from '@platform-sync/core/model/state-store';
import type { SharedRate } from '@platform-sync/core/model/shared-rate';
import { abortError, type Clock, onAbort, type WaitListener } from './clock.js';
import { backoffMs } from './retry.js';
import { SharedPace } from './shared-pace.js';

interface GateOptions {
  /** Requests in flight at most. */
  readonly concurrency: number;
  readonly requestsPerMinute?: number;
  readonly clock: Clock;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
  readonly onWait?: WaitListener;
  /** Kept together with other runs, beside the pace of this one. */
  readonly rate?: SharedRate;
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
  readonly #shared: SharedPace | undefined;
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
    this.#shared = options.rate && new SharedPace(options.rate, options.clock, () => this.#pump());
  }

  /** Requests that may be in flight at this moment. */
  get limit(): number {
    return Math.max(1, Math.floor(this.#limit));
  }

  /** The platform has asked everyone to wait, and nothing may start yet. */
  get isHeld(): boolean {
    return this.#heldUntil > this.#options.clock.now();
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
    if (this.#waiting === 0 && this.#inFlight < this.limit && this.#readyAt(now, 1) <= now)
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
      const readyAt = this.#readyAt(now, this.#waiting);
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
    return repeated === true || this.isHeld ? abortError(dropped) : undefined;
  }

  #readyAt(now: number, waiting: number): number {
    const own = Math.max(this.#heldUntil, this.#pace.readyAt(now));
    // Nothing is asked of others for a time at which this run would not send.
    return own > now || this.#shared === undefined ? own : this.#shared.readyAt(now, waiting);
  }

  #begun(now: number): Permit {
    this.#inFlight += 1;
    this.#pace.started(now);
    this.#shared?.started();
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
    // The answer of others wakes it.
    if (at === Infinity) return;
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
    this.#shared?.refused(held);
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

/** Fewer requests than this between two refusals means: spread the requests, don't run into the wall each time. */
const spreadBelow = 100;
/** Requests are spread no wider, milliseconds: where answers are lost, or a run waits for something else, time passes that is nobody's limit. */
const widestMs = 10_000;
/** With fewer there is nothing to measure a rate by. */
const enoughToMeasure = 3;
/** Growth of the learned rate with each accepted request; the quick one after a minute without a refusal. */
const growth = { slow: 1.0005, quick: 1.02, quickAfterMs: 60_000 };
/**
 * So many refusals in a row that came soon although requests were spread: then they don't come from their rate (several
 * machines share the limit, or the platform refuses at random), and spreading them wider would only go on for ever.
 * Nothing is learned for a while then, for longer each time.
 */
const futile = { refusals: 5, pauseMs: 60_000 };
/** Requests a millisecond from which spreading makes no difference any more. */
const unpaced = 0.5;

/**
 * When the next request may start. Two brakes: the user's `requestsPerMinute` (a bucket that never lets more than
 * that many start within any minute), and a rate learned from refusals: a platform that hands out a few tokens a second
 * would otherwise answer 429 every second.
 */
class Pace {
  readonly #capacity: number;
  readonly #refill: number;
  #tokens: number;
  #filledAt: number | undefined;

  /** Requests a millisecond; undefined = as fast as answers come. */
  #rate: number | undefined;
  #lastStart = 0;
  #windowStart: number | undefined;
  #accepted = 0;
  #lastRefusal = 0;
  #futileRefusals = 0;
  #pauses = 0;
  #learnsFrom = -Infinity;

  constructor(requestsPerMinute?: number) {
    const perMinute = requestsPerMinute ?? Infinity;
    this.#capacity = Math.max(1, Math.floor(perMinute / 60));
    this.#refill = (perMinute - (this.#capacity - 1)) / 60_000;
    this.#tokens = this.#capacity;
  }

  /** Earliest time (ms) at which a request may start. */
  readyAt(now: number): number {
    const learned = this.#rate === undefined ? now : this.#lastStart + 1 / this.#rate;
    return Math.max(now, learned, this.#bucketReadyAt(now));
  }

  started(now: number): void {
    this.#windowStart ??= now;
    this.#lastStart = now;
    if (Number.isFinite(this.#refill)) {
      this.#fill(now);
      this.#tokens -= 1;
    }
  }

  accepted(now: number): void {
    this.#accepted += 1;
    if (this.#rate === undefined) return;
    this.#rate *= now - this.#lastRefusal > growth.quickAfterMs ? growth.quick : growth.slow;
    if (this.#rate > unpaced) this.#rate = undefined;
  }

  /** The platform refused (once for a bunch of refusals) and nothing will start for `heldMs`. */
  refused(now: number, heldMs: number): void {
    const since = this.#windowStart ?? now;
    const window = Math.max(1, now - since + heldMs);
    const isSoon = this.#accepted < spreadBelow;
    this.#futileRefusals = isSoon && this.#rate !== undefined ? this.#futileRefusals + 1 : 0;
    if (this.#futileRefusals >= futile.refusals) this.#pauseLearning(now);
    if (isSoon && this.#accepted >= enoughToMeasure && now >= this.#learnsFrom)
      this.#rate = Math.max(this.#accepted / window, 1 / widestMs);
    this.#accepted = 0;
    this.#windowStart = now + heldMs;
    this.#lastRefusal = now;
  }

  #pauseLearning(now: number): void {
    this.#learnsFrom = now + futile.pauseMs * 2 ** this.#pauses;
    this.#pauses += 1;
    this.#futileRefusals = 0;
    this.#rate = undefined;
  }

  #bucketReadyAt(now: number): number {
    if (!Number.isFinite(this.#refill)) return now;
    this.#fill(now);
    // A hair below 1 counts as 1: refilling in small steps must not round a request away for ever.
    return this.#tokens >= 1 - 1e-9 ? now : now + Math.ceil((1 - this.#tokens) / this.#refill);
  }

  #fill(now: number): void {
    const elapsed = now - (this.#filledAt ?? now);
    this.#tokens = Math.min(this.#capacity, this.#tokens + elapsed * this.#refill);
    this.#filledAt = now;
  }
}
