import pLimit from 'p-limit';

/** Waits, and lets other steps work meanwhile. */
export type Rest = <T>(wait: () => Promise<T>) => Promise<T>;

/**
 * The slots of steps at work. A step that only waits (for a second try, for its turn) gives its slot to another one, unless
 * too many wait already: so that the trouble of a few holds back nobody, and the trouble of all does not start all.
 */
export class Slots {
  readonly #limit: ReturnType<typeof pLimit>;
  #mayRest: number;

  constructor(atWork: number, resting: number) {
    this.#limit = pLimit(atWork);
    this.#mayRest = resting;
  }

  /** Works as soon as a slot is free; first come, first served. */
  take<T>(work: () => Promise<T>): Promise<T> {
    return this.#limit(work);
  }

  readonly rest: Rest = async (wait) => {
    if (this.#mayRest <= 0) return wait();
    this.#mayRest -= 1;
    this.#limit.concurrency += 1;
    try {
      return await wait();
    } finally {
      this.#mayRest += 1;
      // Goes on at once, free slot or not: what has begun comes before what has not.
      this.#limit.concurrency -= 1;
    }
  };
}
