import type { Grant, SharedRate } from '@platform-sync/core/model/shared-rate';
import type { Clock } from './clock.js';

/** Nobody could be asked: for so long this run goes by its own pace. */
const aloneMs = 60_000;

/** When the next request may start, as far as a rate that is shared with other runs goes. */
export class SharedPace {
  readonly #rate: SharedRate;
  readonly #clock: Clock;
  readonly #changed: () => void;
  #moments: readonly { readonly from: number; readonly until: number }[] = [];
  #isAsking = false;
  #aloneUntil = -Infinity;

  /** `changed` hears that another answer of `readyAt` may have come. */
  constructor(rate: SharedRate, clock: Clock, changed: () => void) {
    this.#rate = rate;
    this.#clock = clock;
    this.#changed = changed;
  }

  /** Earliest time (ms) at which one of so many waiting requests may start; Infinity: that is being asked. */
  readyAt(now: number, waiting: number): number {
    if (now < this.#aloneUntil) return now;
    this.#moments = this.#moments.filter(({ until }) => until > now);
    const missing = waiting - this.#moments.length;
    if (missing > 0 && !this.#isAsking) void this.#ask(missing);
    const [first] = this.#moments;
    return first === undefined ? Infinity : Math.max(now, first.from);
  }

  started(): void {
    this.#moments = this.#moments.slice(1);
  }

  /** A refusal holds all who share the rate. */
  refused(ms: number): void {
    this.#rate.refused(ms).catch(() => undefined);
  }

  async #ask(wanted: number): Promise<void> {
    this.#isAsking = true;
    const asked = this.#clock.now();
    try {
      const grant = await this.#rate.take(wanted);
      this.#moments = [...this.#moments, ...momentsOf(grant, asked, this.#clock.now())];
      if (grant.count === 0) await new Promise<void>((resolve) => void this.#clock.after(grant.inMs, resolve));
    } catch {
      this.#aloneUntil = this.#clock.now() + aloneMs;
    }
    this.#isAsking = false;
    this.#changed();
  }
}

/** By this run's clock. The grant was made between question and answer: a moment begins as late, and ends as early, as that may mean. */
function momentsOf(
  { count, inMs, apartMs, lifeMs }: Grant,
  asked: number,
  answered: number,
): readonly { readonly from: number; readonly until: number }[] {
  return Array.from({ length: count }, (_, nth) => {
    const after = inMs + nth * apartMs;
    return { from: answered + after, until: asked + after + lifeMs };
  });
}
