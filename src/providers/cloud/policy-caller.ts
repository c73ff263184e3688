import { repeated, type AttemptEnd } from '../../engine/model/attempts.js';
import { defined } from '../../engine/model/defined.js';
import { NotSentError, type Fence } from '../../engine/model/fence.js';
import { ProviderError, type CallOptions } from '../../engine/model/provider.js';
import { sleep, systemClock, type Clock, type WaitListener } from '../http/clock.js';
import { RequestGate } from '../http/gate.js';
import { backoffMs, mayHaveHappened, repeatsAfterFailure } from '../http/retry.js';
import { HttpFailure, Transport, type HttpAnswer } from '../http/transport.js';
import type { Json } from '../../engine/model/value.js';
import { readFailedAnswer, type Asked } from './answer-error.js';
import { cloudError } from './errors.js';
import type { CloudSettings } from './settings.js';
import type { TokenSource } from './token-source.js';
import { headerNames } from './wire.js';
import { OutOfTime, within } from './time-limit.js';

interface CallerOptions {
  readonly settings: CloudSettings;
  readonly tokens: TokenSource;
  readonly userAgent: string;
  readonly concurrency: number;
  readonly requestsPerMinute?: number | undefined;
  readonly onWait?: WaitListener | undefined;
  /** See `ProviderContext.fence`. */
  readonly fence?: (() => Fence | undefined) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/** Attempts at one call, the first included. */
const maxAttempts = 6;
/** A call takes well under a second; one attempt that hangs must not eat the time of the others. */
const attemptMs = 30_000;
const reason = 'the cloud gave no usable answer';
/** Policies are some tens of kilobytes. */
const maxAnswerBytes = 16 * 1024 * 1024;

/** All conditions: with a lower version the service answers roles with made-up names instead of conditional bindings. */
const readBody = JSON.stringify({ options: { requestedPolicyVersion: 3 } });

interface Call extends Asked {
  readonly body: string;
  /** For a write: whether it may leave. */
  readonly fence?: Fence | undefined;
}

/**
 * Asks for policies and sets them, in one loop with one deadline for everything, tokens and waits included. To ask is a POST,
 * too, but only reads: it is repeated after any passing failure. A write that may have been carried out is never sent again.
 */
export class PolicyCaller {
  readonly #options: CallerOptions;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #gate: RequestGate;
  readonly #transport: Transport;
  #requests = 0;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    const { concurrency, requestsPerMinute, onWait, settings } = options;
    this.#gate = new RequestGate({
      concurrency,
      clock: this.#clock,
      random: this.#random,
      ...defined({ requestsPerMinute, onWait }),
    });
    const limits = { connectMs: 10_000, attemptMs: Math.min(attemptMs, settings.timeoutMs), maxAnswerBytes };
    this.#transport = new Transport(Math.max(1, concurrency), limits);
  }

  /** Policy requests sent so far, repeats included; those of the credentials library are its own. */
  get requests(): number {
    return this.#requests;
  }

  /** The answer (2xx) for one service. Rejects with ProviderError, or AbortError when the signal fired. */
  read(service: string, options: CallOptions): Promise<HttpAnswer> {
    return this.#call({ service, isWrite: false, body: readBody }, options);
  }

  /** Sets the policy of one service; rejects as `read` does, and with NotSentError when it may not leave. */
  async write(service: string, change: Json, options: CallOptions): Promise<HttpAnswer> {
    const fence = this.#options.fence?.();
    if (this.#options.fence !== undefined && fence === undefined) throw new NotSentError();
    return this.#call({ service, isWrite: true, body: JSON.stringify(change), fence }, options);
  }

  async #call(call: Call, { signal }: CallOptions): Promise<HttpAnswer> {
    const { timeoutMs } = this.#options.settings;
    let last: ProviderError | undefined;
    try {
      return await within(this.#clock, timeoutMs, signal, (stop) =>
        this.#repeat(call, this.#clock.now() + timeoutMs, stop, (error) => (last = error)),
      );
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      // A write that is under way when time is up may be carried out, whatever came of the attempts before it.
      throw call.isWrite ? unclear(call, 'time was up') : (last ?? tooSlow(call, timeoutMs));
    }
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #repeat(
    call: Call,
    deadline: number,
    stop: AbortSignal,
    failed: (error: ProviderError) => void,
  ): Promise<HttpAnswer> {
    const rules = {
      most: maxAttempts,
      mayWait: (ms: number) => this.#clock.now() + ms <= deadline,
      wait: (ms: number) => {
        this.#options.onWait?.({ ms, reason });
        return sleep(this.#clock, ms, stop);
      },
    };
    return repeated<HttpAnswer>(rules, (nth) => this.#attempt(call, nth, deadline, stop, failed));
  }

  async #attempt(
    call: Call,
    nth: number,
    deadline: number,
    stop: AbortSignal,
    failed: (error: ProviderError) => void,
  ): Promise<AttemptEnd<HttpAnswer>> {
    // Attempts that were held back count here, too.
    const end = (error: ProviderError, isPassing: boolean, atLeastMs = 0): AttemptEnd<HttpAnswer> => {
      const give = (): never => {
        throw error;
      };
      if (!isPassing || nth >= maxAttempts) return { kind: 'final', give };
      failed(error);
      return { kind: 'again', give, ms: Math.max(atLeastMs, backoffMs(nth, this.#random)), why: reason };
    };
    const headers = await this.#headers();
    if (headers instanceof ProviderError) return end(headers, headers.kind === 'unavailable');
    const permit = await this.#gate.enter({
      repeated: nth > 1,
      signal: stop,
      ...defined({ fence: call.fence, dropped: call.fence?.dropped }),
    });
    const answer = await this.#send(call, headers, stop).catch((error: unknown) => {
      permit.released();
      return toFailure(error);
    });
    if (answer instanceof HttpFailure)
      return end(
        failureError(answer, call, this.#options.settings),
        repeatsAfterFailure(call.isWrite ? 'POST' : 'GET', answer.kind),
      );
    if (answer.status >= 200 && answer.status < 300) {
      permit.accepted();
      return { kind: 'final', give: () => answer };
    }
    const now = this.#clock.now();
    const { error, again, tooMany, waitMs } = readFailedAnswer(answer, call, this.#options.tokens, now);
    // A wait that can't end in time holds nobody back.
    const isTooLate = now + (waitMs ?? 0) > deadline;
    const held = tooMany && !isTooLate && nth < maxAttempts;
    if (held) permit.refused(waitMs);
    else permit.released();
    if (!held) return end(error, again && !isTooLate, waitMs);
    failed(error);
    return { kind: 'held' };
  }

  async #headers(): Promise<Readonly<Record<string, string>> | ProviderError> {
    try {
      return await this.#options.tokens.headers();
    } catch (error) {
      if (error instanceof ProviderError) return error;
      throw error;
    }
  }

  #send(call: Call, identity: Readonly<Record<string, string>>, signal: AbortSignal): Promise<HttpAnswer> {
    const { settings, userAgent } = this.#options;
    const { endpoint, requestReason } = settings;
    this.#requests += 1;
    return this.#transport.attempt({
      method: 'POST',
      origin: endpoint.origin,
      path: `${endpoint.prefix}/services/${call.service}:${call.isWrite ? 'set' : 'get'}IamPolicy`,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...defined({ [headerNames.requestReason]: requestReason }),
        ...identity,
      },
      body: call.body,
      signal,
      ...defined({ fence: call.fence }),
    });
  }
}

function toFailure(error: unknown): HttpFailure {
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
