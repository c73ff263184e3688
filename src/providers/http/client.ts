import { defined } from '../../engine/model/defined.js';
import { NotSentError, type Fence } from '../../engine/model/fence.js';
import { sleep, systemClock, type Clock, type WaitListener } from './clock.js';
import { RequestGate, type Permit } from './gate.js';
import { backoffMs, maxRepeats, repeatsAfterFailure, repeatsAfterStatus, retryAfterMs } from './retry.js';
import { Origins } from './origins.js';
import { HttpFailure, Transport, type HttpAnswer, type HttpRequest, type TransportLimits } from './transport.js';

export interface HttpLimits extends TransportLimits {
  /** A call (all its attempts and the waits between them) is not repeated past this. */
  readonly callMs: number;
}

export const defaultLimits: HttpLimits = {
  connectMs: 10_000,
  attemptMs: 60_000,
  maxAnswerBytes: 128 * 1024 * 1024,
  callMs: 10 * 60_000,
};

export interface HttpClientOptions {
  /** Requests in flight at most, over all origins. */
  readonly concurrency: number;
  readonly requestsPerMinute?: number | undefined;
  readonly onWait?: WaitListener | undefined;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly limits?: Partial<HttpLimits>;
  /** Until the whole answer is there; default 60 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** Times an attempt may be repeated, refusals (429) aside; default 4. */
  readonly retries?: number | undefined;
  /** The right to send writes, asked at each call. Absent: no questions. */
  readonly fence?: (() => Fence | undefined) | undefined;
}

/**
 * Sends requests: keep-alive, limited in number and rate, repeated where that is safe.
 * Any status is an answer; what it means is the caller's to say.
 */
export class HttpClient {
  readonly #limits: HttpLimits;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #onWait: WaitListener;
  readonly #gate: RequestGate;
  readonly #transport: Transport;
  readonly #origins = new Origins();
  readonly #retries: number;
  readonly #fence: (() => Fence | undefined) | undefined;
  #requests = 0;

  constructor(options: HttpClientOptions) {
    const { requestTimeoutMs } = options;
    const attempt = requestTimeoutMs === undefined ? {} : { attemptMs: requestTimeoutMs };
    this.#limits = { ...defaultLimits, ...attempt, ...options.limits };
    this.#retries = options.retries ?? maxRepeats;
    this.#fence = options.fence;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#onWait = options.onWait ?? (() => undefined);
    const { concurrency, requestsPerMinute } = options;
    this.#gate = new RequestGate({
      concurrency,
      clock: this.#clock,
      random: this.#random,
      onWait: this.#onWait,
      ...defined({ requestsPerMinute }),
    });
    this.#transport = new Transport(Math.max(1, concurrency), this.#limits);
  }

  /** Requests sent so far, repeats included. */
  get requests(): number {
    return this.#requests;
  }

  /**
   * The platform's last word on a request. Rejects with HttpFailure when none came, with AbortError when the
   * signal fired, with NotSentError for a write that may not leave. A POST that may have been carried out is never sent twice.
   */
  async send(given: HttpRequest): Promise<HttpAnswer> {
    const fence = this.#fence?.();
    const isWrite = given.method !== 'GET';
    if (isWrite && this.#fence !== undefined && fence === undefined) throw new NotSentError();
    const request: HttpRequest = isWrite && fence !== undefined ? { ...given, fence } : given;
    let last: Outcome | undefined;
    try {
      return await this.#repeat(request, fence?.dropped, (outcome) => (last = outcome));
    } catch (error) {
      // An attempt before may have been carried out: that is what its caller must know.
      if (error instanceof NotSentError && last !== undefined) return finish(last);
      throw error;
    }
  }

  async #repeat(
    request: HttpRequest,
    dropped: AbortSignal | undefined,
    noteFault: (outcome: Outcome) => void,
  ): Promise<HttpAnswer> {
    let repeats = 0;
    let deadline: number | undefined;
    for (let sent = 0; ; sent += 1) {
      const permit = await this.#gate.enter({
        repeated: sent > 0,
        fence: request.fence,
        signal: request.signal,
        dropped,
      });
      deadline ??= this.#clock.now() + this.#limits.callMs;
      const end = await this.#attempt(request, permit, deadline, repeats);
      if (end.kind === 'final') return finish(end.outcome);
      if (end.kind === 'refused') continue;
      noteFault(end.outcome);
      repeats += 1;
      const ms = Math.max(end.atLeastMs ?? 0, backoffMs(repeats, this.#random));
      if (repeats > this.#retries || this.#clock.now() + ms > deadline) return finish(end.outcome);
      this.#onWait({ ms, reason: end.reason });
      const wait = (): Promise<void> => sleep(this.#clock, ms, request.signal);
      await (request.whileWaiting === undefined ? wait() : request.whileWaiting(wait));
    }
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async #attempt(request: HttpRequest, permit: Permit, deadline: number, repeats: number): Promise<AttemptEnd> {
    this.#requests += 1;
    let answer: HttpAnswer;
    try {
      answer = await this.#transport.attempt(request);
    } catch (error) {
      permit.released();
      if (!(error instanceof HttpFailure)) throw error;
      const again = repeatsAfterFailure(request.method, error.kind);
      const { code } = error;
      if (again && this.#origins.isUnreachable(request.origin, code, repeats)) return { kind: 'final', outcome: error };
      return again
        ? { kind: 'again', outcome: error, reason: `no answer (${error.code})` }
        : { kind: 'final', outcome: error };
    }
    this.#origins.answered(request.origin);
    const asked = retryAfterMs(answer.headers['retry-after'], this.#clock.now());
    if (answer.status === 429) {
      // A wait that can't end in time holds nobody back: each call then fails with the platform's own words.
      const isTooLate = this.#clock.now() + (asked ?? 0) > deadline;
      if (isTooLate) permit.released();
      else permit.refused(asked);
      return isTooLate ? { kind: 'final', outcome: answer } : { kind: 'refused' };
    }
    if (answer.status >= 500) permit.released();
    else permit.accepted();
    if (!repeatsAfterStatus(request.method, answer.status)) return { kind: 'final', outcome: answer };
    const wait = asked === undefined ? {} : { atLeastMs: asked };
    return { kind: 'again', outcome: answer, reason: `the platform answered ${answer.status}`, ...wait };
  }
}

type Outcome = HttpAnswer | HttpFailure;

type AttemptEnd =
  | { readonly kind: 'final'; readonly outcome: Outcome }
  | { readonly kind: 'refused' }
  | { readonly kind: 'again'; readonly outcome: Outcome; readonly reason: string; readonly atLeastMs?: number };

function finish(outcome: Outcome): HttpAnswer {
  if (outcome instanceof HttpFailure) throw outcome;
  return outcome;
}
