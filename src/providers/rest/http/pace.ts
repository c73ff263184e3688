/** Fewer requests than this between two refusals means: spread the requests, don't run into the wall each time. */
const spreadBelow = 100;
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
export class Pace {
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
    if (isSoon && this.#accepted >= enoughToMeasure && now >= this.#learnsFrom) this.#rate = this.#accepted / window;
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
