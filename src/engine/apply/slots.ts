/** Waits, and lets other steps work meanwhile. */
export type Rest = <T>(wait: () => Promise<T>) => Promise<T>;

/**
 * The slots of steps at work. A step that only waits (for a second try, for its turn) gives its slot to another one, unless
 * too many wait already: so that the trouble of a few holds back nobody, and the trouble of all does not start all.
 */
export class Slots {
  #free: number;
  #mayRest: number;
  #onFree = (): void => undefined;

  constructor(atWork: number, resting: number) {
    this.#free = atWork;
    this.#mayRest = resting;
  }

  /** What is called whenever a place may have become free. */
  whenFree(fill: () => void): void {
    this.#onFree = fill;
  }

  take(): boolean {
    if (this.#free <= 0) return false;
    this.#free -= 1;
    return true;
  }

  leave(): void {
    this.#free += 1;
    this.#onFree();
  }

  readonly rest: Rest = async (wait) => {
    if (this.#mayRest <= 0) return wait();
    this.#mayRest -= 1;
    this.leave();
    try {
      return await wait();
    } finally {
      this.#mayRest += 1;
      // Goes on at once, free place or not: what has begun comes before what has not.
      this.#free -= 1;
    }
  };
}
