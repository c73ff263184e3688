import type { Json } from './json.js';
import type { Family } from './problem-style.js';

export type Query = Readonly<Record<string, string | readonly string[]>>;

/** What a route sees of a request. */
export interface Call {
  /** A path parameter; every one named in the route's path is there. */
  param(name: string): string;
  readonly query: Query;
  /** Parsed JSON or form, undefined without a body. */
  readonly body: unknown;
  header(name: string): string | undefined;
  /** The id that a new object gets: of seeds alone, since nobody else chooses one. */
  readonly id?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body?: Json | Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One operation. Routes are plain functions of the world and a call; only the server knows fastify. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With `{name}` for parameters, as the traffic report shows it. */
  readonly path: string;
  /** `cloud` words its errors as the cloud vendor does. */
  readonly family: Family | 'cloud';
  /** Answers without a token too. */
  readonly open?: boolean;
  /** Verb of the cloud style, part of the last segment after a colon (`…/{name}:getIamPolicy`). */
  readonly verb?: string;
  readonly handle: (call: Call) => Answer;
}

export function ok(body: NonNullable<Answer['body']>): Answer {
  return { status: 200, body };
}

export const noContent: Answer = { status: 204 };
