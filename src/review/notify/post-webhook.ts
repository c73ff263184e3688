import { createHmac } from 'node:crypto';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { post, type Target } from './post.js';

export interface Webhook extends Pick<Target, 'url' | 'timeoutMs' | 'pausesMs'> {
  /** Key of the signature. */
  readonly secret?: string;
  readonly userAgent: string;
}

/**
 * Posts one message. Undefined when it was taken, else a warning that names the host only: the address itself lets
 * anybody post. With a key, `x-sync-signature-256` is `sha256=` and the HMAC-SHA256 of the body in hex.
 */
export async function postWebhook(
  webhook: Webhook,
  event: 'drift' | 'run' | 'fleet',
  message: string,
): Promise<Diagnostic | undefined> {
  const { secret, userAgent, ...target } = webhook;
  const signature =
    secret === undefined
      ? {}
      : { 'x-sync-signature-256': `sha256=${createHmac('sha256', secret).update(message).digest('hex')}` };
  const headers = { 'user-agent': userAgent, 'x-sync-event': event, ...signature };
  const posted = await post({ ...target, headers }, message);
  if (posted.taken) return undefined;
  return {
    severity: 'warning',
    code: 'webhook-failed',
    summary: `The webhook at ${new URL(webhook.url).host} did not take the message: ${posted.why}.`,
    hint: 'Report and exit code stand; the next check sends the message again.',
  };
}
