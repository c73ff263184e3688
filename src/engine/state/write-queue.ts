import { setImmediate as nextTurn } from 'node:timers/promises';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** How each item of a batch ended, in the batch's order. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

/** More turns make larger batches under load, and cost next to nothing when there is none. */
const turnsToGather = 8;

/**
 * Group commit: what is asked for while a batch is being written goes into the next one, so that many writers share
 * one flush to disk. An item's promise settles when its batch is durable, or with the item's own failure.
 */
export class WriteQueue<Item, Result> {
  readonly #write: (batch: readonly Item[]) => Promise<readonly Outcome<Result>[]>;
  readonly #largest: number;
  #waiting: Waiting<Item, Result>[] = [];
  #running: Promise<void> | undefined;

  constructor(write: (batch: readonly Item[]) => Promise<readonly Outcome<Result>[]>, largest = 256) {
    this.#write = write;
    this.#largest = largest;
  }

  add(item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
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
      for (let turn = 0; turn < turnsToGather; turn += 1) await nextTurn();
      const batch = this.#waiting.slice(0, this.#largest);
      this.#waiting = this.#waiting.slice(this.#largest);
      await this.#writeBatch(batch);
    }
    this.#running = undefined;
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
}
