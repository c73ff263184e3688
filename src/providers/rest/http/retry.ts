export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** How one attempt ended without a usable answer. */
export type FailureKind =
  /** The request never left: refused, no route, unknown host, connect time-out. */
  | 'not-sent'
  /** The server's certificate was not accepted; trying again changes nothing. */
  | 'certificate'
  /** The connection broke after sending. */
  | 'reset'
  | 'timed-out'
  /** Bytes came that are no HTTP, or more of them than is sane. */
  | 'garbled';

/** Times an attempt may be repeated, refusals (429) aside: those are bounded by the deadline alone. */
export const maxRepeats = 4;

/** Statuses after which a request that changes nothing twice may be sent again. */
const passing = new Set([408, 500, 502, 503, 504]);

/**
 * May a request with this method be sent again although the first may have been carried out? GET, PUT and DELETE by
 * their nature; PATCH because the bodies sent here state values, never increments, so that twice is the same as once. A POST
 * would make a second object.
 */
function isRepeatable(method: Method): boolean {
  return method !== 'POST';
}

/** True when an answer with this status is worth another attempt. 429 is the gate's matter. */
export function repeatsAfterStatus(method: Method, status: number): boolean {
  return passing.has(status) && isRepeatable(method);
}

export function repeatsAfterFailure(method: Method, kind: FailureKind): boolean {
  if (kind === 'certificate') return false;
  return kind === 'not-sent' || isRepeatable(method);
}

/** True when the platform may have carried out a request that ended so. */
export function mayHaveHappened(method: Method, end: FailureKind | number): boolean {
  if (method === 'GET') return false;
  if (typeof end === 'number') return end === 408 || end >= 500;
  return end !== 'not-sent' && end !== 'certificate';
}

/** Milliseconds before attempt `nth` (1 = first repeat): 500 doubled each time, at most 30 s, ± 25 %. */
export function backoffMs(nth: number, random: () => number): number {
  const base = Math.min(30_000, 500 * 2 ** (nth - 1));
  return Math.round(base * (0.75 + random() * 0.5));
}

/** `Retry-After` in milliseconds: seconds or an HTTP date (RFC 9110 §10.2.3). Undefined when it is neither. */
export function retryAfterMs(header: string | readonly string[] | undefined, now: number): number | undefined {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // Date.parse takes far more than HTTP dates ("-5" is a year): all three HTTP forms begin with a weekday.
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
