import type { Diagnostic } from '../model/diagnostic.js';
import type { Intent, StateChange } from '../model/state.js';
import { StateStoreError } from '../model/state-store.js';
import type { ApplyContext } from './context.js';
import { StepFailure } from './failure.js';

/** A database may be away for a moment (a fail-over): how long to wait before each further try, milliseconds. */
const outageWaitsMs = [500, 1000, 2000, 4000, 8000];
/** An intent that took longer to write is written once more: the process may have stood still and lost its lease. */
const freshMs = 2000;
const mostBegins = 3;

/**
 * The state store as a run writes to it. A short outage is waited out: every write says what is, so that one whose
 * answer was lost may be written twice. After a lasting failure, or when the lease is lost, nothing more is written.
 */
export class Journal {
  readonly #context: ApplyContext;
  readonly #onFailure: (diagnostics: readonly Diagnostic[]) => void;
  #failure: readonly Diagnostic[] | undefined;

  constructor(context: ApplyContext, onFailure: (diagnostics: readonly Diagnostic[]) => void) {
    this.#context = context;
    this.#onFailure = onFailure;
  }

  /** Makes an intent durable. Only then, and at once, its write may be sent: the lease was ours a moment ago. */
  async begin(intent: Intent): Promise<void> {
    for (let begins = 1; ; begins += 1) {
      const asked = Date.now();
      await this.#write(() => this.#context.store.begin(this.#context.lease, intent));
      if (Date.now() - asked < freshMs || begins === mostBegins) return;
    }
  }

  async commit(changes: readonly StateChange[]): Promise<void> {
    await this.#write(async () => void (await this.#context.store.commit(this.#context.lease, changes)));
  }

  close(intent: Intent): Promise<void> {
    return this.commit([{ kind: 'close-intent', id: intent.id }]);
  }

  async #write(attempt: () => Promise<void>): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      // A store that comes back after it was given up must not get half of the story.
      if (this.#failure !== undefined) throw new StepFailure(this.#failure);
      try {
        return await attempt();
      } catch (error) {
        await this.#waitOrGiveUp(error, outageWaitsMs[tries]);
      }
    }
  }

  async #waitOrGiveUp(error: unknown, wait: number | undefined): Promise<void> {
    const { explain, signal, sleep, onEvent } = this.#context;
    const diagnostics = explain(error);
    if (diagnostics === undefined) throw error;
    const passes = error instanceof StateStoreError && error.code === 'unreachable';
    if (passes && wait !== undefined && signal?.aborted !== true) {
      onEvent({ type: 'waiting', ms: wait, reason: 'the state store does not answer' });
      return sleep(wait, signal);
    }
    this.#failure ??= diagnostics;
    this.#onFailure(diagnostics);
    throw new StepFailure(diagnostics);
  }
}
