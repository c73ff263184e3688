import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Diagnostic } from '../engine/model/diagnostic.js';

export interface Webhook {
  readonly url: string;
  /** Key of the signature. */
  readonly secret?: string;
  readonly userAgent: string;
  /** One attempt may take this long, milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
  /** Between attempts, milliseconds. Default 1 s and 4 s: three attempts. */
  readonly pausesMs?: readonly number[];
}

const defaultTimeoutMs = 10_000;
const defaultPausesMs = [1000, 4000];

/**
 * Posts one message. Undefined when it was taken, else a warning that names the host only: the address itself lets
 * anybody post. With a key, `x-sync-signature-256` is `sha256=` and the HMAC-SHA256 of the body in hex.
 */
export async function postWebhook(webhook: Webhook, message: string): Promise<Diagnostic | undefined> {
  const pauses = webhook.pausesMs ?? defaultPausesMs;
  for (let attempt = 0; ; attempt += 1) {
    const trouble = await postOnce(webhook, message);
    if (trouble === undefined) return undefined;
    const wait = pauses[attempt];
    if (!trouble.again || wait === undefined) return failed(webhook, trouble.why);
    await pause(wait);
  }
}

interface Trouble {
  readonly why: string;
  readonly again: boolean;
}

async function postOnce(webhook: Webhook, body: string): Promise<Trouble | undefined> {
  try {
    const response = await fetch(webhook.url, {
      method: 'POST',
      body,
      headers: headersOf(webhook, body),
      // Following would hand message and signature to somebody else.
      redirect: 'manual',
      signal: AbortSignal.timeout(webhook.timeoutMs ?? defaultTimeoutMs),
    });
    await response.body?.cancel();
    if (response.ok) return undefined;
    const again = response.status >= 500 || response.status === 429;
    return { why: `it answered with status ${response.status}`, again };
  } catch (error) {
    // The error's own words may quote the address.
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return { why: isLate ? 'it did not answer in time' : 'it could not be reached', again: true };
  }
}

function headersOf({ secret, userAgent }: Webhook, body: string): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': userAgent,
    'x-sync-event': 'drift',
  };
  if (secret !== undefined) {
    headers['x-sync-signature-256'] = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  }
  return headers;
}

function failed({ url }: Webhook, why: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'webhook-failed',
    summary: `The webhook at ${new URL(url).host} did not take the message: ${why}.`,
    hint: 'The check itself was made: its report and its exit code stand.',
  };
}
