import type { Timing } from './lease-term.js';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
  readonly patienceMs: number;
  /** By the steady clock. */
  readonly until: number;
}

/** How each item of a batch ended, in the batch's order. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

/** What an item fails with that was waited for until its patience was over. It may be written all the same. */
interface Lateness extends Pick<Timing, 'steady' | 'after' | 'turn'> {
  readonly tooLate: (patienceMs: number) => Error;
}

/** More turns make larger batches under load, and cost next to nothing when there is none. */
const turnsToGather = 8;

/**
 * Group commit: what is asked for while a batch is being written goes into the next one, so that many writers share
 * one flush to disk. An item's promise settles when its batch is durable, or with the item's own failure.
 */
export class WriteQueue<Item, Result> {
  readonly #write: (batch: readonly Item[]) => Promise<readonly Outcome<Result>[]>;
  readonly #largest: number;
  readonly #lateness: Lateness | undefined;
  #waiting: Waiting<Item, Result>[] = [];
  #writing: readonly Waiting<Item, Result>[] = [];
  #running: Promise<void> | undefined;
  /** When the one timer for all that wait looks again, and what stops it. */
  #nextLook = Infinity;
  #stopLooking: (() => void) | undefined;

  constructor(
    write: (batch: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
    largest = 256,
    lateness?: Lateness,
  ) {
    this.#write = write;
    this.#largest = largest;
    this.#lateness = lateness;
  }

  add(item: Item, patienceMs = Infinity): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const until = this.#lateness === undefined ? Infinity : this.#lateness.steady() + patienceMs;
      this.#waiting.push({ item, resolve, reject, patienceMs, until });
      this.#lookAt(until);
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when nothing is waiting or being written. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Answers that arrive together ask for their writes within a few turns of the event loop.
      for (let nth = 0; nth < turnsToGather; nth += 1) await this.#lateness?.turn();
      this.#writing = this.#waiting.slice(0, this.#largest);
      this.#waiting = this.#waiting.slice(this.#largest);
      await this.#writeBatch(this.#writing);
      this.#writing = [];
    }
    this.#running = undefined;
    this.#stopLooking?.();
    this.#nextLook = Infinity;
  }

  async #writeBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const outcomes = await this.#write(batch.map(({ item }) => item));
      outcomes.forEach((outcome, at) => {
        if ('error' in outcome) batch[at]?.reject(outcome.error);
        else batch[at]?.resolve(outcome.result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #lookAt(moment: number): void {
    if (this.#lateness === undefined || moment >= this.#nextLook) return;
    this.#stopLooking?.();
    this.#nextLook = moment;
    const { steady, after } = this.#lateness;
    this.#stopLooking = after(Math.max(1, moment - steady()), () => this.#look(), { ref: false });
  }

  /** Those that are late fail; of the others, the first is looked at when its time has come. */
  #look(): void {
    if (this.#lateness === undefined) return;
    const now = this.#lateness.steady();
    const all = [...this.#writing, ...this.#waiting];
    for (const { until, patienceMs, reject } of all) if (until <= now) reject(this.#lateness.tooLate(patienceMs));
    this.#nextLook = Infinity;
    this.#lookAt(Math.min(...all.map(({ until }) => until).filter((until) => until > now)));
  }
}
