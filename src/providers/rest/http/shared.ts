interface Asked {
  readonly signal: AbortSignal | undefined;
  readonly answer: Promise<unknown>;
}

/**
 * One call for all who ask the same thing while it is asked already: they share the next one, which begins after they asked,
 * so that nobody gets an answer that is older than the question.
 */
export class Shared {
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Asked>();

  /** `key` names the call: equal keys must mean equal calls. Only those who can be called off together share one. */
  ask<T>(key: string, signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
    const next = this.#next.get(key);
    if (next !== undefined) return next.signal === signal ? (next.answer as Promise<T>) : call();
    const running = this.#running.get(key);
    if (running === undefined) return this.#run(key, call);
    const answer = running
      .catch(() => undefined)
      .then(() => {
        this.#next.delete(key);
        return this.#run(key, call);
      });
    this.#next.set(key, { signal, answer });
    return answer;
  }

  #run<T>(key: string, call: () => Promise<T>): Promise<T> {
    const answer = call();
    const ended = answer
      .catch(() => undefined)
      .then(() => {
        if (this.#running.get(key) === ended) this.#running.delete(key);
      });
    this.#running.set(key, ended);
    return answer;
  }
}
