import type { Rest } from './slots.js';

/** Whether objects made in this run are visible to what hangs below them: one call finds out, the others wait for it. */
export class NewParents {
  readonly #known = new Set<string>();
  readonly #asking = new Map<string, Promise<void>>();

  /** Calls when all parents are known, or as the one that asks for those that nobody asks for yet. */
  ask<T>(parents: readonly string[], rest: Rest, call: () => Promise<T>): Promise<T> {
    return parents.every((id) => this.#known.has(id)) ? call() : this.#asked(parents, rest, call);
  }

  async #asked<T>(parents: readonly string[], rest: Rest, call: () => Promise<T>): Promise<T> {
    for (;;) {
      const asked = parents.flatMap((id) => this.#asking.get(id) ?? []);
      if (asked.length === 0) break;
      await rest(() => Promise.all(asked));
    }
    const unknown = parents.filter((id) => !this.#known.has(id));
    if (unknown.length === 0) return call();
    let done = (): void => undefined;
    const answer = new Promise<void>((resolve) => (done = resolve));
    // Between the look above and this there is no wait: nobody else asks for any of them.
    for (const id of unknown) this.#asking.set(id, answer);
    try {
      return await call();
    } finally {
      // Whatever it said: the next one need not wait for it, nor for the others.
      for (const id of unknown) {
        this.#asking.delete(id);
        this.#known.add(id);
      }
      done();
    }
  }
}
