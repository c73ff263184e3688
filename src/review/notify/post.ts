import { repeated } from '@platform-sync/core/model/attempts';
import { beginningOf } from '@platform-sync/core/model/bounded-answer';
import { realWorld, timeLimit } from '@platform-sync/core/model/world';

/** Where to post, and how patiently. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** One attempt may take this long, milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
  /** Between attempts, milliseconds. Default 1 s and 4 s: three attempts. */
  readonly pausesMs?: readonly number[];
  /** Statuses after which it is sent again; default: 429 and every 5xx. */
  readonly passing?: (status: number) => boolean;
}

type Posted =
  | { readonly taken: true; /** The answer's body, its beginning at least. */ readonly answer: string }
  /** A clause about the receiver that quotes neither address nor header: both may let anybody post. */
  | { readonly taken: false; readonly why: string };

const defaultTimeoutMs = 10_000;
const defaultPausesMs = [1000, 4000];
// Longer than this nobody should wait for a message about a check that is done.
const longestWaitMs = 30_000;
const longestAnswer = 10_000;

/** Posts a body of JSON, again after what may pass. Never rejects. */
export async function post(target: Target, body: string): Promise<Posted> {
  const pauses = target.pausesMs ?? defaultPausesMs;
  const rules = {
    most: pauses.length + 1,
    mayWait: (ms: number) => ms <= longestWaitMs,
    wait: (ms: number) => realWorld.sleep(ms),
  };
  return repeated<Posted>(rules, async (_nth, faults) => {
    const result = await postOnce(target, body);
    if (result.taken) return { kind: 'final', give: () => result };
    const { why, again, retryAfterMs = 0 } = result;
    const give = (): Posted => ({ taken: false, why });
    return again
      ? { kind: 'again', give, why, ms: Math.max(pauses[faults] ?? 0, retryAfterMs) }
      : { kind: 'final', give };
  });
}

interface Refused {
  readonly taken: false;
  readonly why: string;
  readonly again: boolean;
  readonly retryAfterMs?: number;
}

async function postOnce(target: Target, body: string): Promise<Extract<Posted, { taken: true }> | Refused> {
  try {
    const response = await fetch(target.url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json; charset=utf-8', ...target.headers },
      // Following would hand message and headers to somebody else.
      redirect: 'manual',
      signal: timeLimit(target.timeoutMs ?? defaultTimeoutMs),
    });
    if (response.ok) return { taken: true, answer: await beginningOf(response, longestAnswer) };
    await response.body?.cancel();
    const again = (target.passing ?? isPassing)(response.status);
    const after = response.headers.get('retry-after') ?? '';
    return {
      ...{ taken: false, why: `it answered with status ${response.status}`, again },
      ...(/^\d{1,9}$/.test(after) ? { retryAfterMs: Number(after) * 1000 } : {}),
    };
  } catch (error) {
    // The error's own words may quote the address.
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return { taken: false, why: isLate ? 'it did not answer in time' : 'it could not be reached', again: true };
  }
}

function isPassing(status: number): boolean {
  return status >= 500 || status === 429;
}
