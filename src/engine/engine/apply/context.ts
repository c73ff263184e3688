import type { Address } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import type { Destinations } from '@platform-sync/core/model/destination';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { EventListener } from '@platform-sync/core/model/event';
import type { Outbox } from '@platform-sync/core/model/outbox';
import type { CallOptions, Provider, RemoteObject } from '@platform-sync/core/model/provider';
import type { Redactor } from '@platform-sync/core/model/redactor';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { StackState } from '@platform-sync/core/model/state';
import type { Lease, StateStore } from '@platform-sync/core/model/state-store';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { World } from '@platform-sync/core/model/world';
import type { DesiredStep, Operation, Step } from '../plan/step.js';
import type { SettlingTime } from '../refresh/evidence.js';
import type { Rest } from './slots.js';
import type { SeenInside } from '../plan/contents.js';
import type { LookupCall } from '@platform-sync/core/resolve/lookup-call';
import type { Seals } from '@platform-sync/core/value/seal';

/** All that carrying out a plan needs. */
export interface ApplyContext {
  readonly desired: DesiredState;
  readonly graph: ReadonlyMap<Address, readonly Address[]>;
  readonly state: StackState;
  readonly steps: ReadonlyMap<Address, Step>;
  /** What lists showed in what ends when the plan was made. */
  readonly inside: SeenInside;
  /** What nobody managed and was shown then, by `identityKey`: nothing that this run creates is one of these. */
  readonly strangers: ReadonlySet<string>;
  readonly typeOf: (token: string) => ResourceType;
  readonly providerOf: (type: ResourceType) => Promise<Provider>;
  /** What runs lookups until this is aborted. */
  readonly lookups: (signal: AbortSignal | undefined) => (call: LookupCall) => Promise<JsonObject>;
  /** What is wrong with values that were not known when the plan was made. `made`: ids of what this run has made. */
  readonly wrongValues: (step: DesiredStep, made: ReadonlySet<string>) => Promise<readonly Diagnostic[]>;
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
  readonly world: World;
  readonly concurrency: number;
  /** Until what was written shows in every answer of the platform. */
  readonly config: SettlingTime['config'];
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

/** The object that a step ends, and what it was recorded as. */
export function existing(
  context: Pick<ApplyContext, 'typeOf'>,
  { address, actual, recorded, type }: Step,
): { readonly actual: RemoteObject; readonly type: ResourceType } {
  if (actual === undefined) throw new Error(`bug: nothing to delete at ${address}`);
  return { actual, type: recorded === undefined ? type : context.typeOf(recorded.type) };
}
