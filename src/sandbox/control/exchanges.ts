/** One request and its answer, as a contract test wants to see them. Never holds the token. */
interface Exchange {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  /** Parsed body of the request, if any. */
  readonly sent?: unknown;
  readonly status: number;
  /** Parsed body of the answer; text when it is no JSON. */
  readonly answered?: unknown;
}

/** The last requests with their answers, when asked for: off unless a limit is set. */
export class Exchanges {
  readonly #kept: Exchange[] = [];
  #limit = 0;

  get recording(): boolean {
    return this.#limit > 0;
  }

  /** How many to keep; beyond that the first ones stay and later ones are not kept. 0 stops and forgets. */
  record(limit: number): void {
    this.#limit = limit;
    this.#kept.length = 0;
  }

  add(exchange: Exchange): void {
    if (this.#kept.length < this.#limit) this.#kept.push(exchange);
  }

  all(): readonly Exchange[] {
    return this.#kept;
  }
}
