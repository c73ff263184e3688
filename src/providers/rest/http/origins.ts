/** Runtime codes of a server that is not there: nothing listens, or nobody knows the name. */
const absent = new Set(['ECONNREFUSED', 'ENOTFOUND']);
/** A server may be starting: so often it is tried again before it is given up. */
const patience = 1;

/** Which servers have ever answered. One that has may be back in a moment; one that has not is rather a wrong address. */
export class Origins {
  readonly #known = new Set<string>();
  readonly #givenUp = new Set<string>();

  answered(origin: string): void {
    this.#known.add(origin);
    this.#givenUp.delete(origin);
  }

  /** True when trying again is not worth the wait; the call has been repeated `repeats` times. */
  isUnreachable(origin: string, code: string, repeats: number): boolean {
    if (this.#known.has(origin) || !absent.has(code)) return false;
    if (repeats >= patience) this.#givenUp.add(origin);
    return this.#givenUp.has(origin);
  }
}
