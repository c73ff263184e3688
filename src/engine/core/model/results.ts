import type { Address } from './address.js';
import type { Diagnostic } from './diagnostic.js';
import type { Finding } from './drift.js';
import type { Json } from './value.js';

export interface StepResult {
  readonly address: Address;
  readonly action: string;
  readonly outcome: 'done' | 'failed' | 'skipped';
  readonly id?: string;
  readonly durationMs?: number;
  /** For skipped: the failed step it waited for, `interrupted` by the user, or `stopped` for the run's own reason. */
  readonly because?: string;
  readonly diagnostics?: readonly Diagnostic[];
}

export interface ApplyResult {
  readonly status: 'done' | 'partly' | 'failed' | 'stale' | 'blocked' | 'interrupted';
  readonly steps: readonly StepResult[];
  /** Outputs after the run; secrets are masked as `(secret)`. */
  readonly outputs: Readonly<Record<string, Json>>;
  readonly diagnostics: readonly Diagnostic[];
  /** For `stale`: what was reviewed, what is now, what it means. */
  readonly mismatches?: readonly PlanMismatch[];
  readonly requests: number;
}

export interface PlanMismatch {
  readonly what: string;
  readonly reviewed: string;
  readonly now: string;
  readonly meaning: string;
}

export interface RefreshResult {
  readonly diagnostics: readonly Diagnostic[];
  /** Addresses whose record changed, and those found gone (dropped from state). */
  readonly changed: readonly Address[];
  readonly gone: readonly Address[];
  readonly unchanged: number;
  readonly notCompared: number;
}

/** What became of findings that were to be accepted. */
export interface AcceptResult {
  readonly accepted: readonly Finding[];
  /** Named with the reason. */
  readonly skipped: readonly { readonly finding: Finding; readonly why: string }[];
  /** Paths relative to the project folder, sorted. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What a plan found out about an object that the catalogue does not say: a former address, or an import id. */
export interface Fix {
  readonly address: Address;
  /** `children`: a property becomes that of a child. */
  readonly option: 'aliases' | 'import' | 'children';
  /** The former address, the id of the object, or the key of the child. */
  readonly value: string;
}

/** A place of the catalogue that an undo has to change, so that the next apply leaves it. */
export interface UndoneEdit {
  /** Of a property or option, or of a whole block. */
  readonly kind: 'value' | 'add' | 'remove';
  readonly address: Address;
  readonly field?: string;
  /** `catalogue/apis.yaml:12` */
  readonly at?: string;
  /** As the file says it then; absent: the property goes. */
  readonly to?: Json;
}

/** What became of the edits of an undo. */
export interface UndoEditsResult {
  readonly edits: readonly UndoneEdit[];
  /** Named with the reason, a clause. */
  readonly skipped: readonly { readonly edit: UndoneEdit; readonly why: string }[];
  /** Paths relative to the project folder, sorted; none for a dry run. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What became of the fixes of a plan. */
export interface FixResult {
  readonly fixed: readonly Fix[];
  /** Named with the reason, a clause about the block. */
  readonly skipped: readonly { readonly fix: Fix; readonly why: string }[];
  /** Paths relative to the project folder, sorted; none for a dry run. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface RecordDriftResult {
  readonly recorded: readonly Finding[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface IgnoreResult {
  readonly ignored: readonly Finding[];
  /** The file that has the rules now. */
  readonly file: string;
  readonly diagnostics: readonly Diagnostic[];
}
