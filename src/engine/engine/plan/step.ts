import type { Address } from '@platform-sync/core/model/address';
import { groupBy } from '@platform-sync/core/model/graph';
import type { DesiredResource, DesiredState } from '@platform-sync/core/model/desired';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Action, ActionReason, Cause, OptionChange, UndeclaredChange } from '@platform-sync/core/model/plan';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Snapshot } from '@platform-sync/core/model/snapshot';
import type { Identity, RecordedResource, StackState } from '@platform-sync/core/model/state';
import type { JsonObject, Value } from '@platform-sync/core/model/value';
import type { LookupCall } from '@platform-sync/core/resolve/lookup-call';
import type { Change } from './change.js';
import type { ForeignOwner, Ownership } from './ownership.js';
import type { Seals } from '@platform-sync/core/value/seal';

/** What planning decided about one resource. The executor works from these; the plan document shows them. */
export interface Step {
  readonly address: Address;
  readonly type: ResourceType;
  /** What the object is, where the file has another type by now. */
  readonly was?: ResourceType;
  /** Absent for what the catalogue no longer mentions. */
  readonly desired?: DesiredResource;
  readonly recorded?: RecordedResource;
  /** The object as read; absent when there is none or it could not be read. */
  readonly actual?: RemoteObject;
  /** What a list showed of an object that could not be read. */
  readonly listed?: RemoteObject;
  /** Declared properties as far as they are known. */
  readonly declared: ReadonlyMap<string, Value>;
  /** `none`: nothing to do; `not-compared`: could not be read, so nothing is done. */
  readonly action: Action | 'none' | 'not-compared';
  readonly order?: 'delete-first' | 'create-first';
  readonly cause?: Cause;
  readonly changes: readonly Change[];
  /** What carries it out. */
  readonly operations: readonly Operation[];
  readonly reasons: readonly ActionReason[];
  readonly undeclared: readonly UndeclaredChange[];
  /** Fields that the platform does not keep as they were written: the record learns what it has. */
  readonly unkept?: readonly string[];
  /** Protection and retention that the file and state say differently. */
  readonly options?: readonly OptionChange[];
  readonly movedFrom?: Address;
  /** For the old object of a create-first replacement that is still there: the resource it belonged to. */
  readonly deposedOf?: Address;
  /** The object ends with whatever is in it. */
  readonly force?: true;
  /** The record must be written although nothing on the platform changes. */
  readonly recordOnly: boolean;
  /** For `not-compared`: why nothing is done, where the object itself could be read. */
  readonly held?: Diagnostic;
}

/** One of the catalogue's. */
export type DesiredStep = Step & { readonly desired: DesiredResource };

/** A lookup whose result planning needs before it can go on. */
export interface NeededLookup {
  /** See `lookupKey`. */
  readonly key: string;
  readonly call: LookupCall;
}

/** An object to look for: by its import id, as what a list showed of it, or else by its natural key. */
export interface NeededObject {
  readonly address: Address;
  readonly type: ResourceType;
  readonly scope: Readonly<Record<string, string>>;
  readonly inputs: JsonObject;
  readonly importId?: string;
  /** The file says the id that the object is made with: it need not be there yet. */
  readonly isChosen?: true;
  /** What a list showed of the object: its other fields are needed. */
  readonly listed?: RemoteObject;
  /** The mark it must bear, too. */
  readonly mark?: string;
  /** True when nobody else may have the key, or the mark, or whoever has it counts: the whole collection can be listed instead. */
  readonly isKeyUnique: boolean;
  /** It is to be made, and no name tells it from others: what there is already is listed, to say if one is like it. */
  readonly isTwinSought?: true;
  /** The resource whose collection it is looked for in. */
  readonly under?: Address;
}

/** An object of which it must be known whether another stack manages it. */
export interface NeededOwner {
  readonly type: string;
  readonly identity: Identity;
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
  /** What this stack wrote since (ISO 8601 UTC) may not show in all answers yet. Absent: all does. */
  readonly settledBefore?: string;
  readonly types: ReadonlyMap<string, ResourceType>;
  readonly seals: Seals;
  /** Results so far, by `lookupKey`. */
  readonly lookups: ReadonlyMap<string, JsonObject>;
  /** Addresses to replace although nothing forces it. */
  readonly replace: ReadonlySet<Address>;
  /** Addresses whose write-only and secret values are sent again although nothing changed them. */
  readonly resend: ReadonlySet<Address>;
  /** Addresses whose old objects go first when they are replaced, although the file would have it otherwise. */
  readonly deleteFirst?: ReadonlySet<Address>;
  /** Import ids said on the command line; they beat `options.import`. */
  readonly imports: ReadonlyMap<Address, string>;
  /** False: the platform is not asked who has the key of what is to be created. */
  readonly looksForKeys: boolean;
  /** The stack takes over what has the key of a resource. */
  readonly adopt?: 'byKey';
  /** Which other stack of the same store and target manages an object, by `identityKey`; asked for where it is needed. */
  readonly elsewhere: ReadonlyMap<string, ForeignOwner | 'nobody'>;
  /** First halves of the marks of stacks whose objects are taken over: to have one is no reason to be left alone. */
  readonly handedOver?: ReadonlySet<string>;
}

export interface Proposals {
  /** Desired resources in dependency order, then what is left over in state, by address. */
  readonly byAddress: ReadonlyMap<Address, Step>;
  readonly outputs: ReadonlyMap<string, Value>;
  readonly neededLookups: readonly NeededLookup[];
  /** Every call that a value rests on, by `lookupKey`. */
  readonly usedLookups: ReadonlyMap<string, LookupCall>;
  readonly neededObjects: readonly NeededObject[];
  /** Objects that the plan would take over, when it is not known yet what other stacks manage. */
  readonly neededOwners: readonly NeededOwner[];
  /** Why resources can't have the objects they claim, by the address that claims; such a resource gets no step. */
  readonly problems: readonly (Diagnostic & { readonly address: Address })[];
  /** Who owns which object, with what the plan takes over. */
  readonly ownership: Ownership;
  /** Former address → address, for records that move. */
  readonly movedTo: ReadonlyMap<Address, Address>;
}

/** A step before anything is decided: what is known of the resource is laid over it, and then what is to happen. */
export function undecided(known: Pick<Step, 'address' | 'type' | 'desired' | 'recorded' | 'declared'>): Step {
  return {
    ...known,
    action: 'not-compared',
    changes: nothing,
    operations: nothing,
    reasons: nothing,
    undeclared: nothing,
    recordOnly: false,
  };
}

const nothing: readonly never[] = [];

export function resourceType(input: Pick<ProposalInput, 'types'>, token: string): ResourceType {
  const type = input.types.get(token);
  if (type === undefined) throw new Error(`bug: no resource type ${token}`);
  return type;
}

/** Records name what they depend on by the addresses of then: this gives the address of now, where a resource moves. */
export function addressesNow(steps: ReadonlyMap<Address, Step>): (then: Address) => Address {
  const moved = new Map(
    [...steps.values()].flatMap((p) => (p.movedFrom === undefined ? [] : [[p.movedFrom, p.address]])),
  );
  return (then) => moved.get(then) ?? then;
}

/**
 * One call (or one record to write). A step is one operation, except a replacement: that is a `create` and the
 * delete of the old object (`delete` when it goes first, `delete-old` when it goes last); and an update that has to
 * `park` first: it gives its name away before it can take the one it wants.
 */
export type OperationKind = 'create' | 'update' | 'delete' | 'delete-old' | 'adopt' | 'record' | 'park';

export interface Operation {
  /** `petstore/guide create`; unique. */
  readonly id: string;
  readonly address: Address;
  readonly kind: OperationKind;
  /** For park: the fields, and the values they have in between. */
  readonly parking?: Readonly<Record<string, string>>;
  /** Deletes that this one's call carries out as well: the platform deletes what lives in the object together with it. */
  readonly carries?: readonly Operation[];
  /** Ids of operations that must be done before. Sorted. */
  readonly dependsOn: readonly string[];
  /** Its place in an order in which all of a plan could be carried out one by one. */
  readonly turn: number;
}

/** An operation that is to be done after another one. */
export interface Wait {
  readonly later: string;
  readonly earlier: string;
  /** It is better kept, but not at the price of a ring; 'last': only where nothing else in a ring is given up for it. */
  readonly loose?: true | 'last';
}

export function operationId(address: Address, kind: OperationKind): string {
  return `${address} ${kind}`;
}

/** The steps, each with its operations. */
export function withOperations(
  steps: ReadonlyMap<Address, Step>,
  operations: readonly Operation[],
): ReadonlyMap<Address, Step> {
  const own: ReadonlyMap<Address, readonly Operation[]> = groupBy(operations, ({ address }) => address);
  return new Map(
    [...steps].map(([address, step]) => {
      const given = own.get(address) ?? nothing;
      return [address, given === step.operations ? step : { ...step, operations: given }];
    }),
  );
}

/** All that is to be carried out, in an order in which it could be done one by one. */
export function operationsOf(steps: ReadonlyMap<Address, Step>): readonly Operation[] {
  return [...steps.values()].flatMap(({ operations }) => operations).sort((a, b) => a.turn - b.turn);
}
