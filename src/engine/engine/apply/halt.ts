import type { Address } from '@platform-sync/core/model/address';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { LeaseTerm } from '@platform-sync/core/model/state-store';
import type { ApplyContext } from './context.js';

/** Whether the run goes on starting steps, and if not, why. */
export class Halt {
  readonly #context: Pick<ApplyContext, 'drain' | 'signal' | 'failFast'>;
  readonly #stopCalls = new AbortController();
  #diagnostics: readonly Diagnostic[] = [];
  #firstFailed: Address | undefined;

  constructor(context: Pick<ApplyContext, 'drain' | 'signal' | 'failFast'>) {
    this.#context = context;
  }

  /** Fires when calls in flight must end: for the caller's reason or for one of the run's own. */
  get calls(): AbortSignal {
    const { signal } = this.#context;
    return signal === undefined ? this.#stopCalls.signal : AbortSignal.any([signal, this.#stopCalls.signal]);
  }

  /** Why the run itself stopped; empty when it did not, or when the caller stopped it. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  get isInterrupted(): boolean {
    return this.#context.drain?.aborted === true || this.#context.signal?.aborted === true;
  }

  get isStopped(): boolean {
    return this.isInterrupted || this.#diagnostics.length > 0 || this.#stoppedBy !== undefined;
  }

  /** Why a step was not started: the failed step that ended the run, `interrupted`, or `stopped`. */
  get because(): string {
    if (this.isInterrupted) return 'interrupted';
    return this.#diagnostics.length > 0 ? 'stopped' : (this.#stoppedBy ?? 'interrupted');
  }

  get #stoppedBy(): Address | undefined {
    return this.#context.failFast ? this.#firstFailed : undefined;
  }

  stepFailed(address: Address): void {
    this.#firstFailed ??= address;
  }

  /** Starts nothing more when the lease may be lost, and ends all calls before another run can have the stack. */
  watch({ late, over }: LeaseTerm): void {
    whenFired(late, () => this.stop([lateLease(late.reason)]));
    whenFired(over, () => this.stopNow([lateLease(late.reason)]));
  }

  /** The first reason is the one that counts. */
  readonly stop = (diagnostics: readonly Diagnostic[]): void => {
    if (this.#diagnostics.length === 0) this.#diagnostics = diagnostics;
  };

  /** Ends calls that wait or run, too. */
  readonly stopNow = (diagnostics: readonly Diagnostic[]): void => {
    this.stop(diagnostics);
    this.#stopCalls.abort();
  };
}

function whenFired(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}

function lateLease(reason: unknown): Diagnostic {
  const hint = 'Run the command again: it first finds out what became of the calls that were under way.';
  if (reason === 'refused') {
    return {
      severity: 'error',
      code: 'lease-refused',
      summary: 'The lease of this run was broken, or another run has the stack. Nothing more is sent.',
      hint,
    };
  }
  return {
    severity: 'error',
    code: 'lease-late',
    summary:
      'This run could not renew its lease in time (it stood still, or the state store does not answer), so another run may take over the stack. Nothing more is sent.',
    hint,
  };
}
