/** What there is to say while it is not known yet whether anybody is to hear it. */
export class DeferredNotices {
  #waiting: (() => void)[] | undefined = [];

  say(work: () => void): void {
    if (this.#waiting === undefined) work();
    else this.#waiting.push(work);
  }

  /** Says all that waits, and from now on everything at once. Without this call, nothing is ever said. */
  tell(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const work of waiting) work();
  }
}
