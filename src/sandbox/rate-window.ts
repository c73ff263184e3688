const minute = 60_000;

/** At most so many requests in each minute; the first request after a pause opens the next one. */
export class RateWindow {
  readonly #limit: number;
  readonly #clock: () => number;
  #opened = -Infinity;
  #taken = 0;

  constructor(limit: number, clock: () => number) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Takes a place, or says in how many seconds there is one again. */
  take(): number | undefined {
    const now = this.#clock();
    if (now - this.#opened >= minute) {
      this.#opened = now;
      this.#taken = 0;
    }
    if (this.#taken < this.#limit) {
      this.#taken += 1;
      return undefined;
    }
    return Math.max(1, Math.ceil((this.#opened + minute - now) / 1000));
  }
}
