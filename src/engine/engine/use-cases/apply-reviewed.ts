import { defined, type Json } from '@platform-sync/core/model/value';
import type { ApplyResult, PlanMismatch, ReviewedOptions } from '../api.js';
import { isEmptyPlan, type Plan, type PlanStep } from '@platform-sync/core/model/plan';
import type { Workspace } from '../workspace.js';
import { applyPlan, notRun } from './apply-plan.js';
import { expectedDiagnostics } from './expected.js';
import { holdStack } from './lease.js';
import { planProject } from './plan-project.js';
import { canonicalJson } from '@platform-sync/core/model/canonical';

/**
 * Carries out a reviewed plan, or nothing: plans again from what is there now, and compares. Only an equal plan (or one of equal
 * effect, where the effect is what was approved) is applied, so nothing happens that was not reviewed.
 */
export async function applyReviewed(
  workspace: Workspace,
  reviewed: Plan,
  options: ReviewedOptions = {},
): Promise<ApplyResult> {
  try {
    // From here to the end nobody else changes what is compared and then carried out.
    return await holdStack(workspace, options, () => applyUnchanged(workspace, reviewed, options));
  } catch (error) {
    return notRun('failed', expectedDiagnostics(error));
  }
}

async function applyUnchanged(workspace: Workspace, reviewed: Plan, options: ReviewedOptions): Promise<ApplyResult> {
  const foreign = foreignPlan(reviewed, workspace.config);
  if (foreign !== undefined) return { ...notRun('stale', []), mismatches: [foreign] };
  const lifted = reviewed.guards.flatMap((guard) =>
    guard.lifted === undefined ? [] : [{ guard: guard.name, reason: guard.lifted }],
  );
  const planned = await planProject(workspace, {
    ...defined({ destinations: options.destinations }),
    mode: reviewed.mode === 'refresh' ? 'apply' : reviewed.mode,
    allow: lifted,
    targets: reviewed.partial?.targets ?? [],
    excludes: reviewed.partial?.excludes ?? [],
    noDelete: reviewed.leftOut !== undefined,
    replace: reviewed.steps
      .filter((step) => step.reasons.some((reason) => reason.kind === 'requested'))
      .map((step) => step.address),
    resend: reviewed.steps
      .filter((step) => step.reasons.some((reason) => reason.kind === 'resend'))
      .map((step) => step.address),
  });
  if (planned.plan === undefined) return notRun('failed', planned.diagnostics);
  const mismatches = (options.byEffect === true ? compareEffects : comparePlans)(reviewed, planned.plan);
  if (mismatches.length > 0) return { ...notRun('stale', planned.diagnostics), mismatches };
  return applyPlan(workspace, planned, options);
}

interface Binding {
  readonly what: string;
  readonly of: (plan: Plan) => Json;
  readonly meaning: string;
}

const bindings: readonly Binding[] = [
  {
    what: 'program version',
    of: (plan) => plan.engine,
    meaning: 'Another version of this program may decide otherwise.',
  },
  { what: 'project', of: (plan) => plan.project, meaning: 'The plan is for another project.' },
  { what: 'stack', of: (plan) => plan.stack, meaning: 'The plan is for another stack.' },
  { what: 'target', of: (plan) => plan.targets, meaning: 'The plan is for another platform address.' },
  {
    what: 'parameters',
    of: (plan) => plan.parameters ?? {},
    meaning: 'Parameters have other values than when the plan was made: give the same ones.',
  },
  {
    what: 'catalogue',
    of: (plan) => plan.catalogueDigest.slice(0, 12),
    meaning: 'The catalogue changed after the plan was made.',
  },
  {
    what: 'state lineage',
    of: (plan) => plan.lineage,
    meaning: 'The plan was made from another state.',
  },
  {
    what: 'state serial',
    of: (plan) => plan.serial,
    meaning: 'Something was applied, imported or moved after the plan was made.',
  },
];

const effectBindings = bindings.filter(({ what }) => ['target', 'state lineage'].includes(what));

// Of another one of these everything else differs, too.
const decisive: ReadonlySet<string> = new Set(['project', 'stack', 'target']);

/** Reviewed against now: one row a difference, the most telling first; what explains all others stands alone. */
function comparePlans(reviewed: Plan, now: Plan): readonly PlanMismatch[] {
  const bound = bindings.flatMap((binding) => mismatch(binding, binding.of(reviewed), binding.of(now)));
  const [first] = bound.filter(({ what }) => decisive.has(what));
  if (first !== undefined) return [first];
  const steps = compareSteps(reviewed, now);
  if (isCarriedOut(reviewed, now)) return [carriedOut(reviewed)];
  return [...bound, ...steps, ...compareRest(reviewed, now)];
}

/**
 * The same for a plan of which only the effect was approved: what else was merged or applied meanwhile is no difference. One row for each
 * step that does something else.
 */
function compareEffects(approved: Plan, now: Plan): readonly PlanMismatch[] {
  if (approved.effectDigest !== undefined && approved.effectDigest === now.effectDigest) return [];
  if (isCarriedOut(approved, now)) return [carriedOut(approved)];
  const steps = compareSteps(approved, now, ({ effectDigest = '' }) => effectDigest);
  if (steps.length > 0) return steps;
  const lifted = ({ guards }: Plan): Json =>
    guards.flatMap((guard) => (guard.lifted === undefined ? [] : [guard.name]));
  const rest = effectBindings.flatMap((binding) => mismatch(binding, binding.of(approved), binding.of(now)));
  const guards = mismatch(
    { what: 'guards', meaning: 'Other guards are lifted than when it was approved.' },
    lifted(approved),
    lifted(now),
  );
  const outputs = { what: 'outputs', meaning: 'Outputs become others than approved.' };
  const found = [...rest, ...guards];
  return found.length > 0 ? found : [{ ...outputs, reviewed: 'as in the plan', now: 'different' }];
}

/** What needs no second plan: a plan of another project or stack. */
function foreignPlan(reviewed: Plan, here: Pick<Plan, 'project' | 'stack'>): PlanMismatch | undefined {
  return bindings.flatMap((binding) => {
    if (binding.what !== 'project' && binding.what !== 'stack') return [];
    return mismatch(binding, reviewed[binding.what], here[binding.what]);
  })[0];
}

function mismatch({ what, meaning }: Omit<Binding, 'of'>, before: Json, after: Json): readonly PlanMismatch[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  return [{ what, reviewed: textOf(before), now: textOf(after), meaning }];
}

/** State has moved on, and nothing of it is left to do: somebody applied it, or did the same. */
function isCarriedOut(reviewed: Plan, now: Plan): boolean {
  return (
    reviewed.lineage === now.lineage &&
    reviewed.serial !== now.serial &&
    !isEmptyPlan(reviewed) &&
    isEmptyPlan(now) &&
    now.notCompared.length === 0
  );
}

function carriedOut({ steps, outputs }: Plan): PlanMismatch {
  const number = steps.length + outputs.length;
  return {
    what: 'plan',
    reviewed: `${number} to do`,
    now: 'nothing to do',
    meaning: 'It was applied already: a plan is carried out once.',
  };
}

function compareSteps(
  reviewed: Plan,
  now: Plan,
  textOfStep: (step: PlanStep) => string = (step) => canonicalJson(step),
): readonly PlanMismatch[] {
  const before = new Map(reviewed.steps.map((step) => [step.address, step]));
  const after = new Map(now.steps.map((step) => [step.address, step]));
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((address): PlanMismatch[] => {
    const old = before.get(address);
    const current = after.get(address);
    if (old !== undefined && current !== undefined && textOfStep(old) === textOfStep(current)) return [];
    const sides = { reviewed: actionOf(old, current), now: actionOf(current, old) };
    return [{ what: address, ...sides, meaning: meaningOf(old, current) }];
  });
}

/** Of two that do the same to one object, the fields tell them apart. */
function actionOf(step: PlanStep | undefined, other: PlanStep | undefined): string {
  if (step === undefined) return 'nothing to do';
  if (step.action !== other?.action) return step.action;
  const known = new Map(other.fields.map((field) => [field.field, canonicalJson(field)]));
  const [first, ...others] = step.fields.filter((field) => known.get(field.field) !== canonicalJson(field));
  if (first === undefined) return step.action;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${step.action} of ${first.field} ${briefly(first.old)} → ${briefly(first.new)}${more}`;
}

const mostBriefly = 40;

/** A plain value; what is long, secret or made of parts is in the plan. */
function briefly(value: Json | undefined): string {
  if (value === undefined) return '(none)';
  const text = typeof value === 'object' ? '…' : JSON.stringify(value);
  return text.length > mostBriefly ? `${text.slice(0, mostBriefly)}…` : text;
}

function meaningOf(reviewed: PlanStep | undefined, now: PlanStep | undefined): string {
  if (reviewed === undefined) return 'Something must be done here that nobody has reviewed.';
  if (now === undefined) return 'It is already as desired, or was taken out of the plan.';
  if (reviewed.precondition?.exists === true && now.precondition?.exists !== true)
    return 'The object was deleted on the platform.';
  if (reviewed.precondition?.exists !== true && now.precondition?.exists === true) return 'The object exists by now.';
  if (reviewed.precondition?.digest !== now.precondition?.digest) return 'The object was changed on the platform.';
  if (hasSecret(reviewed) || hasSecret(now))
    return 'A value differs; it may be a secret that changed in the environment.';
  return 'The change is not the reviewed one.';
}

function hasSecret(step: PlanStep): boolean {
  return JSON.stringify(step.fields).includes('"$secret"');
}

function compareRest(reviewed: Plan, now: Plan): readonly PlanMismatch[] {
  const parts = [
    { what: 'outputs', of: (plan: Plan) => plan.outputs, meaning: 'Outputs would differ from the reviewed ones.' },
    { what: 'lookups', of: (plan: Plan) => plan.lookups, meaning: 'A lookup has another result now.' },
    {
      what: 'left out',
      of: (plan: Plan) => plan.leftOut ?? [],
      meaning: 'Without deletes, other changes are left out than when it was reviewed.',
    },
    { what: 'guards', of: (plan: Plan) => plan.guards, meaning: 'Other guards block it than when it was reviewed.' },
  ] as const;
  return parts.flatMap(({ what, of, meaning }) =>
    canonicalJson(of(reviewed)) === canonicalJson(of(now))
      ? []
      : [{ what, reviewed: 'as in the plan', now: 'different', meaning }],
  );
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}
