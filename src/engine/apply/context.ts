import type { Address } from '../model/address.js';
import type { DesiredResource, DesiredState } from '../model/desired.js';
import type { Destinations } from '../model/destination.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { EventListener } from '../model/event.js';
import type { Outbox } from '../model/outbox.js';
import type { CallOptions, Provider } from '../model/provider.js';
import type { Redactor } from '../model/redactor.js';
import type { ResourceType } from '../model/resource-type.js';
import type { StackState } from '../model/state.js';
import type { Lease, StateStore } from '../model/state-store.js';
import type { JsonObject, Value } from '../model/value.js';
import type { Operation, Step } from '../plan/step.js';
import type { Rest } from './slots.js';
import type { LookupCall } from '../resolve/lookup-call.js';
import type { Seals } from '../value/seal.js';

/** All that carrying out a plan needs. */
export interface ApplyContext {
  readonly desired: DesiredState;
  readonly graph: ReadonlyMap<Address, readonly Address[]>;
  readonly state: StackState;
  readonly steps: ReadonlyMap<Address, Step>;
  readonly typeOf: (token: string) => ResourceType;
  readonly providerOf: (type: ResourceType) => Promise<Provider>;
  readonly runLookup: (call: LookupCall) => Promise<JsonObject>;
  /** What is wrong with values that were not known when the plan was made. */
  readonly wrongValues: (
    step: Pick<Step, 'type'> & { readonly desired: DesiredResource },
    declared: ReadonlyMap<string, Value>,
  ) => Promise<readonly Diagnostic[]>;
  readonly store: StateStore;
  readonly lease: Lease;
  /** For what the store does not take. */
  readonly outbox: Outbox;
  /** What to tell about an error of the state store; undefined for any other error. */
  readonly explain: (error: unknown) => readonly Diagnostic[] | undefined;
  /** Learns the secrets that are resolved on the way. */
  readonly redactor: Redactor;
  readonly seals: Seals;
  /** Id of this run, for intents. */
  readonly run: string;
  /** ISO 8601 UTC. */
  readonly now: () => string;
  /** Resolves after `ms`, or as soon as `until` fires. */
  readonly sleep: (ms: number, until?: AbortSignal) => Promise<void>;
  readonly concurrency: number;
  /** Until what was written shows in every answer of the platform. */
  readonly settleMs: number;
  readonly failFast: boolean;
  /** Where the operator has secrets go that are shown once. */
  readonly destinations?: Destinations;
  /** Aborted: start nothing new. */
  readonly drain?: AbortSignal;
  /** Aborted: stop calls in flight, too. */
  readonly signal?: AbortSignal;
  readonly onEvent: EventListener;
  /** For waits of a step: others may work meanwhile. */
  readonly rest: Rest;
}

/** What every call to the platform gets along. */
export function callOptions({ signal, rest }: Pick<ApplyContext, 'signal' | 'rest'>): CallOptions {
  return signal === undefined ? { whileWaiting: rest } : { whileWaiting: rest, signal };
}

/** What was decided about the resource of an operation. */
export function stepAt({ steps }: ApplyContext, { id, address }: Operation): Step {
  const step = steps.get(address);
  if (step === undefined) throw new Error(`bug: no step for ${id}`);
  return step;
}
