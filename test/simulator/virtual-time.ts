interface Moment {
  readonly at: number;
  readonly order: number;
  readonly label: string;
  readonly task: () => unknown;
  isOff: boolean;
}

/** A world has some thousand; one with more than these goes round and round. */
const mostEvents = 100_000;

/**
 * The one clock and the one queue of a simulated world: everything that happens is an event in it, one after the other. Between
 * two events whatever the first one set going goes on until it waits for another event.
 */
export class VirtualTime {
  now = Date.UTC(2026, 0, 5, 9);
  readonly start = this.now;
  /** Called after every event. */
  after: () => void = () => undefined;
  /** Lines of what happened; absent: only the digest is kept. */
  trace: string[] | undefined;
  events = 0;
  #digest = [0x811c9dc5, 0x01000193] as [number, number];
  #order = 0;
  readonly #waiting: Moment[] = [];

  /** Makes an event; the function returned calls it off. */
  in(ms: number, label: string, task: () => unknown): () => void {
    const moment: Moment = {
      at: this.now + Math.max(0, Math.ceil(ms)),
      order: this.#order++,
      label,
      task,
      isOff: false,
    };
    let [low, high] = [0, this.#waiting.length];
    // Later ones stand first: the next is taken from the end.
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#waiting[middle] as Moment;
      if (other.at > moment.at || (other.at === moment.at && other.order > moment.order)) low = middle + 1;
      else high = middle;
    }
    this.#waiting.splice(low, 0, moment);
    return () => {
      moment.isOff = true;
    };
  }

  /** Two sums of all that was noted, in order. */
  get digest(): string {
    return this.#digest.map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
  }

  note(line: string): void {
    const text = `${String(this.now - this.start)} ${line}`;
    this.trace?.push(text);
    let [one, two] = this.#digest;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      one = Math.imul(one ^ code, 0x01000193);
      two = Math.imul(two ^ code, 0x85ebca6b) ^ (two >>> 13);
    }
    this.#digest = [one, two];
  }

  /** Runs events until `isOver`, or until there are none. False: it was not over within so many milliseconds. */
  async run(isOver: () => boolean, limitMs: number): Promise<boolean> {
    const end = this.now + limitMs;
    await quiet();
    while (!isOver()) {
      const moment = this.#waiting.pop();
      if (moment === undefined || moment.at > end || this.events > mostEvents) return false;
      if (moment.isOff) continue;
      this.now = Math.max(this.now, moment.at);
      this.events += 1;
      if (moment.label !== '') this.note(moment.label);
      moment.task();
      await quiet();
      this.after();
    }
    return true;
  }

  /** Whatever still waits never happens. */
  clear(): void {
    this.#waiting.length = 0;
  }
}

/**
 * Resolves when nothing goes on any more by itself: promises are settled. Files are in memory, so nothing else is waited for.
 * A tick comes when all promises are settled that those before have set going, and costs no turn of the loop.
 */
function quiet(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
