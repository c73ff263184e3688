import type { EventListener } from '@platform-sync/core/model/event';

/** How an instance works, beside its settings. */
export interface ProviderOptions {
  /** Where settings that are left out are looked for. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Requests in flight at most. Default 16. */
  readonly concurrency?: number;
  readonly requestsPerMinute?: number;
  /** Told of waits (rate limits, retries) and warnings; without it, warnings go to `process.emitWarning`. */
  readonly onEvent?: EventListener;
}
