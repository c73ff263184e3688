import { type AttemptEnd, repeated } from '@platform-sync/core/model/attempts';
import { defined } from '@platform-sync/core/model/value';
import { type Fence, NotSentError } from '@platform-sync/core/model/state-store';
import type { Round } from '@platform-sync/core/model/fleet';
import type { SharedRate } from '@platform-sync/core/model/shared-rate';
import type { World } from '@platform-sync/core/model/world';
import { type Clock, sleep, type WaitListener, worldOf } from './clock.js';
import { type Permit, RequestGate } from './gate.js';
import { type SharedCalls, sharedCalls } from './round.js';
import {
  backoffMs,
  maxRepeats,
  mayHaveHappened,
  type Method,
  repeatsAfterFailure,
  repeatsAfterStatus,
  retryAfterMs,
} from './retry.js';
import {
  type Connect,
  type HttpAnswer,
  HttpFailure,
  type HttpRequest,
  Transport,
  type TransportLimits,
} from './transport.js';

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
  readonly world?: World | undefined;
  /** For waits alone; default: the world's. */
  readonly clock?: Clock;
  /** Default: the world's. */
  readonly random?: () => number;
  /** What carries requests to an origin; default: connections of this machine. */
  readonly connect?: Connect | undefined;
  readonly limits?: Partial<HttpLimits>;
  /** Until the whole answer is there; default 60 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** Times an attempt may be repeated, refusals (429) aside; default 4. */
  readonly retries?: number | undefined;
  /** What this run shares with others; see `ProviderContext.round`. */
  readonly round?: Round | undefined;
  /** See `ProviderContext.sharedRate`. */
  readonly sharedRate?: ((caller: string) => SharedRate) | undefined;
  /** The server, and who asks it; absent: nothing is shared. */
  readonly caller?: string | undefined;
  /** The right to send writes, asked at each call. Absent: no questions. */
  readonly fence?: (() => Fence | undefined) | undefined;
}

/** What a call's service says beyond HTTP, for those that have words and rules of their own. */
export interface ServiceRules {
  /** True for a POST that only reads: it needs no fence. */
  readonly onlyReads?: boolean;
  /** Made anew for each attempt, beside the request's own. A rejection is judged as an outcome. */
  readonly headers?: () => Promise<Readonly<Record<string, string>>>;
  /** When the call must be over. Default: `callMs` after its first attempt may leave. */
  readonly deadline?: number;
  /** What follows from the outcome of attempt `nth`. */
  readonly judge: (outcome: Outcome, nth: number) => Judgement;
}

/** An answer, or why none came. */
export type Outcome = HttpAnswer | Error;

/** What follows from how an attempt ended. */
export type Judgement =
  | { readonly next: 'end' }
  /** Refused for the number of calls: all wait, as long as asked. */
  | { readonly next: 'hold'; readonly askedMs: number | undefined }
  | { readonly next: 'repeat'; readonly why: string; readonly askedMs?: number | undefined };

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
  readonly #shared: SharedCalls | undefined;
  /** What was asked of those who share. */
  readonly #asked = new Set<string>();
  #requests = 0;

  constructor(options: HttpClientOptions) {
    const { requestTimeoutMs } = options;
    const world = worldOf(options);
    const attempt = requestTimeoutMs === undefined ? {} : { attemptMs: requestTimeoutMs };
    this.#limits = { ...defaultLimits, ...attempt, ...options.limits };
    this.#retries = options.retries ?? maxRepeats;
    this.#fence = options.fence;
    this.#clock = options.clock ?? world;
    this.#random = options.random ?? world.random;
    this.#onWait = options.onWait ?? (() => undefined);
    const { concurrency, requestsPerMinute, round, caller } = options;
    const gate = {
      concurrency,
      clock: this.#clock,
      random: this.#random,
      onWait: this.#onWait,
      ...defined({ requestsPerMinute: round?.requestsPerMinute ?? requestsPerMinute }),
    };
    this.#shared = round === undefined || caller === undefined ? undefined : sharedCalls(round, caller, gate);
    const rate = caller === undefined ? undefined : options.sharedRate?.(caller);
    // Runs take their turns at a shared rate stack by stack.
    this.#gate =
      rate === undefined ? (this.#shared?.gate ?? new RequestGate(gate)) : new RequestGate({ ...gate, rate });
    this.#transport = new Transport(Math.max(1, concurrency), this.#limits, {
      after: world.after,
      connect: options.connect,
    });
  }

  /** Requests sent so far, repeats included. */
  get requests(): number {
    return this.#requests;
  }

  /**
   * The platform's last word on a request. Rejects with HttpFailure when none came, with AbortError when the
   * signal fired, with NotSentError for a write that may not leave. A POST that may have been carried out is never sent twice,
   * unless the rules of its service say so.
   */
  send(given: HttpRequest, rules?: ServiceRules): Promise<HttpAnswer> {
    const fence = this.#fence?.();
    const isWrite = given.method !== 'GET' && rules?.onlyReads !== true;
    if (isWrite && this.#fence !== undefined && fence === undefined) return Promise.reject(new NotSentError());
    const request: HttpRequest = isWrite && fence !== undefined ? { ...given, fence } : given;
    const deadline = rules?.deadline ?? Number.POSITIVE_INFINITY;
    const call: Call = { request, rules, dropped: fence?.dropped, deadline, last: undefined };
    if (given.method === 'GET' && this.#shared !== undefined)
      return this.#shared.answers.get(request.origin + request.path, this.#asked, () => this.#repeat(call));
    const answer = this.#repeat(call);
    if (!isWrite) return answer;
    return answer.catch((error: unknown) => {
      // An attempt before may have been carried out: that is what its caller must know.
      if (hasNotLeft(given.method, error) && call.last !== undefined) return finish(call.last);
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
    const { request, rules } = call;
    const own = rules?.headers === undefined ? undefined : await rules.headers().catch(errorIn);
    if (own instanceof Error) return this.#ended(call, own, this.#judged(call, own, nth, faults), faults);
    const permit = await this.#turn(call, nth > 1);
    // The time counts from when the first attempt may leave.
    if (nth === 1 && rules?.deadline === undefined) call.deadline = this.#clock.now() + this.#limits.callMs;
    this.#requests += 1;
    const sent = own === undefined ? request : { ...request, headers: { ...request.headers, ...own } };
    const outcome = await this.#transport.attempt(sent).catch((error: unknown) => {
      if (error instanceof HttpFailure) return error;
      permit.released();
      throw error;
    });
    const judgement = this.#judged(call, outcome, nth, faults);
    if (judgement.next === 'hold') {
      // A wait that can't end in time holds nobody back: each call then fails with the platform's own words.
      if (this.#clock.now() + (judgement.askedMs ?? 0) <= call.deadline) {
        permit.refused(judgement.askedMs);
        return { kind: 'held' };
      }
      permit.released();
      return final(call, outcome);
    }
    if (outcome instanceof Error || outcome.status >= 500) permit.released();
    else permit.accepted();
    return this.#ended(call, outcome, judgement, faults);
  }

  /** Waits for a turn in which the caller has done what it does then, and for another one where the platform held everyone up meanwhile. */
  async #turn({ request, dropped }: Call, isRepeated: boolean): Promise<Permit> {
    const { fence, signal, atTurn } = request;
    for (let repeated = isRepeated; ; repeated = true) {
      const permit = await this.#gate.enter({ repeated, fence, signal, dropped });
      if (atTurn === undefined) return permit;
      try {
        await atTurn();
      } catch (error) {
        permit.released();
        throw error;
      }
      if (!this.#gate.isHeld) return permit;
      permit.released();
    }
  }

  #judged({ request, rules }: Call, outcome: Outcome, nth: number, faults: number): Judgement {
    if (!(outcome instanceof Error)) this.#origins.answered(request.origin);
    return rules?.judge(outcome, nth) ?? this.#byHttp(request, outcome, faults);
  }

  /** What HTTP says of an outcome. */
  #byHttp({ method, origin }: HttpRequest, outcome: Outcome, faults: number): Judgement {
    if (outcome instanceof HttpFailure) {
      const { kind, code } = outcome;
      const isPassing = repeatsAfterFailure(method, kind) && !this.#origins.isUnreachable(origin, code, faults);
      return isPassing ? { next: 'repeat', why: `no answer (${code})` } : { next: 'end' };
    }
    if (outcome instanceof Error) return { next: 'end' };
    const askedMs = retryAfterMs(outcome.headers['retry-after'], this.#clock.now());
    if (outcome.status === 429) return { next: 'hold', askedMs };
    if (!repeatsAfterStatus(method, outcome.status)) return { next: 'end' };
    return { next: 'repeat', why: `the platform answered ${outcome.status}`, askedMs };
  }

  #ended(call: Call, outcome: Outcome, judgement: Judgement, faults: number): AttemptEnd<HttpAnswer> {
    if (judgement.next !== 'repeat') return final(call, outcome);
    if (call.last === undefined || !hasNotLeft(call.request.method, outcome)) call.last = outcome;
    const ms = Math.max(judgement.askedMs ?? 0, backoffMs(faults + 1, this.#random));
    return { kind: 'again', give: () => finish(outcome), ms, why: judgement.why };
  }
}

/** A request with what became of it so far. */
interface Call {
  readonly request: HttpRequest;
  readonly rules: ServiceRules | undefined;
  readonly dropped: AbortSignal | undefined;
  deadline: number;
  /** The last fault after which it was to be sent again. One after which it may have been carried out stands, whatever came later. */
  last: Outcome | undefined;
}

function final(call: Call, outcome: Outcome): AttemptEnd<HttpAnswer> {
  return {
    kind: 'final',
    give: () => finish(isAfterDoubt(call, outcome) ? { ...outcome, isAfterDoubt: true } : outcome),
  };
}

/** A change is refused, or an end denied, and an earlier attempt at it may have been carried out. A delete that is refused finds its object. */
function isAfterDoubt({ request: { method }, last }: Call, outcome: Outcome): outcome is HttpAnswer {
  if (last === undefined || outcome instanceof Error || outcome.status < 400) return false;
  const isDenied = outcome.status === 404 || outcome.status === 410;
  if (method !== 'PUT' && method !== 'PATCH' && !(method === 'DELETE' && isDenied)) return false;
  return last instanceof Error ? !hasNotLeft(method, last) : mayHaveHappened(method, last.status);
}

/** An attempt that ended so was not carried out, because nothing of it was sent. */
function hasNotLeft(method: Method, end: unknown): boolean {
  return end instanceof HttpFailure ? !mayHaveHappened(method, end.kind) : end instanceof NotSentError;
}

function finish(outcome: Outcome): HttpAnswer {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

function errorIn(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Runtime codes of a server that is not there: nothing listens, or nobody knows the name. */
const absent = new Set(['ECONNREFUSED', 'ENOTFOUND']);
/** A server may be starting: so often it is tried again before it is given up. */
const patience = 1;

/** Which servers have ever answered. One that has may be back in a moment; one that has not is rather a wrong address. */
class Origins {
  readonly #known = new Set<string>();
  readonly #givenUp = new Set<string>();

  answered(origin: string): void {
    this.#known.add(origin);
    this.#givenUp.delete(origin);
  }

  /** True when trying again is not worth the wait; the call has been repeated `repeats` times. */
  isUnreachable(origin: string, code: string, repeats: number): boolean {
    if (this.#known.has(origin) || !absent.has(code)) return false;
    if (repeats >= patience) this.#givenUp.add(origin);
    return this.#givenUp.has(origin);
  }
}
