import { repeated, type AttemptEnd } from '../../engine/model/attempts.js';
import { defined } from '../../engine/model/defined.js';
import { NotSentError, type Fence } from '../../engine/model/fence.js';
import { sleep, systemClock, type Clock, type WaitListener } from './clock.js';
import { RequestGate } from './gate.js';
import { backoffMs, maxRepeats, repeatsAfterFailure, repeatsAfterStatus, retryAfterMs } from './retry.js';
import { Origins } from './origins.js';
import { HttpFailure, Transport, type HttpAnswer, type HttpRequest, type TransportLimits } from './transport.js';

export interface HttpLimits extends TransportLimits {
  /** A call (all its attempts and the waits between them) is not repeated past this. */
  readonly callMs: number;
}

const defaultLimits: HttpLimits = {
  connectMs: 10_000,
  attemptMs: 60_000,
  maxAnswerBytes: 128 * 1024 * 1024,
  callMs: 10 * 60_000,
};

interface HttpClientOptions {
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
  send(given: HttpRequest): Promise<HttpAnswer> {
    const fence = this.#fence?.();
    const isWrite = given.method !== 'GET';
    if (isWrite && this.#fence !== undefined && fence === undefined) return Promise.reject(new NotSentError());
    const request: HttpRequest = isWrite && fence !== undefined ? { ...given, fence } : given;
    const call: Call = { request, dropped: fence?.dropped, deadline: Number.POSITIVE_INFINITY, last: undefined };
    const answer = this.#repeat(call);
    if (!isWrite) return answer;
    return answer.catch((error: unknown) => {
      // An attempt before may have been carried out: that is what its caller must know.
      if (error instanceof NotSentError && call.last !== undefined) return finish(call.last);
      throw error;
    });
  }

  #repeat(call: Call): Promise<HttpAnswer> {
    const { signal, whileWaiting } = call.request;
    const rules = {
      most: this.#retries + 1,
      mayWait: (ms: number) => this.#clock.now() + ms <= call.deadline,
      wait: (ms: number, reason: string) => {
        this.#onWait({ ms, reason });
        const wait = (): Promise<void> => sleep(this.#clock, ms, signal);
        return whileWaiting === undefined ? wait() : whileWaiting(wait);
      },
    };
    return repeated<HttpAnswer>(rules, (nth, faults) => this.#attempt(call, nth, faults));
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async #attempt(call: Call, nth: number, faults: number): Promise<AttemptEnd<HttpAnswer>> {
    const { request, dropped } = call;
    const { fence, signal } = request;
    const permit = await this.#gate.enter({ repeated: nth > 1, fence, signal, dropped });
    // The time counts from when the first attempt may leave.
    if (nth === 1) call.deadline = this.#clock.now() + this.#limits.callMs;
    const again = (outcome: Outcome, why: string, atLeastMs = 0): AttemptEnd<HttpAnswer> => {
      call.last = outcome;
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
      const isTooLate = this.#clock.now() + (asked ?? 0) > call.deadline;
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

/** A request with what became of it so far. */
interface Call {
  readonly request: HttpRequest;
  readonly dropped: AbortSignal | undefined;
  deadline: number;
  /** The last fault after which it was to be sent again. */
  last: Outcome | undefined;
}

function final(outcome: Outcome): AttemptEnd<HttpAnswer> {
  return { kind: 'final', give: () => finish(outcome) };
}

function finish(outcome: Outcome): HttpAnswer {
  if (outcome instanceof HttpFailure) throw outcome;
  return outcome;
}
