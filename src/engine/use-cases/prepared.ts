import type { OutlinedPlan, PlanResult } from '../api.js';
import type { RecoveredEvent } from '../apply/recover.js';
import type { Address } from '../model/address.js';
import type { DesiredState } from '../model/desired.js';
import type { Plan, PlanOutline } from '../model/plan.js';
import type { StackState, StateChange } from '../model/state.js';
import type { JsonObject } from '../model/value.js';
import type { GoingAlong } from '../plan/contents.js';
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
  /** What ends without a step of its own. */
  readonly along: readonly GoingAlong[];
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

const readersOnly: ReadonlySet<string> = new Set(['steps', 'meta', 'digest', 'catalogueDigest']);

/** Member by member: to copy the whole plan is to ask for its digests, which are worked out then. */
function outlineOf(plan: Plan): PlanOutline {
  const names = Object.keys(plan).filter((name): name is Exclude<keyof Plan, 'steps'> => !readersOnly.has(name));
  const kept = Object.fromEntries(names.map((name) => [name, plan[name]])) as Omit<PlanOutline, 'steps' | 'meta'>;
  const steps = plan.steps.map(({ address, reasons }) => ({ address, reasons }));
  return { ...kept, meta: { sources: plan.meta.sources }, steps };
}

export function preparedOf(result: object): PreparedPlan | undefined {
  return prepared.get(result);
}
