import type { OutlinedPlan, PlanResult } from '../api.js';
import type { RecoveredEvent } from '../apply/recover.js';
import type { Address } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { UnmanagedFound } from '../drift/unmanaged.js';
import type { Plan, PlanOutline } from '@platform-sync/core/model/plan';
import type { StackState, StateChange } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { GoingAlong, SeenInside } from '../plan/contents.js';
import type { Step } from '../plan/step.js';

/** What a plan was made of: `apply` carries out exactly this. */
export interface Work {
  readonly desired: DesiredState;
  readonly graph: ReadonlyMap<Address, readonly Address[]>;
  /** As planned with: recovery already laid over what was read. */
  readonly state: StackState;
  /** Recovered intents, still to be written. */
  readonly recovery: readonly StateChange[];
  /** To be told once they are. */
  readonly recovered: readonly RecoveredEvent[];
  readonly steps: ReadonlyMap<Address, Step>;
  /** What ends without a step of its own. */
  readonly along: readonly GoingAlong[];
  readonly inside: SeenInside;
  /** What nobody manages and this plan was shown beside what it makes, by `identityKey`. */
  readonly strangers: ReadonlySet<string>;
  readonly lookups: ReadonlyMap<string, JsonObject>;
  /** With `drift.unmanaged`: what it asks for. */
  readonly unmanaged?: UnmanagedFound;
}

/** A plan with all that carries it out. Its document is for everybody, its work for the engine alone: no copy or JSON has it. */
export class ApplicablePlan<Shown extends PlanOutline = Plan> {
  readonly plan: Shown;
  readonly diagnostics: readonly Diagnostic[];
  readonly #work: Work;

  constructor(plan: Shown, diagnostics: readonly Diagnostic[], work: Work) {
    this.plan = plan;
    this.diagnostics = diagnostics;
    this.#work = work;
  }

  get work(): Work {
    return this.#work;
  }
}

/** See `Project.outlined`. */
export function outlined(result: PlanResult, plan: Plan): Required<OutlinedPlan> {
  const { diagnostics } = result;
  const outline = outlineOf(plan);
  return result instanceof ApplicablePlan
    ? new ApplicablePlan(outline, diagnostics, result.work)
    : { plan: outline, diagnostics };
}

const readersOnly: ReadonlySet<string> = new Set(['steps', 'meta', 'digest', 'catalogueDigest']);

/** Member by member: to copy the whole plan is to ask for its digests, which are worked out then. */
function outlineOf(plan: Plan): PlanOutline {
  const names = Object.keys(plan).filter((name): name is Exclude<keyof Plan, 'steps'> => !readersOnly.has(name));
  const kept = Object.fromEntries(names.map((name) => [name, plan[name]])) as Omit<PlanOutline, 'steps' | 'meta'>;
  const steps = plan.steps.map(({ address, reasons }) => ({ address, reasons }));
  return { ...kept, meta: { sources: plan.meta.sources }, steps };
}
