import { setMaxListeners } from 'node:events';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import {
  NotSentError,
  type RecordedElsewhere,
  type StateStore,
  StateStoreError,
} from '@platform-sync/core/model/state-store';
import type { OutboxWrite } from '@platform-sync/core/model/outbox';
import type { Intent, StateChange } from '@platform-sync/core/model/state';
import type { ApplyContext } from './context.js';
import { NotStarted, StepFailure } from './failure.js';

/** A database may be away for a moment (a fail-over): how long to wait before each further try, milliseconds. */
const outageWaitsMs = [500, 1000, 2000, 4000, 8000];

/**
 * The state store as a run writes to it. A short outage is waited out: every write says what is, so that one whose
 * answer was lost may be written twice. After a lasting failure, or when the lease is lost, nothing more is written.
 * What became of a write that was sent is kept on this machine as soon as the store turns out to be away.
 */
export class Journal {
  /** What this run has begun, and nobody knows the end of yet, by id. */
  readonly open = new Map<string, Intent>();
  readonly #context: ApplyContext;
  readonly #onFailure: (diagnostics: readonly Diagnostic[]) => void;
  #failure: { readonly diagnostics: readonly Diagnostic[]; readonly isAway: boolean } | undefined;
  #hasOutbox = false;
  /** The question that is asked when the one before it is answered. */
  #next: { readonly homes: Set<string>; readonly found: Promise<readonly RecordedElsewhere[]> } | undefined;
  /** Over when the question before is answered, or is not. */
  #answered: Promise<unknown> = Promise.resolve();
  /** Fires when waiting for the store makes no sense any more: what is written after it must be over before the lease is. */
  readonly #hasToEnd: AbortSignal;

  constructor(context: ApplyContext, onFailure: (diagnostics: readonly Diagnostic[]) => void) {
    this.#context = context;
    this.#onFailure = onFailure;
    const { signal, lease } = context;
    this.#hasToEnd = signal === undefined ? lease.term.late : AbortSignal.any([signal, lease.term.late]);
    // As many as write may wait for the store at a time; that is no leak.
    setMaxListeners(0, this.#hasToEnd, lease.term.over);
  }

  /** True when results were kept on this machine; the store may have most of them by now. */
  get hasOutbox(): boolean {
    return this.#hasOutbox;
  }

  /**
   * Makes an intent durable. Only then its write may be sent, as long as the fence lets it. Rejects with NotStarted when it
   * can't be written.
   */
  async begin(intent: Intent): Promise<void> {
    const { lease, drain } = this.#context;
    if (lease.term.late.aborted || drain?.aborted === true) throw new NotStarted([]);
    await this.#first(() => this.#context.store.begin(this.#context.lease, intent));
    this.open.set(intent.id, intent);
  }

  /**
   * What other stacks have in these homes, and begin to make there, by ids: one question for all that wait for an answer. Rejects with
   * NotStarted when the store does not answer.
   */
  recordedInside(homes: ReadonlySet<string>): Promise<readonly RecordedElsewhere[]> {
    if (this.#next === undefined) {
      const found = this.#answered.then(() => this.#askInside());
      this.#answered = found.catch(() => undefined);
      this.#next = { homes: new Set(), found };
    }
    for (const home of homes) this.#next.homes.add(home);
    return this.#next.found;
  }

  async #askInside(): Promise<readonly RecordedElsewhere[]> {
    const homes = this.#next?.homes ?? new Set<string>();
    this.#next = undefined;
    return this.#first(() => this.#untilOver(this.#context.store.recordedInside(homes)));
  }

  /** What is recorded of objects that a step has found. Rejects with StepFailure when the store does not answer. */
  get records(): Pick<StateStore, 'managedElsewhere' | 'runs'> {
    const { store } = this.#context;
    return {
      managedElsewhere: (...asked) => this.#write(() => this.#untilOver(store.managedElsewhere(...asked))),
      runs: (...asked) => this.#write(() => this.#untilOver(store.runs(...asked))),
    };
  }

  /** A question may take several statements, each with its own time-out: no answer is waited for when the lease is over. */
  #untilOver<T>(answer: Promise<T>): Promise<T> {
    const { over } = this.#context.lease.term;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        const problem = 'the state store had not answered when the lease was over';
        reject(new StateStoreError('unreachable', problem, 'Check the network, and that the server runs.'));
      };
      if (over.aborted) giveUp();
      else over.addEventListener('abort', giveUp, { once: true });
      answer.then(resolve, reject).finally(() => over.removeEventListener('abort', giveUp));
    });
  }

  async #first<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      return await this.#write(attempt);
    } catch (error) {
      throw error instanceof StepFailure ? new NotStarted(error.diagnostics) : error;
    }
  }

  /** Resolves when the changes are in the store, or, if they close an intent, kept on this machine. */
  async commit(changes: readonly StateChange[]): Promise<void> {
    const closing = changes.find((change) => change.kind === 'close-intent');
    const ended = changes.flatMap((change) => (change.kind === 'close-intent' ? (this.open.get(change.id) ?? []) : []));
    for (const { id } of ended) this.open.delete(id);
    const { store, lease, state } = this.#context;
    try {
      await this.#write(
        () => store.commit(lease, changes),
        closing === undefined ? undefined : { lineage: state.lineage, intent: closing.id, changes },
      );
    } catch (error) {
      // Nobody but this run knows how it ended.
      for (const intent of ended) this.open.set(intent.id, intent);
      throw error;
    }
  }

  close(intent: Intent): Promise<void> {
    return this.commit([{ kind: 'close-intent', id: intent.id }]);
  }

  /** Sends what an intent stands for. A write that never left leaves no intent open, as long as the store may be written. */
  async send<T>(intent: Intent, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (error instanceof NotSentError && !this.#context.lease.term.late.aborted) await this.close(intent);
      throw error;
    }
  }

  /** Undefined: what it writes is kept on this machine. */
  async #write<T>(attempt: () => Promise<T>): Promise<T>;
  async #write<T>(attempt: () => Promise<T>, result: OutboxWrite | undefined): Promise<T | undefined>;
  async #write<T>(attempt: () => Promise<T>, result?: OutboxWrite): Promise<T | undefined> {
    let isKept = false;
    for (let tries = 0; ; tries += 1) {
      // A store that comes back after it was given up must not get half of the story.
      if (this.#failure?.isAway === true && result !== undefined) isKept ||= await this.#keep(result);
      if (this.#failure !== undefined && isKept) return undefined;
      if (this.#failure !== undefined) throw new StepFailure(this.#failure.diagnostics);
      try {
        return await attempt();
      } catch (error) {
        if (isAway(error) && result !== undefined) isKept ||= await this.#keep(result);
        await this.#waitOrGiveUp(error, outageWaitsMs[tries]);
      }
    }
  }

  /** False when this machine can't keep it, either: then the next run finds out by looking. */
  async #keep(result: OutboxWrite): Promise<boolean> {
    try {
      await this.#context.outbox.add(result);
      return (this.#hasOutbox = true);
    } catch {
      return false;
    }
  }

  async #waitOrGiveUp(error: unknown, wait: number | undefined): Promise<void> {
    const { explain, world, onEvent } = this.#context;
    const diagnostics = explain(error);
    if (diagnostics === undefined) throw error;
    if (isAway(error) && wait !== undefined && !this.#hasToEnd.aborted) {
      onEvent({ type: 'waiting', ms: wait, reason: 'the state store does not answer' });
      await world.sleep(wait, this.#hasToEnd);
      if (!hasFired(this.#hasToEnd)) return;
    }
    this.#failure ??= { diagnostics, isAway: isAway(error) };
    this.#onFailure(diagnostics);
  }
}

// A function, because the compiler takes `aborted` for constant between two looks.
function hasFired(signal: AbortSignal): boolean {
  return signal.aborted;
}

function isAway(error: unknown): boolean {
  return error instanceof StateStoreError && error.code === 'unreachable';
}
