import type { Address } from './address.js';
import type { Diagnostic } from './diagnostic.js';
import type { Pipeline } from './pipeline.js';
import type { Identity } from './state.js';
import type { Json, JsonObject } from './value.js';

export type Action =
  | 'create'
  | 'update'
  | 'replace'
  | 'delete'
  | 'forget'
  | 'adopt'
  | 'move'
  /** Only what state remembers of the options changes: protection, retention. */
  | 'options';

/** Why actual and desired differ: the file changed, the object was changed behind our back, or both. */
export type Cause = 'config' | 'drift' | 'both';

/** A value in a plan: JSON, `{"$unknown": ["petstore.id"]}` or a sealed secret (`{"$secret": {…}}`). */
export type PlanValue = Json;

export interface FieldChange {
  /** Catalogue name of the field. */
  readonly field: string;
  readonly rule: 'update' | 'replace';
  readonly cause: Cause;
  /** Absent: there was none. */
  readonly old?: PlanValue;
  /** Absent: goes back to the platform's default, or with the deleted object. */
  readonly new?: PlanValue;
  /** The platform can't put it back; it stays as it is. */
  readonly cannotClear?: boolean;
}

/** A protection that comes or goes. It stands in state alone; on the platform nothing shows it. */
export interface OptionChange {
  readonly option: 'protect' | 'retainOnDelete';
  readonly old: boolean;
  readonly new: boolean;
}

/** Why a step is what it is. `path` is the chain of addresses that forced it, nearest first. */
export type ActionReason =
  | { readonly kind: 'not-in-state' }
  | { readonly kind: 'not-in-catalogue' }
  /** `removed` of a catalogue file names it, or what it stands under. */
  | { readonly kind: 'removed' }
  /** The end of everything was asked for. */
  | { readonly kind: 'destroy' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'field-changed'; readonly field: string }
  | { readonly kind: 'field-forces-replacement'; readonly field: string }
  | { readonly kind: 'parent-replaced'; readonly path: readonly Address[] }
  | { readonly kind: 'reference-replaced'; readonly field: string; readonly path: readonly Address[] }
  | { readonly kind: 'type-changed'; readonly from: string }
  | { readonly kind: 'requested' }
  /** What the platform never shows is sent once more, because that was asked for. */
  | { readonly kind: 'resend'; readonly field: string }
  | { readonly kind: 'alias'; readonly from: Address }
  | { readonly kind: 'import'; readonly id: string }
  /** It has the unique key of the object that was recorded at an address which left the catalogue. */
  | { readonly kind: 'same-key'; readonly from: Address }
  /** Nobody manages the object that has its unique key. */
  | { readonly kind: 'key-exists'; readonly id: string }
  /** Adopting was asked for, and the object has its key. */
  | { readonly kind: 'found-by-key'; readonly id: string }
  | { readonly kind: 'deposed' }
  /** Settings that no call takes back: what was set goes on to be. */
  | { readonly kind: 'stays-in-force' };

/** What a reviewer must see. */
export type Risk =
  | { readonly kind: 'deletes' }
  | { readonly kind: 'replaces' }
  /** Objects the platform deletes or unpublishes along with it, beyond other steps of the plan. */
  | { readonly kind: 'cascades'; readonly what: string }
  /** Somebody sees it who did not before; `what`: a clause of who sees what, where it is not the object on the live portal. */
  | { readonly kind: 'publishes'; readonly what?: string }
  | { readonly kind: 'unpublishes'; readonly what?: string }
  /** Two writes in place of one: it is first given a passing name, so that another resource can have its present one. */
  | { readonly kind: 'steps-aside'; readonly what: string }
  /** From here on nothing keeps it from being deleted or replaced. */
  | { readonly kind: 'unprotects' }
  /** Taking it out of the catalogue deletes it from here on; so far it would have stayed. */
  | { readonly kind: 'stops-retaining' };

/** The object as read when the plan was made. Holds while updatedAt is the same, or else while the digest is. */
export interface Precondition {
  readonly exists: boolean;
  readonly identity?: Identity;
  /** sha256 of the managed fields as read, secrets fingerprinted. */
  readonly digest?: string;
}

/** One change of one resource. */
export interface PlanStep {
  readonly address: Address;
  readonly type: string;
  readonly action: Action;
  /** For replace. */
  readonly order?: 'delete-first' | 'create-first';
  /** The delete takes whatever is in the object with it, because that was asked for. Absent: the platform may refuse. */
  readonly force?: true;
  /** For update and replace. */
  readonly cause?: Cause;
  /** The existing object's id, when there is one. */
  readonly id?: string;
  /** Former address (move), or former address on top of another action. */
  readonly from?: Address;
  /** Of a delete, what the object holds. */
  readonly fields: readonly FieldChange[];
  /** Options that change with it, or that are all that changes. Absent: none. */
  readonly options?: readonly OptionChange[];
  /** RFC 6902 patch from the old managed fields to the new ones, as a view for machines. */
  readonly patch: readonly JsonObject[];
  readonly reasons: readonly ActionReason[];
  readonly risks: readonly Risk[];
  /** Addresses whose steps must be done before this one. Sorted. */
  readonly dependsOn: readonly Address[];
  readonly precondition?: Precondition;
  /** What it does, whatever the reason: see `Plan.effectDigest`. Absent: made by a version that knew none. */
  readonly effectDigest?: string;
}

/** A refusal that only its name (and a reason) lifts. */
export interface GuardFinding {
  /** What `--allow` takes: `delete:petstore/guide`, `maxDeletes`, `emptyCatalogue` … */
  readonly name: string;
  readonly summary: string;
  readonly addresses: readonly Address[];
  /** The reason given, when it was lifted. */
  readonly lifted?: string;
  /** Last day (`YYYY-MM-DD`) of a permission in sync.yaml that has run out. */
  readonly expired?: string;
  /** Of a rule of a policy: whether a reason lifts it. What is denied nobody lifts. */
  readonly level?: 'warn' | 'deny';
}

/** A guard's words, before it is known whether somebody lifts it. */
export type BareFinding = Omit<GuardFinding, 'lifted' | 'expired'>;

/** Something that could not be compared, so that "no change" must not be claimed for it. */
export interface NotCompared {
  readonly address?: Address;
  readonly type: string;
  readonly diagnostic: Diagnostic;
}

/** Objects that exist in a collection that was read, and are neither in the catalogue nor in state. */
export interface Unmanaged {
  readonly type: string;
  /** Address of the resource whose collection it is; absent for a top-level collection. */
  readonly under?: Address;
  readonly count: number;
}

/** One object that nobody manages, of those that `drift.unmanaged` asks for. */
export interface UnmanagedObject {
  /** Full type token. */
  readonly type: string;
  /** Address of the resource it lives in; absent for one that lives in none, or in what is not managed, either. */
  readonly under?: Address;
  readonly id: string;
  /** What people know it by; else its id. */
  readonly name: string;
  /** Whether the public sees it: it is published. */
  readonly visible: boolean;
  /** What `sync adopt` takes. */
  readonly importId: string;
  /** When the platform says it was last changed. */
  readonly updatedAt?: string;
}

/** Drift of a field the file does not declare: not acted on. */
export interface UndeclaredChange {
  readonly address: Address;
  readonly field: string;
  readonly old?: PlanValue;
  readonly new?: PlanValue;
}

/** What a plan that deletes nothing (`--no-delete`) lacks: a delete, a replacement, or what would have to come after one. */
export interface LeftOut {
  readonly address: Address;
  readonly type: string;
  readonly action: Action;
  /** For what comes after: the address that stays as it is. */
  readonly needs?: Address;
}

export interface PlanSummary {
  readonly create: number;
  readonly update: number;
  readonly replace: number;
  readonly delete: number;
  readonly forget: number;
  readonly adopt: number;
  readonly move: number;
  /** Absent: none. */
  readonly options?: number;
  readonly unchanged: number;
}

export interface OutputChange {
  readonly name: string;
  readonly old?: PlanValue;
  readonly new?: PlanValue;
}

/** The one document everything is rendered from. Pure JSON; equal inputs give equal bytes, `meta` aside. */
export interface Plan {
  readonly formatVersion: 1;
  readonly engine: string;
  readonly mode: 'apply' | 'destroy' | 'adopt' | 'refresh';
  readonly project: string;
  readonly stack: string;
  /** Provider → target (server URL). */
  readonly targets: Readonly<Record<string, string>>;
  readonly catalogueDigest: string;
  /** What `${param.…}` stands for, by name; absent where sync.yaml declares none. */
  readonly parameters?: Readonly<Record<string, PlanValue>>;
  readonly lineage: string;
  readonly serial: number;
  /** Set when only part of the catalogue was planned. */
  readonly partial?: { readonly targets: readonly Address[]; readonly excludes: readonly Address[] };
  /** Set when nothing was to be deleted, by address; such a plan holds no delete and no replacement. */
  readonly leftOut?: readonly LeftOut[];
  /** In an order that could be carried out one by one. */
  readonly steps: readonly PlanStep[];
  readonly outputs: readonly OutputChange[];
  readonly summary: PlanSummary;
  readonly guards: readonly GuardFinding[];
  readonly notCompared: readonly NotCompared[];
  readonly unmanaged: readonly Unmanaged[];
  readonly undeclaredChanges: readonly UndeclaredChange[];
  /** By how many rules of policies it was judged, and a digest of their files. Absent: the project has none. */
  readonly policies?: { readonly rules: number; readonly digest: string };
  /** Warnings of planning (fields that can't be cleared …). */
  readonly notices: readonly Diagnostic[];
  /** Lookup results the plan rests on: canonical call → sha256 of the result. */
  readonly lookups: Readonly<Record<string, string>>;
  /**
   * sha256 of what the plan does, and nothing else: targets, lineage, what each step sends and takes the place of, guards lifted,
   * outputs. Plans with the same one send the same requests. Absent: made by a version that knew none.
   */
  readonly effectDigest?: string;
  /** sha256 of the canonical form of everything above. */
  readonly digest: string;
  /** Outside the digest. */
  readonly meta: PlanMeta;
}

/** What is still asked of a plan that was shown: most of a large one is what its steps say of fields. */
export interface PlanOutline extends Omit<Plan, 'steps' | 'meta' | 'digest' | 'catalogueDigest'> {
  readonly steps: readonly Pick<PlanStep, 'address' | 'reasons'>[];
  readonly meta: Pick<PlanMeta, 'sources'>;
}

export interface PlanMeta {
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly host: string;
  /** The pipeline's run that made the plan; absent outside of one. */
  readonly pipeline?: Pipeline;
  /** Address → `file:line:column` of the resource's key. */
  readonly sources: Readonly<Record<Address, string>>;
  /** Address → field → `file:line:column`. Only changed fields. */
  readonly fieldSources: Readonly<Record<Address, Readonly<Record<string, string>>>>;
  /** Platform requests the plan cost. */
  readonly requests: number;
  /** What the catalogue was compared with as well (`plan --base`), for people: `origin/main at 1a2b3c4d5e6f`. */
  readonly base?: string;
  /** With `drift.unmanaged`: what nobody manages of what it asks for, as far as it was listed. Absent: not asked for. */
  readonly unmanaged?: readonly UnmanagedObject[];
  /** With a base: what each step comes from. */
  readonly origins?: Readonly<Record<Address, StepOrigin>>;
}

/** Whose change a step is. */
export type StepOrigin =
  /** The base catalogue alone would not bring it about, or not like this. */
  | 'branch'
  /** The base catalogue asks for the very same: it was merged, and not applied yet. */
  | 'pending'
  /** The base catalogue asks for it, too, and only because the platform was changed by hand. */
  | 'drift';

/** True when applying would change nothing at all. */
export function isEmptyPlan(plan: PlanOutline): boolean {
  return plan.steps.length === 0 && plan.outputs.length === 0;
}
