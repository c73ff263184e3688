import type { DriftHistory, DriftNote, NewsClaim, NewsOf, TakenNews } from './drift.js';
import type { RunNote } from './run-news.js';
import type { Address } from './address.js';
import type { Identity, Intent, RecordedResource, StackState, StateChange } from './state.js';
import type { Freeze, RunEnd, RunEntry, RunPlan, RunQuestion } from './run.js';
import type { Json, JsonObject } from './value.js';

/** The right to write one stack. At most one is alive at a time; writes with a lost one are refused. */
export interface Lease {
  readonly id: string;
  /** Fencing number: grows with every lease of the stack. */
  readonly token: number;
  readonly holder: LeaseHolder;
  readonly term: LeaseTerm;
  /** Gives the lease back. Safe to call twice. */
  release(): Promise<void>;
}

/** How long a lease is surely one's own: it is a deadline, moved by each sign of life that the store confirms. */
export interface LeaseTerm {
  /** False when less than a third of the lease is left, or it was refused: nothing may be sent by it any more. */
  mayWrite(): boolean;
  /** Milliseconds from one sign of life to the deadline. */
  readonly lifeMs: number;
  /** Milliseconds until the deadline; below zero after it. */
  left(): number;
  /** Fires when `mayWrite` turns false; its reason is `refused` or `late`. */
  readonly late: AbortSignal;
  /** Fires two seconds before the deadline (of a lease of half a minute): what was sent by it must be cut off. */
  readonly over: AbortSignal;
}

export interface AcquireOptions {
  /** Who waits may read it; default: this process. */
  readonly owner?: string;
  /** Milliseconds to wait for another holder. */
  readonly waitMs: number;
  /** The freeze that this run may write in spite of, by its id. */
  readonly frozen?: string;
  /** Told once, when there is somebody to wait for. */
  readonly onWait?: (holder: LeaseHolder) => void;
  /** Aborted: it is wanted no longer. */
  readonly signal?: AbortSignal;
}

export interface LeaseHolder {
  readonly id: string;
  /** `user@host pid 123` */
  readonly owner: string;
  /** `apply`, `import` … */
  readonly purpose: string;
  /** ISO 8601 UTC. */
  readonly since: string;
  /** Last heartbeat, ISO 8601 UTC. */
  readonly seen: string;
  /** It ran on this machine and its process is proven to have ended: whoever wants the lease takes it over. */
  readonly isGone?: true;
}

/** Another run holds the stack. */
export class LeaseHeldError extends Error {
  readonly holder: LeaseHolder;
  constructor(holder: LeaseHolder) {
    super(`stack is locked by ${holder.owner} (${holder.purpose}) since ${holder.since}`);
    this.name = 'LeaseHeldError';
    this.holder = holder;
  }
}

/** The lease was broken or expired while the run was working: nothing may be written any more. */
export class LeaseLostError extends Error {
  constructor(message = 'the lease on the stack was lost') {
    super(message);
    this.name = 'LeaseLostError';
  }
}

/** The store can't be used: unreadable, read-only, full, corrupted, of a newer version, or unreachable. */
export class StateStoreError extends Error {
  readonly code: 'unreadable' | 'read-only' | 'full' | 'corrupt' | 'newer-version' | 'unreachable';
  /** What the user can do. */
  readonly hint: string;
  constructor(code: StateStoreError['code'], message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StateStoreError';
    this.code = code;
    this.hint = hint;
  }
}

/** An object in the state of another stack. */
export interface ManagedElsewhere {
  readonly project: string;
  readonly stack: string;
  readonly address: Address;
  readonly type: string;
  readonly identity: Identity;
  /** Provider name → target of that stack. */
  readonly targets: StackState['targets'];
  /** The history says so: by now it may be recorded no more. */
  readonly had?: true;
  /** Something has taken its place there, and it is still to be deleted. */
  readonly isReplaced?: true;
}

/** A record of another stack; its identity has no id where a run has begun to make the object and not told yet. */
export interface RecordedElsewhere {
  readonly project: string;
  readonly stack: string;
  readonly record: RecordedResource;
  /** Provider name → target of that stack. */
  readonly targets: StackState['targets'];
  /** When this stack deleted the object; absent: it lives, as far as its records say. ISO 8601 UTC. */
  readonly deletedAt?: string;
}

/** Which records are alike, as far as a store can tell. */
export interface AlikeQuestion {
  readonly type: string;
  readonly field: string;
  readonly values: readonly Json[];
  /** What this stack has let go of or deleted since then counts, too: no list need show the one yet, and one may show the other still. ISO 8601 UTC. */
  readonly since?: string;
}

/** A record that comes from another stack. */
export interface Takeover {
  /** Its address there. */
  readonly from: Address;
  /** As it was seen there. */
  readonly seen: RecordedResource;
  /** As it is to be here. */
  readonly record: RecordedResource;
}

/** One stack of one project in a store. All methods may reject with StateStoreError. */
export interface StateStore {
  /** Where it is, for people; without credentials. */
  readonly location: string;
  /** The whole stack in one snapshot, or of its records only those of some addresses. Needs no lease. A stack that does not exist yet is made on first use. */
  read(only?: readonly Address[]): Promise<StackState>;
  /** How many records the stack has. Needs no lease. */
  count(): Promise<number>;
  /** Takes the stack's lease, waiting up to `waitMs` for another holder. Rejects with LeaseHeldError. */
  acquire(purpose: string, options: AcquireOptions): Promise<Lease>;
  /**
   * Breaks a lease by its id; false when that id does not hold the stack. Its run hears of it with its next sign of life;
   * unless `now` is set, this waits until nothing that it sent can be under way any more, or it has given the lease back.
   */
  unlock(leaseId: string, options?: { readonly now?: boolean }): Promise<boolean>;
  /** Who holds the stack now. */
  holder(): Promise<LeaseHolder | undefined>;
  /** Makes an intent durable before its write is sent. */
  begin(lease: Lease, intent: Intent): Promise<void>;
  /**
   * Applies changes in one transaction, bumps the serial once and returns it. Rejects with LeaseLostError. What records were before
   * goes into the history, and what the run has to say of itself; words alone leave the serial as it is.
   */
  commit(lease: Lease, changes: readonly StateChange[], notes?: readonly (RunPlan | RunEnd)[]): Promise<number>;
  /** Another stack of the project in this store; closed with this one. */
  sibling(stack: string): StateStore;
  /**
   * Moves records of another stack here, with where its objects are, in one transaction; the leases of both are held. Rejects with DiagnosticError, and moves
   * nothing, where one is not as it was seen, or a write of it is still open.
   */
  takeOver(
    lease: Lease,
    giver: { readonly stack: string; readonly lease: Lease },
    moves: readonly Takeover[],
  ): Promise<void>;
  /** The stack as one JSON document (format: schemas/state.schema.json). */
  pull(): Promise<string>;
  /** Replaces the stack with such a document. Refuses another lineage or an older serial unless forced. */
  push(lease: Lease, document: string, options: { readonly force: boolean }): Promise<void>;
  /** What drift checks saw. Needs no lease. */
  driftHistory(): Promise<DriftHistory>;
  /**
   * Remembers a check. Needs no lease and leaves the serial alone: an observation changes nothing that is managed, must
   * not wait for an apply, and must not make a reviewed plan stale. Not part of the document of `pull`. Gives the check's
   * number; undefined where another check came in between.
   */
  noteDrift(note: DriftNote): Promise<number | undefined>;
  /** Remembers a run's end that is news: each trouble once until a run ends well, and that only after a trouble. Needs no lease. */
  noteRun(note: RunNote): Promise<void>;
  /** The run that had the stack last and ended without giving it back, as far as that is proven. */
  lostRun(): Promise<LeaseHolder | undefined>;
  /**
   * The right to tell a receiver what it has not acknowledged, for `forMs` at most. Undefined while somebody else has it, and
   * when there is nothing to tell: then the right is given back in the same breath, so that no news falls between two.
   */
  takeNews<About extends keyof NewsOf>(claim: NewsClaim<About>, forMs: number): Promise<TakenNews<About> | undefined>;
  /** The receiver has taken all up to this number; undefined: it has not, and the right is given back. */
  closeNews(claim: NewsClaim, told: number | undefined): Promise<void>;
  /**
   * What other stacks of this store, of any project, have recorded of objects with these ids, and what they had until a moment
   * (ISO 8601 UTC) or later. Needs no lease.
   */
  managedElsewhere(ids: readonly string[], since?: string): Promise<readonly ManagedElsewhere[]>;
  /** What other stacks of this store, of any project, have recorded with one of these ids, or with one in its scope. Needs no lease. */
  recordedInside(ids: ReadonlySet<string>): Promise<readonly RecordedElsewhere[]>;
  /** What they have recorded, or begun to make, of a type with one of these values in a field, and what this one has let go of or deleted. Needs no lease. */
  recordedAlike(question: AlikeQuestion): Promise<readonly RecordedElsewhere[]>;
  /** Outputs that a stack of the project has recorded, secret ones sealed; undefined where there is no such stack. */
  outputsOf(stack: string): Promise<JsonObject | undefined>;
  /** Names of the project's stacks in this store, sorted. */
  stacks(): Promise<readonly string[]>;
  /** Rows of the history. Needs no lease. */
  runs(question: RunQuestion): Promise<readonly RunEntry[]>;
  /** Reads all of the history. Gives the row that is missing or not as it was written; undefined: none. */
  verifyRuns(): Promise<{ readonly number: number; readonly what: 'changed' | 'missing' } | undefined>;
  /** Drops what is older than a moment (ISO 8601 UTC) from the history, which says so from then on. */
  pruneRuns(lease: Lease, before: string): Promise<void>;
  /** What holds back every run that does not name it; undefined once it is over. */
  frozen(): Promise<Freeze | undefined>;
  /** Holds back other runs from now on; undefined: no longer. */
  freeze(lease: Lease, freeze: Freeze | undefined): Promise<void>;
  close(): Promise<void>;
}

/** Which store, from sync.yaml. */
export type StateBackend =
  | { readonly backend: 'sqlite'; /** Absolute path of the database file. */ readonly path: string }
  | {
      readonly backend: 'postgres';
      readonly url: string;
      /** All runs of the database keep it together, for each server and token. */
      readonly requestsPerMinute?: number;
    };

/** The right to send writes, as whoever puts bytes on the wire asks for it. Reads need none. */
export interface Fence {
  /** True when a write may leave now. To be asked in the moment its bytes leave, after every wait. */
  mayWrite(): boolean;
  /** Fires when the run was asked to end, or may not write any more: no write leaves from then on, and none waits for its turn. */
  readonly dropped: AbortSignal;
  /** Fires when writes that have left must be cut off, because another run may have the stack soon. */
  readonly cut: AbortSignal;
}

/** A write that has not left: the run may not send any more, or was asked to end while it waited. Nothing happened. */
export class NotSentError extends Error {
  override name = 'NotSentError';
  constructor() {
    super('the write was not sent: the run may not send any more');
  }
}
