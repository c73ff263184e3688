import { defined, type Json } from '@platform-sync/core/model/value';
import type { Fence } from '@platform-sync/core/model/state-store';
import { type CallOptions, ProviderError } from '@platform-sync/core/model/provider';
import { HttpClient, type Judgement, type Outcome, type ServiceRules } from '@platform-sync/rest/http/client';
import { abortError, type Clock, onAbort, type WaitListener, worldOf } from '@platform-sync/rest/http/clock';
import { mayHaveHappened, repeatsAfterFailure } from '@platform-sync/rest/http/retry';
import { type HttpAnswer, HttpFailure, type HttpRequest } from '@platform-sync/rest/http/transport';
import type { World } from '@platform-sync/core/model/world';
import { type Asked, readFailedAnswer } from './answer-error.js';
import { cloudError } from './errors.js';
import type { CloudSettings } from './settings.js';
import type { TokenSource } from './token-source.js';
import { headerNames } from './wire.js';

interface CallerOptions {
  readonly settings: CloudSettings;
  readonly tokens: TokenSource;
  readonly userAgent: string;
  readonly concurrency: number;
  readonly requestsPerMinute?: number | undefined;
  readonly onWait?: WaitListener | undefined;
  /** See `ProviderContext.fence`. */
  readonly fence?: (() => Fence | undefined) | undefined;
  readonly world?: World | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/** Attempts at one call, the first and those that were held back included. */
const maxAttempts = 6;
/** A call takes well under a second; one attempt that hangs must not eat the time of the others. */
const attemptMs = 30_000;
/** Policies are some tens of kilobytes. */
const maxAnswerBytes = 16 * 1024 * 1024;

/** All conditions: with a lower version the service answers roles with made-up names instead of conditional bindings. */
const readBody = JSON.stringify({ options: { requestedPolicyVersion: 3 } });

interface Call extends Asked {
  readonly body: string;
}

/**
 * Asks for policies and sets them, with one deadline for everything, tokens and waits included. To ask is a POST, too, but only
 * reads: it is repeated after any passing failure. A write that may have been carried out is never sent again.
 */
export class PolicyCaller {
  readonly #settings: CloudSettings;
  readonly #tokens: TokenSource;
  readonly #userAgent: string;
  readonly #clock: Clock;
  readonly #http: HttpClient;

  constructor({ settings, tokens, userAgent, world: given, clock, random, ...options }: CallerOptions) {
    const world = worldOf({ world: given });
    this.#settings = settings;
    this.#tokens = tokens;
    this.#userAgent = userAgent;
    this.#clock = clock ?? world;
    this.#http = new HttpClient({
      ...options,
      ...defined({ random }),
      ...{ world, clock: this.#clock },
      retries: maxAttempts - 1,
      limits: { attemptMs: Math.min(attemptMs, settings.timeoutMs), maxAnswerBytes },
    });
  }

  /** Policy requests sent so far, repeats included; those of the credentials library are its own. */
  get requests(): number {
    return this.#http.requests;
  }

  /** The answer (2xx) for one service. Rejects with ProviderError, or AbortError when the signal fired. */
  read(service: string, options: CallOptions): Promise<HttpAnswer> {
    return this.#call({ service, isWrite: false, body: readBody }, options);
  }

  /** Sets the policy of one service; rejects as `read` does, and with NotSentError when it may not leave. */
  write(service: string, change: Json, options: CallOptions): Promise<HttpAnswer> {
    return this.#call({ service, isWrite: true, body: JSON.stringify(change) }, options);
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #call(call: Call, { signal }: CallOptions): Promise<HttpAnswer> {
    const { timeoutMs } = this.#settings;
    let last: Error | undefined;
    const rules: ServiceRules = {
      onlyReads: !call.isWrite,
      headers: () => this.#tokens.headers(),
      deadline: this.#clock.now() + timeoutMs,
      judge: (outcome, nth) => {
        const { error, judgement } = this.#meaning(outcome, call);
        if (judgement.next === 'end' || nth >= maxAttempts) return { next: 'end' };
        last = error;
        return judgement;
      },
    };
    try {
      const outcome = await within(this.#clock, timeoutMs, signal, (stop) =>
        this.#http.send(this.#request(call, stop), rules).catch(failureIn),
      );
      const { error } = this.#meaning(outcome, call);
      if (error === undefined && !(outcome instanceof Error)) return outcome;
      throw error;
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      // A write that is under way when time is up may be carried out, whatever came of the attempts before it.
      throw call.isWrite ? unclear(call, 'time was up') : (last ?? tooSlow(call, timeoutMs));
    }
  }

  /** What an outcome is to the caller, and to further attempts. */
  #meaning(outcome: Outcome, call: Call): { readonly error?: Error; readonly judgement: Judgement } {
    const passing: Judgement = { next: 'repeat', why: 'the cloud gave no usable answer' };
    const end: Judgement = { next: 'end' };
    if (outcome instanceof HttpFailure) {
      const isPassing = repeatsAfterFailure(call.isWrite ? 'POST' : 'GET', outcome.kind);
      return { error: failureError(outcome, call, this.#settings), judgement: isPassing ? passing : end };
    }
    if (outcome instanceof Error) {
      const isPassing = outcome instanceof ProviderError && outcome.kind === 'unavailable';
      return { error: outcome, judgement: isPassing ? passing : end };
    }
    if (outcome.status >= 200 && outcome.status < 300) return { judgement: end };
    const { error, again, tooMany, waitMs } = readFailedAnswer(outcome, call, this.#tokens, this.#clock.now());
    if (tooMany) return { error, judgement: { next: 'hold', askedMs: waitMs } };
    return { error, judgement: again ? { ...passing, askedMs: waitMs } : end };
  }

  #request({ service, isWrite, body }: Call, signal: AbortSignal): HttpRequest {
    const { endpoint, requestReason } = this.#settings;
    return {
      method: 'POST',
      origin: endpoint.origin,
      path: `${endpoint.prefix}/services/${service}:${isWrite ? 'set' : 'get'}IamPolicy`,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': this.#userAgent,
        ...defined({ [headerNames.requestReason]: requestReason }),
      },
      body,
      signal,
    };
  }
}

function failureIn(error: unknown): HttpFailure {
  if (error instanceof HttpFailure) return error;
  throw error;
}

function failureError({ kind, code }: HttpFailure, call: Call, { endpoint }: CloudSettings): ProviderError {
  const detail = `The runtime reports: ${code}.`;
  const hint = 'Check the network and, when it is set, serviceManagementCustomEndpoint.';
  if (kind === 'not-sent')
    return cloudError('unavailable', 'unreachable', `${endpoint.origin} can't be reached.`, { detail, hint });
  if (kind === 'certificate')
    return cloudError('unavailable', 'certificate-refused', `The certificate of ${endpoint.origin} was not accepted.`, {
      detail,
    });
  if (call.isWrite && mayHaveHappened('POST', kind)) return unclear(call, code);
  return cloudError('unavailable', 'server-unavailable', `No answer came for the policy of "${call.service}".`, {
    detail,
    hint,
  });
}

function unclear({ service }: Call, why: string): ProviderError {
  const summary = `It is not known whether the policy of "${service}" was written: ${why}.`;
  return cloudError('ambiguous', 'outcome-unknown', summary);
}

function tooSlow({ service }: Call, ms: number): ProviderError {
  return cloudError(
    'unavailable',
    'server-unavailable',
    `The policy of "${service}" could not be read within ${String(ms / 1000)} s.`,
    { hint: 'The setting requestTimeout says how long a lookup may take.' },
  );
}

/** What `within` rejects with when time is up. */
class OutOfTime extends Error {
  constructor() {
    super('out of time');
    this.name = 'OutOfTime';
  }
}

/**
 * Runs something that may take `ms` at most. The signal it gets fires when time is up or the caller's does; work that does
 * not listen is left behind. Rejects with OutOfTime or AbortError then.
 */
async function within<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted === true) throw abortError(signal);
  const end = new AbortController();
  let giveUp: (reason: Error) => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    giveUp = (reason) => {
      reject(reason);
      end.abort();
    };
  });
  const callOff = clock.after(ms, () => giveUp(new OutOfTime()));
  const forget = onAbort(signal, () => {
    if (signal !== undefined) giveUp(abortError(signal));
  });
  try {
    // The first to end decides; the race itself takes note of what the other one ends with.
    return await Promise.race([stopped, run(end.signal)]);
  } finally {
    callOff();
    forget();
  }
}
