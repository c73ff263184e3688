import type { CallOptions } from '@platform-sync/core/model/provider';
import { type Fence, NotSentError } from '@platform-sync/core/model/state-store';
import { abortError, type Clock, onAbort } from './clock.js';
import { Exchange, type HttpAnswer } from './exchange.js';
import type { FailureKind, Method } from './retry.js';
import type { Dispatcher } from 'undici';
import { proxiesOf, readClientCertificate } from './network.js';

export type { HttpAnswer } from './exchange.js';

export interface HttpRequest {
  readonly method: Method;
  /** Scheme, host and port: `https://eu.api.example.com`. */
  readonly origin: string;
  /** Path and query, already encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Put around a wait before another attempt. */
  readonly whileWaiting?: CallOptions['whileWaiting'];
  /** What the caller of a write does when its turn has come. */
  readonly atTurn?: CallOptions['atTurn'];
  /** Whether a write may leave now, as its caller sees it. */
  readonly mayLeave?: CallOptions['mayLeave'];
  /** For a write: whether it may leave, and when it is cut off. */
  readonly fence?: Fence | undefined;
}

/** No usable answer. `code` is the runtime's own error code, for people. */
export class HttpFailure extends Error {
  readonly kind: FailureKind;
  readonly code: string;
  constructor(kind: FailureKind, code: string) {
    super(`${kind} (${code})`);
    this.name = 'HttpFailure';
    this.kind = kind;
    this.code = code;
  }
}

export interface TransportLimits {
  /** Until a connection stands. */
  readonly connectMs: number;
  /** Until the whole answer is there. */
  readonly attemptMs: number;
  readonly maxAnswerBytes: number;
}

/** Opens what carries requests to one origin. */
export type Connect = typeof openConnections;

/** What a transport takes of the world around it. */
interface Surroundings extends Pick<Clock, 'after'> {
  readonly connect?: Connect | undefined;
}

/** One keep-alive pool an origin; undici is loaded with the first request. */
export class Transport {
  readonly #connections: number;
  readonly #limits: TransportLimits;
  readonly #after: Clock['after'];
  readonly #connect: Connect;
  readonly #pools = new Map<string, Promise<Connections>>();
  /** Those of them that are there. */
  readonly #open = new Map<string, Connections>();

  constructor(connections: number, limits: TransportLimits, { after, connect = openConnections }: Surroundings) {
    this.#connections = connections;
    this.#limits = limits;
    this.#after = after;
    this.#connect = connect;
  }

  /**
   * One attempt. Rejects with HttpFailure; with AbortError when the request's signal fired or its fence cut it off; with
   * NotSentError when the fence did not let it leave.
   */
  async attempt(request: HttpRequest): Promise<HttpAnswer> {
    const { signal, fence, mayLeave } = request;
    if (signal !== undefined && isFired(signal)) throw abortError(signal);
    const pool = this.#open.get(request.origin) ?? (await this.#pool(request.origin));
    const exchange = new Exchange(() => (fence?.mayWrite() ?? true) && (mayLeave?.() ?? true));
    let timedOut = false;
    const forgetTimer = this.#after(this.#limits.attemptMs, () => {
      timedOut = true;
      exchange.end(ended());
    });
    const forget = onAbort(signal, () => exchange.end(ended()));
    const forgetCut = onAbort(fence?.cut, () => exchange.end(ended()));
    try {
      const { origin, method, path, headers, body = null } = request;
      pool.dispatch({ origin, method, path, headers, body }, exchange);
      return await exchange.answer;
    } catch (error) {
      if (error instanceof NotSentError) throw error;
      if (fence !== undefined && isFired(fence.cut)) throw abortError(fence.cut);
      if (signal !== undefined && isFired(signal)) throw abortError(signal);
      throw timedOut ? new HttpFailure('timed-out', `no answer within ${this.#limits.attemptMs} ms`) : failureOf(error);
    } finally {
      forgetTimer();
      forget();
      forgetCut();
    }
  }

  async close(): Promise<void> {
    const pools = await Promise.allSettled(this.#pools.values());
    this.#pools.clear();
    this.#open.clear();
    await Promise.all(pools.map((pool) => (pool.status === 'fulfilled' ? pool.value.destroy() : undefined)));
  }

  async #pool(origin: string): Promise<Connections> {
    const { connectMs, maxAnswerBytes } = this.#limits;
    const made =
      this.#pools.get(origin) ?? this.#connect(origin, { connections: this.#connections, connectMs, maxAnswerBytes });
    this.#pools.set(origin, made);
    const pool = await made;
    if (this.#pools.get(origin) === made) this.#open.set(origin, pool);
    return pool;
  }
}

/** The word of this side for an end that it has made; why it did is known to whoever made it. */
function ended(): Error {
  return new DOMException('the request was cancelled', 'AbortError');
}

// A function, because the compiler takes `aborted` for constant between two looks.
function isFired(signal: AbortSignal): boolean {
  return signal?.aborted === true;
}

const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** undici's and Node's error codes, sorted by what they say about the request. */
function failureOf(error: unknown): HttpFailure {
  const { code, syscall } = codeOf(error);
  const refusal = proxyRefusal(error);
  if (refusal !== undefined) return new HttpFailure('not-sent', refusal);
  if (neverSent.has(code) || syscall === 'connect') return new HttpFailure('not-sent', code);
  if (/^(CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code))
    return new HttpFailure('certificate', code);
  if (/^HPE_/.test(code) || code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || code === 'UND_ERR_HEADERS_OVERFLOW')
    return new HttpFailure('garbled', code);
  return new HttpFailure('reset', code);
}

/** No tunnel, no request: what a proxy that was asked for one has answered, if it was not yes. */
function proxyRefusal(error: unknown): string | undefined {
  const status = error instanceof Error ? /^Proxy response \((\d+)\)/.exec(error.message)?.[1] : undefined;
  return status === undefined ? undefined : `the proxy answered ${status}`;
}

function codeOf(error: unknown): { readonly code: string; readonly syscall?: unknown } {
  if (!(error instanceof Error)) return { code: 'unknown' };
  const code: unknown = Reflect.get(error, 'code');
  return { code: typeof code === 'string' ? code : error.name, syscall: Reflect.get(error, 'syscall') };
}

/** What carries requests to one origin: a pool of connections, through a proxy or not. */
interface Connections {
  /** Sends one request; the handler is told what becomes of it. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean;
  destroy(): Promise<void>;
}

interface ConnectionOptions {
  readonly connections: number;
  readonly connectMs: number;
  readonly maxAnswerBytes: number;
}

/** Opens the line to an origin as the environment of this process says. */
async function openConnections(origin: string, options: ConnectionOptions): Promise<Connections> {
  const certificate = await readClientCertificate(process.env);
  const proxies = proxiesOf(process.env);
  const connect = { timeout: options.connectMs, ...certificate };
  const settings = {
    connections: options.connections,
    connect,
    // The caller's own timer covers the whole attempt; undici's would only cover parts of it.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: options.maxAnswerBytes,
  };
  if (proxies === undefined) return (await import('./direct-connections.js')).directConnections(origin, settings);
  // The default export: a bundler gives a CommonJS package no other.
  const { default: undici } = await import('undici');
  return new undici.EnvHttpProxyAgent({ ...settings, ...proxies, requestTls: connect });
}
