import type { Action } from './plan.js';
import type { Address } from './address.js';
import type { Diagnostic } from './diagnostic.js';

/** `delete-old`, `park`: the other half of a replacement, and of an update whose object steps aside. */
export type StepAction = Action | 'delete-old' | 'park';

/** What the engine tells while it works. The CLI prints these; programs get the same. */
export type Event =
  | { readonly type: 'reading'; readonly collections: number; readonly objects: number }
  | { readonly type: 'read'; readonly done: number; readonly total: number }
  | { readonly type: 'apply-started'; readonly steps: number }
  | {
      readonly type: 'step-started';
      readonly address: Address;
      readonly resourceType: string;
      readonly action: StepAction;
    }
  | {
      readonly type: 'step-done';
      readonly address: Address;
      readonly resourceType: string;
      readonly action: StepAction;
      readonly id?: string;
      readonly durationMs: number;
    }
  | {
      readonly type: 'step-failed';
      readonly address: Address;
      readonly resourceType: string;
      readonly action: StepAction;
      readonly diagnostics: readonly Diagnostic[];
    }
  /** `because`: the nearest failed step it depends on, `interrupted` by the user, or `stopped` for the run's own reason. */
  | { readonly type: 'step-skipped'; readonly address: Address; readonly action: StepAction; readonly because: string }
  /** What became of an open intent of an earlier run was found out. */
  | {
      readonly type: 'recovered';
      readonly address: Address;
      readonly outcome: 'adopted' | 'not-sent' | 'deleted' | 'updated' | 'recorded' | 'managed';
    }
  | { readonly type: 'waiting'; readonly ms: number; readonly reason: string }
  | { readonly type: 'apply-finished'; readonly done: number; readonly failed: number; readonly skipped: number }
  | { readonly type: 'diagnostic'; readonly diagnostic: Diagnostic };

export type EventListener = (event: Event) => void;
