import { createHmac } from 'node:crypto';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { Json } from '@platform-sync/core/model/value';

/**
 * Stands for a secret in state and plans: `hmac-sha256:<hex>` over the value's canonical JSON.
 * `key` is the stack's fingerprint key (hex): without it, a short secret can't be guessed from the fingerprint.
 */
export function fingerprint(key: string, value: Json): string {
  return `hmac-sha256:${createHmac('sha256', Buffer.from(key, 'hex')).update(canonicalJson(value)).digest('hex')}`;
}
