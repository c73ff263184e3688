import type { Address } from '../model/address.js';
import type { DesiredState } from '../model/desired.js';
import type { EventListener } from '../model/event.js';
import type { Provider } from '../model/provider.js';
import type { ResourceType } from '../model/resource-type.js';
import type { StackState } from '../model/state.js';
import type { Lease, StateStore } from '../model/state-store.js';
import type { JsonObject } from '../model/value.js';
import type { Operation } from '../plan/operation.js';
import type { Proposal } from '../plan/proposal.js';
import type { Fingerprint } from '../plan/seal.js';

/** All that carrying out a plan needs. */
export interface ApplyContext {
  readonly desired: DesiredState;
  readonly graph: ReadonlyMap<Address, readonly Address[]>;
  readonly state: StackState;
  readonly proposals: ReadonlyMap<Address, Proposal>;
  readonly operations: readonly Operation[];
  readonly typeOf: (token: string) => ResourceType;
  readonly providerOf: (type: ResourceType) => Promise<Provider>;
  readonly runLookup: (token: string, args: JsonObject) => Promise<JsonObject>;
  readonly store: StateStore;
  readonly lease: Lease;
  readonly fingerprint: Fingerprint;
  /** Id of this run, for intents. */
  readonly run: string;
  /** ISO 8601 UTC. */
  readonly now: () => string;
  readonly sleep: (ms: number) => Promise<void>;
  readonly concurrency: number;
  readonly failFast: boolean;
  /** Aborted: start nothing new. */
  readonly drain?: AbortSignal;
  /** Aborted: stop calls in flight, too. */
  readonly signal?: AbortSignal;
  readonly onEvent: EventListener;
}
