import type { Address } from '../model/address.js';
import type { DesiredResource, DesiredState } from '../model/desired.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { Action, ActionReason, Cause, OptionChange, UndeclaredChange } from '../model/plan.js';
import type { ResourceType } from '../model/resource-type.js';
import type { Snapshot } from '../model/snapshot.js';
import type { Identity, RecordedResource, StackState } from '../model/state.js';
import type { JsonObject, Value } from '../model/value.js';
import type { LookupCall } from '../resolve/lookup-call.js';
import type { FieldDecision } from './diff.js';
import type { Seals } from '../value/seal.js';

/** An existing object of a resource. */
export interface ExistingObject {
  readonly identity: Identity;
  readonly values: JsonObject;
}

/** What planning decided about one resource. The executor works from these; the plan document shows them. */
export interface Proposal {
  readonly address: Address;
  readonly type: ResourceType;
  /** Absent for what the catalogue no longer mentions. */
  readonly desired?: DesiredResource;
  readonly recorded?: RecordedResource;
  /** The object as read; absent when there is none or it could not be read. */
  readonly actual?: ExistingObject;
  /** Declared properties as far as they are known. */
  readonly declared: ReadonlyMap<string, Value>;
  /** `none`: nothing to do; `not-compared`: could not be read, so nothing is done. */
  readonly action: Action | 'none' | 'not-compared';
  readonly order?: 'delete-first' | 'create-first';
  readonly cause?: Cause;
  readonly decisions: readonly FieldDecision[];
  readonly reasons: readonly ActionReason[];
  readonly undeclared: readonly UndeclaredChange[];
  /** Protection and retention that the file and state say differently. */
  readonly options?: readonly OptionChange[];
  readonly movedFrom?: Address;
  /** For the old object of a create-first replacement that is still there: the resource it belonged to. */
  readonly deposedOf?: Address;
  /** The record must be written although nothing on the platform changes. */
  readonly recordOnly: boolean;
}

/** A lookup whose result planning needs before it can go on. */
export interface NeededLookup {
  /** See `lookupKey`. */
  readonly key: string;
  readonly call: LookupCall;
}

/** An object to look for by its natural key (adopt) or import id. */
export interface NeededObject {
  readonly address: Address;
  readonly type: ResourceType;
  readonly scope: Readonly<Record<string, string>>;
  readonly inputs: JsonObject;
  readonly importId?: string;
}

/** Everything planning looks at. Pure data: planning reads no clock, file or network. */
export interface ProposalInput {
  readonly mode: 'apply' | 'destroy' | 'adopt';
  readonly desired: DesiredState;
  /** Direct dependencies of each desired address. */
  readonly graph: ReadonlyMap<Address, readonly Address[]>;
  /** Desired addresses, dependencies first. */
  readonly order: readonly Address[];
  readonly state: StackState;
  readonly snapshot: Snapshot;
  readonly types: ReadonlyMap<string, ResourceType>;
  readonly seals: Seals;
  /** Results so far, by `lookupKey`. */
  readonly lookups: ReadonlyMap<string, JsonObject>;
  /** Addresses to replace although nothing forces it. */
  readonly replace: ReadonlySet<Address>;
  /** Import ids said on the command line; they beat `options.import`. */
  readonly imports: ReadonlyMap<Address, string>;
}

export interface Proposals {
  /** Desired resources in dependency order, then what is left over in state, by address. */
  readonly all: readonly Proposal[];
  readonly byAddress: ReadonlyMap<Address, Proposal>;
  readonly outputs: ReadonlyMap<string, Value>;
  readonly neededLookups: readonly NeededLookup[];
  /** Every call that a value rests on, by `lookupKey`. */
  readonly usedLookups: ReadonlyMap<string, LookupCall>;
  readonly neededObjects: readonly NeededObject[];
  readonly notices: readonly Diagnostic[];
}

/** What is known of a desired resource before anything is decided. */
export type ProposalBase = Pick<Proposal, 'address' | 'type' | 'declared' | 'undeclared' | 'movedFrom'> & {
  readonly desired: DesiredResource;
};

export function resourceType(input: Pick<ProposalInput, 'types'>, token: string): ResourceType {
  const type = input.types.get(token);
  if (type === undefined) throw new Error(`bug: no resource type ${token}`);
  return type;
}
