import { repeated, type AttemptEnd } from '../../engine/model/attempts.js';
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

  #repeat(
    request: HttpRequest,
    dropped: AbortSignal | undefined,
    noteFault: (outcome: Outcome) => void,
  ): Promise<HttpAnswer> {
    const { fence, signal, whileWaiting } = request;
    // The time counts from when the first attempt may leave.
    let deadline = Number.POSITIVE_INFINITY;
    const rules = {
      most: this.#retries + 1,
      mayWait: (ms: number) => this.#clock.now() + ms <= deadline,
      wait: (ms: number, reason: string) => {
        this.#onWait({ ms, reason });
        const wait = (): Promise<void> => sleep(this.#clock, ms, signal);
        return whileWaiting === undefined ? wait() : whileWaiting(wait);
      },
    };
    return repeated<HttpAnswer>(rules, async (nth, faults) => {
      const permit = await this.#gate.enter({ repeated: nth > 1, fence, signal, dropped });
      if (nth === 1) deadline = this.#clock.now() + this.#limits.callMs;
      return this.#attempt(request, permit, deadline, faults, noteFault);
    });
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async #attempt(
    request: HttpRequest,
    permit: Permit,
    deadline: number,
    faults: number,
    noteFault: (outcome: Outcome) => void,
  ): Promise<AttemptEnd<HttpAnswer>> {
    const again = (outcome: Outcome, why: string, atLeastMs = 0): AttemptEnd<HttpAnswer> => {
      noteFault(outcome);
      const ms = Math.max(atLeastMs, backoffMs(faults + 1, this.#random));
      return { kind: 'again', give: () => finish(outcome), ms, why };
    };
    this.#requests += 1;
    let answer: HttpAnswer;
    try {
      answer = await this.#transport.attempt(request);
    } catch (error) {
      permit.released();
      if (!(error instanceof HttpFailure)) throw error;
      const { kind, code } = error;
      const isPassing =
        repeatsAfterFailure(request.method, kind) && !this.#origins.isUnreachable(request.origin, code, faults);
      return isPassing ? again(error, `no answer (${code})`) : final(error);
    }
    this.#origins.answered(request.origin);
    const asked = retryAfterMs(answer.headers['retry-after'], this.#clock.now());
    if (answer.status === 429) {
      // A wait that can't end in time holds nobody back: each call then fails with the platform's own words.
      const isTooLate = this.#clock.now() + (asked ?? 0) > deadline;
      if (isTooLate) permit.released();
      else permit.refused(asked);
      return isTooLate ? final(answer) : { kind: 'held' };
    }
    if (answer.status >= 500) permit.released();
    else permit.accepted();
    if (!repeatsAfterStatus(request.method, answer.status)) return final(answer);
    return again(answer, `the platform answered ${answer.status}`, asked);
  }
}

type Outcome = HttpAnswer | HttpFailure;

function final(outcome: Outcome): AttemptEnd<HttpAnswer> {
  return { kind: 'final', give: () => finish(outcome) };
}

function finish(outcome: Outcome): HttpAnswer {
  if (outcome instanceof HttpFailure) throw outcome;
  return outcome;
}
