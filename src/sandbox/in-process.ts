import { makePlatform, type Platform, type PlatformOptions } from './platform.js';
import { invalid, notFound } from './problem.js';
import { refusal } from './refusal.js';
import type { Answer, Query } from './route.js';
import { routerOf } from './router.js';

export interface SandboxRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or nothing. */
  readonly body?: string;
}

interface SandboxResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or nothing. */
  readonly body: string;
}

interface InProcessSandbox {
  readonly world: Platform['world'];
  handle(request: SandboxRequest): SandboxResponse;
}

/**
 * The sandbox without a socket: the same calls give the same answers, byte for byte, when clock and ids do. It asks for no token
 * and strikes no faults: who holds both ends has that in hand.
 */
export function inProcessSandbox(options: PlatformOptions): InProcessSandbox {
  const parts = makePlatform(options);
  parts.fill();
  const find = routerOf([...parts.controls, ...parts.platform, ...parts.cloud]);
  const handle = ({ method, url, headers = {}, body = '' }: SandboxRequest): SandboxResponse => {
    const { pathname, searchParams } = new URL(url, 'http://sandbox');
    const found = find(method, pathname);
    try {
      if (found === undefined) throw notFound();
      const call = { query: queryOf(searchParams), body: parsed(body), header: (name: string) => headers[name] };
      return sent(found.route.handle({ ...call, param: found.param }));
    } catch (error) {
      const answer = refusal(error, found?.route.family ?? 'catalogue', parts.world.trace);
      if (answer === undefined) throw error;
      return sent(answer);
    }
  };
  return { world: parts.world, handle };
}

function sent({ status, body, headers = {} }: Answer): SandboxResponse {
  if (body === undefined) return { status, headers, body: '' };
  if (typeof body === 'string') return { status, headers, body };
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body),
  };
}

function parsed(body: string): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw invalid({ field: 'body', rule: 'invalid', reason: 'the body is not valid JSON', source: 'body' });
  }
}

function queryOf(parameters: URLSearchParams): Query {
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map((name): [string, string | readonly string[]] => {
      const [only = '', ...others] = parameters.getAll(name);
      return [name, others.length === 0 ? only : [only, ...others]];
    }),
  );
}
