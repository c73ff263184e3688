import { exitCode, type ExitCode, type StopSignal } from './exit-code.js';
import type { Host } from './host.js';

/** Longer, somebody who pressed Ctrl-C does not wait. */
const quickMs = 2_000;

/**
 * Ctrl-C and SIGTERM. While work runs that must not be cut off, the first signal drains it, the second stops it, the
 * third ends the process; at any other time the first one ends the process.
 */
export class Interrupts {
  readonly #host: Host;
  readonly #drain = new AbortController();
  readonly #stop = new AbortController();
  readonly #unlisten: () => void;
  #draining = false;
  #cleanUp: (() => Promise<void>) | undefined;
  /** The first signal that came. */
  caught: StopSignal | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.#unlisten = host.onSignal((signal) => this.#on(signal));
  }

  /** Aborted when what runs is to end at once. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** Runs work that ends in order: `drain` means start nothing new, `signal` means stop now. */
  async guard<T>(
    work: (signals: { readonly drain: AbortSignal; readonly signal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    this.#draining = true;
    try {
      return await work({ drain: this.#drain.signal, signal: this.#stop.signal });
    } finally {
      this.#draining = false;
    }
  }

  /** Runs work at whose end something is given back; a signal that ends the process gives it back, too, if that is quick. */
  async cleaning<T>(cleanUp: () => Promise<void>, work: () => Promise<T>): Promise<T> {
    const outer = this.#cleanUp;
    this.#cleanUp = cleanUp;
    try {
      return await work();
    } finally {
      this.#cleanUp = outer;
    }
  }

  close(): void {
    this.#unlisten();
  }

  #on(signal: StopSignal): void {
    const again = this.caught !== undefined;
    this.caught ??= signal;
    if (!this.#draining || this.#stop.signal.aborted) {
      const code = exitCode({ signal: this.caught });
      // A job of a worker ends, and its process goes on: what it would still have come to begins nothing.
      this.#drain.abort();
      this.#stop.abort();
      if (again || this.#cleanUp === undefined) this.#host.exit(code);
      else void this.#leave(this.#cleanUp, code);
    } else if (again) {
      this.#host.err('\nstopping now; the next run settles what was in flight\n');
      this.#stop.abort();
    } else {
      this.#host.err('\nfinishing what is in flight, starting nothing new (again to stop now)\n');
      this.#drain.abort();
    }
  }

  async #leave(cleanUp: () => Promise<void>, code: ExitCode): Promise<void> {
    await Promise.race([cleanUp().catch(() => undefined), this.#host.world.sleep(quickMs)]);
    this.#host.exit(code);
  }
}
