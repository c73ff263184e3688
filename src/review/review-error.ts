import { defined } from '@platform-sync/core/model/value';

export type ReviewErrorKind =
  /** The token was not accepted. */
  | 'unauthenticated'
  /** The token may not do this. */
  | 'forbidden'
  /** Not there, or hidden from this token. */
  | 'not-found'
  | 'rate-limited'
  /** Somebody has closed the conversation to comments. */
  | 'locked'
  /** 5xx: a write may have been carried out all the same. */
  | 'unavailable'
  /** No answer: a write may have been carried out all the same. */
  | 'unreachable'
  /** An answer of another form than was asked for: a write may have been carried out all the same. The message says which. */
  | 'unusable'
  /** Anything else the server objects to. */
  | 'refused';

/** A call to the review platform failed. Holds no token. */
export class ReviewError extends Error {
  readonly kind: ReviewErrorKind;
  readonly status?: number;
  /** How long the server asks to wait. */
  readonly retryAfterMs?: number;

  constructor(kind: ReviewErrorKind, message: string, details: { status?: number; retryAfterMs?: number } = {}) {
    super(message);
    this.name = 'ReviewError';
    this.kind = kind;
    if (details.status !== undefined) this.status = details.status;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
  }
}

/** What an answer that is no success means. `header` looks one up by its lower-case name. */
export function answerError(
  status: number,
  header: (name: string) => string | undefined,
  message: string,
  now: number,
): ReviewError {
  const retryAfterMs = waitAsked(header, now);
  const text = message.split('\n')[0]?.slice(0, 200) ?? '';
  const isLimit = status === 403 && (retryAfterMs !== undefined || /rate limit|abuse detection/i.test(text));
  const wait = retryAfterMs ?? (isLimit ? quietMs : undefined);
  const kind = status === 429 || isLimit ? 'rate-limited' : kindOf(status, text);
  return new ReviewError(kind, text, { status, ...defined({ retryAfterMs: wait }) });
}

// A limit on bursts that names no time asks for a minute of silence.
const quietMs = 60_000;

function kindOf(status: number, text: string): ReviewErrorKind {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return /\blocked\b/i.test(text) ? 'locked' : 'forbidden';
  if (status === 404) return 'not-found';
  return status >= 500 ? 'unavailable' : 'refused';
}

/** Seconds, a date, or the moment when the allowance is filled up again. */
function waitAsked(header: (name: string) => string | undefined, now: number): number | undefined {
  const after = header('retry-after');
  if (after !== undefined) {
    const ms = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - now;
    return Number.isNaN(ms) ? undefined : Math.max(0, ms);
  }
  const reset = header('x-ratelimit-reset') ?? header('ratelimit-reset');
  const left = header('x-ratelimit-remaining') ?? header('ratelimit-remaining');
  return left === '0' && reset !== undefined ? Math.max(0, Number(reset) * 1000 - now) : undefined;
}

/** What the token may not see is not known: undefined. Anything else that goes wrong goes on. */
export async function unlessDenied<T>(ask: () => Promise<T>): Promise<T | undefined> {
  return ask().catch((error: unknown) => {
    if (error instanceof ReviewError && ['forbidden', 'not-found', 'refused'].includes(error.kind)) return undefined;
    throw error;
  });
}
