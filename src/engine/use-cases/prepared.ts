import type { OutlinedPlan, PlanResult } from '../api.js';
import type { RecoveredEvent } from '../apply/recover.js';
import type { Address } from '../model/address.js';
import type { DesiredState } from '../model/desired.js';
import type { Plan, PlanOutline } from '../model/plan.js';
import type { StackState, StateChange } from '../model/state.js';
import type { JsonObject } from '../model/value.js';
import type { Operation } from '../plan/operation.js';
import type { Proposal } from '../plan/proposal.js';
import type { UnmanagedFound } from './drift/unmanaged.js';

/** What a plan was made of: `apply` carries out exactly this. */
export interface PreparedPlan {
  readonly desired: DesiredState;
  readonly graph: ReadonlyMap<Address, readonly Address[]>;
  /** As planned with: recovery already laid over what was read. */
  readonly state: StackState;
  /** Recovered intents, still to be written. */
  readonly recovery: readonly StateChange[];
  /** To be told once they are. */
  readonly recovered: readonly RecoveredEvent[];
  readonly proposals: ReadonlyMap<Address, Proposal>;
  readonly operations: readonly Operation[];
  readonly lookups: ReadonlyMap<string, JsonObject>;
  /** With `drift.unmanaged`: what it asks for. */
  readonly unmanaged?: UnmanagedFound;
}

const prepared = new WeakMap<object, PreparedPlan>();

/** Attaches what `apply` needs to a plan result without showing it to callers. */
export function keepPrepared(result: PlanResult, plan: PreparedPlan): PlanResult {
  prepared.set(result, plan);
  return result;
}

/** See `Project.outlined`. */
export function outlined(result: PlanResult, plan: Plan): Required<OutlinedPlan> {
  const outline = { plan: outlineOf(plan), diagnostics: result.diagnostics };
  const known = prepared.get(result);
  if (known !== undefined) prepared.set(outline, known);
  return outline;
}

function outlineOf({ steps, meta: { sources }, ...plan }: Plan): PlanOutline {
  return { ...plan, meta: { sources }, steps: steps.map(({ address, reasons }) => ({ address, reasons })) };
}

export function preparedOf(result: object): PreparedPlan | undefined {
  return prepared.get(result);
}
