/** ISO times in milliseconds, strictly growing: two changes never share one, however fast they come. */
export class Timestamps {
  readonly #clock: () => number;
  #last = 0;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  next(): string {
    this.#last = Math.max(this.#clock(), this.#last + 1);
    return new Date(this.#last).toISOString();
  }

  /** After loading: new times come after this one. */
  notBefore(time: string): void {
    const ms = Date.parse(time);
    if (ms > this.#last) this.#last = ms;
  }
}
