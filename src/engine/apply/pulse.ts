import type { Diagnostic } from '../model/diagnostic.js';

const beatMs = 1_000;
/** Shorter than a lease lives: a process that stood still for less still has its own. */
const longestPauseMs = 20_000;

/** Milliseconds since 1970, by a clock that goes on while the process, or the whole machine, is asleep. */
export type WallClock = () => number;

/**
 * Notices that the process was stopped (SIGSTOP, a closed lid) for so long that its lease may have ended: by then
 * another run may have settled what this one was about to send, so it must not be sent any more.
 */
export class Pulse {
  readonly #now: WallClock;
  readonly #onPause: (diagnostics: readonly Diagnostic[]) => void;
  #last: number;

  constructor(onPause: (diagnostics: readonly Diagnostic[]) => void, now: WallClock = Date.now) {
    this.#onPause = onPause;
    this.#now = now;
    this.#last = now();
  }

  /** To be called often. */
  readonly take = (): void => {
    const now = this.#now();
    const pause = now - this.#last;
    this.#last = now;
    if (pause > longestPauseMs) this.#onPause([stoodStill(pause)]);
  };

  /** Takes itself from now on, until the returned function is called. */
  start(): () => void {
    const timer = setInterval(this.take, beatMs);
    timer.unref();
    return () => clearInterval(timer);
  }

  /**
   * The same signal, whose flag takes the pulse when it is read: after a long sleep, requests that were waiting for
   * their turn are sent before any timer can run, but not before their sender has looked whether it still should.
   */
  watched(signal: AbortSignal): AbortSignal {
    const isAborted = (): boolean => Reflect.get(AbortSignal.prototype, 'aborted', signal) === true;
    Object.defineProperty(signal, 'aborted', {
      get: () => {
        if (!isAborted()) this.take();
        return isAborted();
      },
    });
    return signal;
  }
}

function stoodStill(ms: number): Diagnostic {
  return {
    severity: 'error',
    code: 'stood-still',
    summary: `This process stood still for ${Math.round(ms / 1000)} seconds, so another run may have taken over the stack. Nothing more is started.`,
    hint: 'Run apply again: it first finds out what became of the calls that were under way.',
  };
}
