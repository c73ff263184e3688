import type { Address } from './address.js';
import type { Diagnostic } from './diagnostic.js';
import type { Unmanaged } from './plan.js';
import type { RemoteObject } from './provider.js';
import type { Identity } from './state.js';
import type { JsonObject } from './value.js';

/** What was found out about one object. A failed read is never "no change" and never "gone": that takes a proof. */
export type Reading =
  | { readonly kind: 'found'; readonly identity: Identity; readonly values: JsonObject }
  | { readonly kind: 'gone' }
  /**
   * `denied`: the address whose object the platform says does not exist, although it shows what lives in it; `listed`: what a list
   * showed of the object itself.
   */
  | {
      readonly kind: 'failed';
      readonly diagnostic: Diagnostic;
      readonly denied?: Address;
      readonly listed?: RemoteObject;
    };

/** What the list of one collection showed of objects that state knows nothing of. */
export interface ListedStrangers {
  readonly type: string;
  /** The fields that select the collection (see `CollectionRule.scope`). */
  readonly scope: Readonly<Record<string, string>>;
  /** Address of the resource whose collection it is; absent for a top-level collection. */
  readonly under?: Address;
  /** Pages of the list that were not read; with 0, what is neither recorded nor here does not exist. */
  readonly morePages: number;
  readonly objects: readonly RemoteObject[];
}

/** What exists, as far as it was looked at. */
export interface Snapshot {
  /** By address in state. */
  readonly readings: ReadonlyMap<Address, Reading>;
  /** Objects looked up for resources without a record (`options.import`, adopt), by desired address. */
  readonly found: ReadonlyMap<Address, Reading>;
  readonly unmanaged: readonly Unmanaged[];
  /** Strangers by collection, as far as collections were listed. */
  readonly listed: readonly ListedStrangers[];
  /** Collections of which is not known what they hold, beyond what failed readings say. */
  readonly unread: readonly { readonly type: string; readonly diagnostic: Diagnostic }[];
  /** Why nothing can be said about what a collection lacks, by `collectionKey`: nothing may be created in it. */
  readonly uncertain: ReadonlyMap<string, Diagnostic>;
}
