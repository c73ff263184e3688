import { ProviderError, type ProviderErrorKind } from '../../../engine/model/provider.js';
import type { Json } from '../../../engine/model/value.js';
import type { HttpClient } from '../../http/client.js';
import { answerError, failureError, unexpectedAnswer, type CallInfo } from '../../http/errors.js';
import { parseJson } from '../../http/json.js';
import { withQuery, type Query } from '../../http/path.js';
import type { InvalidParameter } from '../../http/problem.js';
import type { Method } from '../../http/retry.js';
import { HttpFailure, type HttpAnswer, type HttpRequest } from '../../http/transport.js';
import { redactor, type Credential } from '../credentials.js';
import { configurationError, tokenHint } from '../errors.js';
import { hostHint, mayCarryToken, type Base, type HostFamily, type Hosts } from '../hosts.js';
import { mediaTypes } from '../wire.js';

export interface Call {
  readonly method: Method;
  /** Filled in and encoded, without query. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: Json;
  /** Default `regional`. */
  readonly family?: HostFamily;
  /** Catalogue path of a refused wire field. */
  readonly fieldOf?: (parameter: InvalidParameter) => string | undefined;
  readonly signal?: AbortSignal;
}

export interface SessionOptions {
  readonly http: HttpClient;
  readonly hosts: Hosts;
  readonly credential: Credential | undefined;
  readonly userAgent: string;
}

/** Calls to the platform: right host, right headers, failures as ProviderError. */
export class Session {
  readonly #options: SessionOptions;
  readonly #redact: (text: string) => string;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#redact = redactor(options.credential);
  }

  /** The JSON of a successful answer; undefined when its body is empty or no JSON (which is right for DELETE). */
  async call(call: Call): Promise<Json | undefined> {
    const base = this.#options.hosts.base(call.family ?? 'regional');
    const info = this.#info(call, base);
    const answer = await this.#send(call, base, info);
    if (answer.status < 200 || answer.status >= 300) throw answerError(answer, info);
    const body = parseJson(answer.text);
    // After a write the caller can still look for itself.
    if (body === undefined && call.method === 'GET') throw unexpectedAnswer(answer, info, 'no JSON');
    return body;
  }

  /** Like `call`, but undefined for an object that does not exist. */
  async callIfThere(call: Call): Promise<Json | undefined> {
    try {
      return await this.call(call);
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'not-found') return undefined;
      throw error;
    }
  }

  /** The error for a create whose answer did not say what was made. */
  withoutId(call: Call): ProviderError {
    const answer: HttpAnswer = { status: 200, headers: {}, text: '' };
    return unexpectedAnswer(answer, this.#info(call, this.#options.hosts.base('regional')), 'no id');
  }

  async #send(call: Call, base: Base, info: CallInfo): Promise<HttpAnswer> {
    const request: HttpRequest = {
      method: call.method,
      origin: base.origin,
      path: withQuery(info.path, call.query ?? []),
      headers: this.#headers(call, base),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
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
      redact: this.#redact,
      ...(call.fieldOf === undefined ? {} : { fieldOf: call.fieldOf }),
    };
  }
}
