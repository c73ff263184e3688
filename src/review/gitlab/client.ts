import type { MergeRequestNotes } from '@gitbeaker/rest';
import { type Expected, understood } from '../answer.js';
import type { Patience } from '../patience.js';
import { answerError, ReviewError } from '../review-error.js';
import type { ReviewProject } from '../review-request.js';
import { boundedFetch } from '@platform-sync/core/model/bounded-answer';
import { defined, type Json } from '@platform-sync/core/model/value';
import { readJson, TooDeepError } from '@platform-sync/core/model/read-json';

const timeoutMs = 30_000;

export type ClientOptions = ConstructorParameters<typeof MergeRequestNotes>[0];

/** Asks the client, and gives what was expected. */
export async function ask<T>(expected: Expected, work: () => Promise<T>): Promise<T> {
  const answer = await work().catch((error: unknown) => {
    // Its calls are sent by us: any other error of the client is one of reading the answer.
    throw error instanceof ReviewError ? error : new ReviewError('unusable', 'it could not be read');
  });
  return understood(answer, expected);
}

/** What every resource of the client is made with. */
export function clientOptions(project: ReviewProject, patience: Patience): ClientOptions {
  return {
    host: project.apiUrl.replace(/\/api\/v4$/, ''),
    token: project.token ?? '',
    queryTimeout: timeoutMs,
    requesterFn: (service: Parameters<typeof onceOnly>[0]) => onceOnly(service, patience.now),
  };
}

type Requester = MergeRequestNotes['requester'];
type Options = NonNullable<Parameters<Requester['get']>[1]>;
type Answer = Awaited<ReturnType<Requester['get']>>;

/** What the client tells of itself to whoever sends its requests. */
interface Service {
  readonly url: string;
  readonly authHeaders: Readonly<Record<string, () => Promise<string>>>;
}

/**
 * Sends the client's requests once each. Its own sender repeats every failed call at once, writes included: a comment
 * could be made twice, and a limit that asks for a pause would be run into ten times more.
 */
export function onceOnly(service: Service, now: () => number): Requester {
  const sender =
    (method: string) =>
    <T>(endpoint: string, options: Options = {}): Promise<T> =>
      send(service, method, endpoint, options, now) as Promise<T>;
  return {
    get: sender('GET'),
    post: sender('POST'),
    put: sender('PUT'),
    patch: sender('PATCH'),
    delete: sender('DELETE'),
  };
}

async function send(
  service: Service,
  method: string,
  endpoint: string,
  { body, searchParams, signal }: Options,
  now: () => number,
): Promise<Answer> {
  const url = new URL(endpoint, `${service.url.replace(/\/+$/, '')}/`);
  for (const [name, value] of Object.entries(searchParams ?? {}))
    if (value !== undefined) url.searchParams.set(snakeCase(name), String(value));
  const headers: Record<string, string> = { 'user-agent': 'platform-sync' };
  for (const [name, value] of Object.entries(service.authHeaders)) headers[name] = await value();
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await boundedFetch(url, {
    method,
    headers,
    // The token's header is none that a redirect to another host would drop.
    redirect: 'error',
    ...defined({ body: body && JSON.stringify(snakeCased(body)), signal }),
  }).catch((error: unknown) => {
    throw new ReviewError('unreachable', reasonOf(error));
  });
  const text = await response.text().catch((error: unknown) => {
    throw new ReviewError('unreachable', reasonOf(error));
  });
  if (!response.ok)
    throw answerError(response.status, (name) => response.headers.get(name) ?? undefined, wordsOf(text), now());
  return {
    body: bodyOf(text) as Answer['body'],
    headers: Object.fromEntries(response.headers),
    status: response.status,
  };
}

/** Names of parameters are the client's, values the caller's: only the first level is renamed, and that of each thing in a list. */
function snakeCased(body: object): object {
  const inner = (value: unknown): unknown => (typeof value === 'object' && value !== null ? snakeNames(value) : value);
  return snakeNames(body, (value) => (Array.isArray(value) ? value.map(inner) : value));
}

function snakeNames(body: object, kept: (value: unknown) => unknown = (value) => value): object {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [snakeCase(name), kept(value)]));
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as { readonly message: string; readonly cause?: { readonly message?: string } };
  return cause?.message ?? message;
}

/** `{"message": …}` or `{"error": …}`; else nothing: an error page is no message. */
function wordsOf(text: string): string {
  const { message, error } = (jsonOf(text) ?? {}) as { readonly message?: unknown; readonly error?: unknown };
  const words = message ?? error ?? '';
  return typeof words === 'string' ? words : JSON.stringify(words);
}

function bodyOf(text: string): Json {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof TooDeepError) throw new ReviewError('unusable', error.message);
    return null;
  }
}

/** Null for what is no JSON, or can't be used. */
function jsonOf(text: string): Json {
  try {
    return readJson(text);
  } catch {
    return null;
  }
}
