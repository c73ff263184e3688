import type { Address } from './address.js';
import type { Diagnostic } from './diagnostic.js';
import type { Unmanaged } from './plan.js';
import type { Identity } from './state.js';
import type { JsonObject } from './value.js';

/** What was found out about one object. A failed read is never "no change" and never "gone": that takes a proof. */
export type Reading =
  | { readonly kind: 'found'; readonly identity: Identity; readonly values: JsonObject }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly diagnostic: Diagnostic };

/** What exists, as far as it was looked at. */
export interface Snapshot {
  /** By address in state. */
  readonly readings: ReadonlyMap<Address, Reading>;
  /** Objects looked up for resources without a record (`options.import`, adopt), by desired address. */
  readonly found: ReadonlyMap<Address, Reading>;
  readonly unmanaged: readonly Unmanaged[];
  /** Collections of which is not known what they hold, beyond what failed readings say. */
  readonly unread: readonly { readonly type: string; readonly diagnostic: Diagnostic }[];
  /** Why nothing can be said about what a collection lacks, by `collectionKey`: nothing may be created in it. */
  readonly uncertain: ReadonlyMap<string, Diagnostic>;
}
