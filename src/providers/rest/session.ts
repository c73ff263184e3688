import { hash } from 'node:crypto';
import type * as Words from './http/errors.js';
import type { CallInfo } from './http/errors.js';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { type CallOptions, ProviderError, type ProviderErrorKind } from '@platform-sync/core/model/provider';
import { Redactor } from '@platform-sync/core/model/redactor';
import type { AbsenceRule } from '@platform-sync/core/model/resource-type';
import type { Json } from '@platform-sync/core/model/value';
import type { World } from '@platform-sync/core/model/world';
import type { HttpClient } from './http/client.js';
import { sleep, type WaitListener, worldOf } from './http/clock.js';
import { BadAnswer, isJson, readBody } from './http/json.js';
import { type ListRequest, readList, type ReadList, UnsteadyList } from './http/list-reader.js';
import { type Query, withQuery } from './http/path.js';
import type { InvalidParameter } from './http/problem.js';
import type { Method } from './http/retry.js';
import { type HttpAnswer, HttpFailure } from './http/transport.js';

// Words for what went wrong; most runs need none.
const words = (): Promise<typeof Words> => import('./http/errors.js');

export interface Call extends CallOptions {
  readonly method: Method;
  /** Filled in and encoded, without query. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: Json;
  /** Which of the provider's hosts; default: the one its settings name. */
  readonly host?: string | undefined;
  /** How an answer shows that what is asked for does not exist. */
  readonly absence?: AbsenceRule | undefined;
  /** Catalogue path of a refused wire field. */
  readonly fieldOf?: (parameter: InvalidParameter) => string | undefined;
}

/** Address of one host: `origin` plus a path prefix without trailing slash. */
export interface Base {
  readonly origin: string;
  readonly prefix: string;
}

type Headers = Readonly<Record<string, string>>;

/** What a provider knows of its own service and the calls don't. */
export interface Connection {
  readonly http: HttpClient;
  readonly base: (host?: string) => Base;
  /** All headers of a call, credentials among them. Rejects with a configuration error when there are none. */
  readonly headers: (call: Call, base: Base) => Headers | Promise<Headers>;
  /** What to do about a failure of that kind, where there is something to say. */
  readonly hintFor?: (kind: ProviderErrorKind) => string | undefined;
  readonly redactor?: Redactor | undefined;
  /** Told of what went wrong without failing a call. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
  /** Told of waits between calls. */
  readonly onWait?: WaitListener | undefined;
  readonly world?: World | undefined;
}

type GetCall = Omit<Call, 'method'>;

/** What was read of answers, by digests of all that counts in them; see `KnownPages`. */
interface KnownReadings<T> {
  readonly known: (digest: string) => T | undefined;
  readonly decoded: (digest: string, read: T) => void;
}

/** For whom an answer counts. */
export interface Sharing {
  /** All who name the same one may have one answer. */
  readonly with: object;
  /** It counts for all who ask; else for the first one alone, if it was asked for ahead. */
  readonly isForAll: boolean;
}

/** Calls to one service: right host, right headers, failures as ProviderError. */
export class Session {
  readonly #connection: Connection;
  readonly #redact: (text: string) => string;
  readonly #warned = new Set<string>();
  readonly #answers = new WeakMap<object, Map<string, Promise<HttpAnswer>>>();
  /** Looks for objects by their keys. */
  readonly looks = new Shared();

  constructor(connection: Connection) {
    this.#connection = connection;
    const redactor = connection.redactor ?? new Redactor();
    this.#redact = (text) => redactor.text(text);
  }

  /** The JSON of a successful answer; undefined when its body is empty or no JSON (which is right for DELETE). */
  async call(call: Call): Promise<Json | undefined> {
    const info = this.#info(call);
    const answer = await this.#judged(info, this.#send(call, info));
    const body = readBody(answer.text);
    if (typeof body === 'object') return body.json;
    // After a write the caller can still look for itself.
    if (call.method === 'GET') throw (await words()).unexpectedAnswer(answer, info, body);
    return undefined;
  }

  /** What `read` makes of the answer to a GET. An answer of another kind, or one that `read` calls wrong, is an error. */
  async get<T>(
    call: GetCall,
    read: (body: Json, headers: HttpAnswer['headers']) => T | BadAnswer,
    { sharing, known }: { readonly sharing?: Sharing | undefined; readonly known?: KnownReadings<T> | undefined } = {},
  ): Promise<T> {
    const whole: Call = { ...call, method: 'GET' };
    const info = this.#info(whole);
    const answer = await this.#judged(
      info,
      sharing === undefined ? this.#send(whole, info) : this.#shared(whole, info, sharing),
    );
    const digest = known === undefined || !isJson(answer.headers) ? '' : answerDigest(answer);
    const before = digest === '' ? undefined : known?.known(digest);
    if (before !== undefined) return before;
    const body = isJson(answer.headers) ? readBody(answer.text) : 'no JSON';
    const result = typeof body === 'string' ? new BadAnswer(body) : read(body.json, answer.headers);
    if (result instanceof BadAnswer) throw (await words()).unexpectedAnswer(answer, info, result.holds);
    if (digest !== '') known?.decoded(digest, result);
    return result;
  }

  /**
   * Sends a GET before anybody asks for it; the answer waits, as it came, for the first who asks the same with this `together`.
   * Resolves when it is there, whatever it is.
   */
  async ahead(call: GetCall, together: object): Promise<void> {
    const whole: Call = { ...call, method: 'GET' };
    const sharing: Sharing = { with: together, isForAll: true };
    try {
      await this.#shared(whole, this.#info(whole), sharing);
    } catch {
      // Whoever asks hears of it.
    }
  }

  #shared(call: Call, info: CallInfo, sharing: Sharing): Promise<HttpAnswer> {
    const answers = this.#answers.get(sharing.with) ?? new Map<string, Promise<HttpAnswer>>();
    this.#answers.set(sharing.with, answers);
    const key = JSON.stringify([call.host, call.path, call.query]);
    const answer = answers.get(key) ?? this.#send(call, info);
    if (sharing.isForAll) answers.set(key, answer);
    else answers.delete(key);
    return answer;
  }

  /** Undefined for an object that the platform proves not to exist, in the way the call names; any other 404 is an error. */
  async ifThere<T>(call: Call, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'not-found') throw error;
      if (error.absence !== undefined && error.absence === call.absence) return undefined;
      throw (await words()).noProof(error, this.#info(call));
    }
  }

  /** Reads a list to its end; see `readList`. */
  list<T>(call: GetCall, request: ListRequest<T>): Promise<ReadList<T>> {
    return this.#listed(call, readList(request));
  }

  #listed<T>(call: GetCall, reading: Promise<ReadList<T>>): Promise<ReadList<T>> {
    return reading.then(
      (list) => {
        const { rest } = list;
        return rest === undefined ? list : { ...list, rest: () => this.#listed(call, rest()) };
      },
      async (error: unknown) => {
        if (!(error instanceof UnsteadyList)) throw error;
        throw (await words()).unsteadyList(this.#info({ ...call, method: 'GET' }), error);
      },
    );
  }

  /** The error for a create whose answer did not say what was made. */
  async withoutId(call: Call): Promise<ProviderError> {
    const answer: HttpAnswer = { status: 200, headers: {}, text: '' };
    return (await words()).unexpectedAnswer(answer, this.#info(call), 'no id');
  }

  /** A warning that is told for each answer that gives a reason for it, but once. */
  warnOnce(diagnostic: Diagnostic): void {
    if (this.#warned.has(diagnostic.summary)) return;
    this.#warned.add(diagnostic.summary);
    this.warn(diagnostic);
  }

  warn(diagnostic: Diagnostic): void {
    this.#connection.onDiagnostic?.(diagnostic);
  }

  /** Rejects with AbortError as soon as the signal fires. */
  async wait(ms: number, reason: string, signal?: AbortSignal): Promise<void> {
    this.#connection.onWait?.({ ms, reason });
    await sleep(worldOf(this.#connection), ms, signal);
  }

  /** The answer, if it is one of success. What else came is told in the words of whoever asks, when they ask. */
  #judged(info: CallInfo, sent: Promise<HttpAnswer>): Promise<HttpAnswer> {
    return sent.then(
      async (answer) => {
        if (answer.status >= 200 && answer.status < 300) return answer;
        throw (await words()).answerError(answer, info);
      },
      async (error: unknown) => {
        throw error instanceof HttpFailure ? (await words()).failureError(error, info) : error;
      },
    );
  }

  #send(call: Call, info: CallInfo): Promise<HttpAnswer> {
    const { http, base, headers } = this.#connection;
    const to = base(call.host);
    const send = (given: Headers): Promise<HttpAnswer> =>
      http.send({
        method: call.method,
        origin: to.origin,
        path: withQuery(info.path, call.query ?? []),
        headers: given,
        body: call.body === undefined ? undefined : JSON.stringify(call.body),
        signal: call.signal,
        whileWaiting: call.whileWaiting,
        atTurn: call.atTurn,
        mayLeave: call.mayLeave,
      });
    const known = headers(call, to);
    return known instanceof Promise ? known.then(send) : send(known);
  }

  #info(call: Call): CallInfo {
    const { base, hintFor } = this.#connection;
    const { origin, prefix } = base(call.host);
    return {
      method: call.method,
      origin,
      path: prefix + call.path,
      hintFor,
      redact: this.#redact,
      fieldOf: call.fieldOf,
      absent: typeof call.absence === 'object' ? call.absence : undefined,
    };
  }
}

/** Of the text, of which all is made that an answer says but the address of a next page. */
function answerDigest({ headers, text }: HttpAnswer): string {
  return hash('sha256', headers['link'] === undefined ? text : `${JSON.stringify(headers['link'])}\n${text}`, 'base64');
}

interface Asked {
  readonly signal: AbortSignal | undefined;
  readonly answer: Promise<unknown>;
}

/**
 * One call for all who ask the same thing while it is asked already: they share the next one, which begins after they asked,
 * so that nobody gets an answer that is older than the question.
 */
export class Shared {
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Asked>();

  /** `key` names the call: equal keys must mean equal calls. Only those who can be called off together share one. */
  ask<T>(key: string, signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
    const next = this.#next.get(key);
    if (next !== undefined) return next.signal === signal ? (next.answer as Promise<T>) : call();
    const running = this.#running.get(key);
    if (running === undefined) return this.#run(key, call);
    const answer = running
      .catch(() => undefined)
      .then(() => {
        this.#next.delete(key);
        return this.#run(key, call);
      });
    this.#next.set(key, { signal, answer });
    return answer;
  }

  #run<T>(key: string, call: () => Promise<T>): Promise<T> {
    const answer = call();
    const ended = answer
      .catch(() => undefined)
      .then(() => {
        if (this.#running.get(key) === ended) this.#running.delete(key);
      });
    this.#running.set(key, ended);
    return answer;
  }
}
