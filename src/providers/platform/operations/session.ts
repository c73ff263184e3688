import { ProviderError, type CallOptions, type ProviderErrorKind } from '../../../engine/model/provider.js';
import { Redactor } from '../../../engine/model/redactor.js';
import type { AbsenceRule } from '../../../engine/model/resource-type.js';
import type { Json } from '../../../engine/model/value.js';
import type { HttpClient } from '../../http/client.js';
import {
  answerError,
  failureError,
  noProof,
  unexpectedAnswer,
  unsteadyList,
  type CallInfo,
} from '../../http/errors.js';
import { isJson, readBody } from '../../http/json.js';
import { readList, UnsteadyList, type ListRequest, type ReadList } from '../../http/list-reader.js';
import { withQuery, type Query } from '../../http/path.js';
import type { InvalidParameter } from '../../http/problem.js';
import type { Method } from '../../http/retry.js';
import { Shared } from '../../http/shared.js';
import { HttpFailure, type HttpAnswer, type HttpRequest } from '../../http/transport.js';
import { Wrong } from '../../http/wrong.js';
import type { Credential } from '../credentials.js';
import { configurationError, tokenHint } from '../errors.js';
import { hostHint, mayCarryToken, type Base, type HostFamily, type Hosts } from '../hosts.js';
import { mediaTypes } from '../wire.js';

export interface Call extends CallOptions {
  readonly method: Method;
  /** Filled in and encoded, without query. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: Json;
  /** Default `regional`. */
  readonly family?: HostFamily;
  /** Catalogue path of a refused wire field. */
  readonly fieldOf?: (parameter: InvalidParameter) => string | undefined;
}

export interface SessionOptions {
  readonly http: HttpClient;
  readonly hosts: Hosts;
  readonly credential: Credential | undefined;
  readonly userAgent: string;
  readonly redactor?: Redactor | undefined;
}

/** Calls to the platform: right host, right headers, failures as ProviderError. */
export class Session {
  readonly #options: SessionOptions;
  readonly #redactor: Redactor;
  /** Looks for objects by their keys. */
  readonly looks = new Shared();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#redactor = options.redactor ?? new Redactor();
    if (options.credential !== undefined) this.#redactor.add(options.credential.header.replace(/^bearer\s+/i, ''));
  }

  /** The JSON of a successful answer; undefined when its body is empty or no JSON (which is right for DELETE). */
  async call(call: Call): Promise<Json | undefined> {
    const { answer, info } = await this.#answer(call);
    const body = readBody(answer.text);
    if (typeof body === 'object') return body.json;
    // After a write the caller can still look for itself.
    if (call.method === 'GET') throw unexpectedAnswer(answer, info, body);
    return undefined;
  }

  /** What `read` makes of the answer to a GET. An answer of another kind, or one that `read` calls wrong, is an error. */
  async get<T>(call: Omit<Call, 'method'>, read: (body: Json) => T | Wrong): Promise<T> {
    const { answer, info } = await this.#answer({ ...call, method: 'GET' });
    const body = isJson(answer.headers) ? readBody(answer.text) : 'no JSON';
    const result = typeof body === 'string' ? new Wrong(body) : read(body.json);
    if (result instanceof Wrong) throw unexpectedAnswer(answer, info, result.holds);
    return result;
  }

  /** Undefined for an object that the platform proves not to exist, in the way its type names; any other 404 is an error. */
  async ifThere<T>(call: Call, absence: AbsenceRule | undefined, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'not-found') throw error;
      if (error.absence !== undefined && error.absence === absence) return undefined;
      throw noProof(error, this.#info(call, this.#options.hosts.base(call.family ?? 'regional')));
    }
  }

  /** Reads a list to its end; see `readList`. */
  async list<T>(call: Omit<Call, 'method'>, request: ListRequest<T>): Promise<ReadList<T>> {
    try {
      return await readList(request);
    } catch (error) {
      if (!(error instanceof UnsteadyList)) throw error;
      throw unsteadyList(
        this.#info({ ...call, method: 'GET' }, this.#options.hosts.base(call.family ?? 'regional')),
        error.message,
      );
    }
  }

  /** The error for a create whose answer did not say what was made. */
  withoutId(call: Call): ProviderError {
    const answer: HttpAnswer = { status: 200, headers: {}, text: '' };
    return unexpectedAnswer(answer, this.#info(call, this.#options.hosts.base('regional')), 'no id');
  }

  async #answer(call: Call): Promise<{ readonly answer: HttpAnswer; readonly info: CallInfo }> {
    const base = this.#options.hosts.base(call.family ?? 'regional');
    const info = this.#info(call, base);
    const answer = await this.#send(call, base, info);
    if (answer.status < 200 || answer.status >= 300) throw answerError(answer, info);
    return { answer, info };
  }

  async #send(call: Call, base: Base, info: CallInfo): Promise<HttpAnswer> {
    const request: HttpRequest = {
      method: call.method,
      origin: base.origin,
      path: withQuery(info.path, call.query ?? []),
      headers: this.#headers(call, base),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
      ...(call.whileWaiting === undefined ? {} : { whileWaiting: call.whileWaiting }),
    };
    try {
      return await this.#options.http.send(request);
    } catch (error) {
      throw error instanceof HttpFailure ? failureError(error, info) : error;
    }
  }

  #headers(call: Call, base: Base): Record<string, string> {
    const headers: Record<string, string> = { accept: mediaTypes.answer, 'user-agent': this.#options.userAgent };
    if (call.body !== undefined) headers['content-type'] = mediaTypes.request;
    if (call.family === 'address-list') return headers;
    const { credential, hosts } = this.#options;
    if (credential === undefined) {
      throw configurationError(
        'missing-token',
        'No token for the platform is configured.',
        'Set PLATFORM_TOKEN or PLATFORM_SPAT.',
      );
    }
    if (mayCarryToken(base, hosts)) headers.authorization = credential.header;
    return headers;
  }

  #info(call: Call, base: Base): CallInfo {
    const { credential, hosts } = this.#options;
    const hintFor = (kind: ProviderErrorKind): string | undefined =>
      tokenHint(kind, credential) ?? hostHint(kind, hosts);
    return {
      method: call.method,
      origin: base.origin,
      path: base.prefix + call.path,
      hintFor,
      redact: (text) => this.#redactor.text(text),
      ...(call.fieldOf === undefined ? {} : { fieldOf: call.fieldOf }),
    };
  }
}
