import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import type { SpecChange } from '../openapi/change.js';
import type { StepGroup } from './step-groups.js';
import type { PlanViews } from './plan-views.js';
import { riskClause } from '../words/reasons.js';

export type DangerKind =
  | 'deletes'
  | 'replaces'
  | 'unpublishes'
  | 'unprotects'
  | 'breaks'
  | 'stops-retaining'
  | 'steps-aside'
  | 'publishes'
  | 'may-break';

/** A step that can hurt, under the worst it does. */
export interface Danger {
  readonly kind: DangerKind;
  readonly step: PlanStep;
  /** What else it does, as clauses: what goes with it, what the public will see or miss. Visible, not escaped. */
  readonly clauses: readonly string[];
  /** What breaks the clients of an API for certain, then what may. */
  readonly forClients: readonly SpecChange[];
}

/** Worst first: what can't be undone, what the public notices, what it will see. */
export const dangerKinds: readonly DangerKind[] = [
  'deletes',
  'replaces',
  'unpublishes',
  'breaks',
  'unprotects',
  'stops-retaining',
  'steps-aside',
  'publishes',
  'may-break',
];

/** Dangers that are told once: the same of many objects, or what one brings with it. */
export interface DangerGroup {
  readonly lead: Danger;
  readonly alike: readonly Danger[];
  readonly along: readonly Danger[];
}

// Two alike are told as quickly as one and a count.
const fewest = 3;

/** All dangers of one kind, in one group each, in the order of their leads. */
export function dangerGroups(dangers: readonly Danger[], groups: readonly StepGroup[]): readonly DangerGroup[] {
  const byStep = new Map(dangers.map((danger) => [danger.step, danger]));
  const along = new Map<PlanStep, readonly Danger[]>();
  const folded = new Set<PlanStep>();
  for (const group of groups) {
    if (!byStep.has(group.lead)) continue;
    const found = group.along.flatMap((step) => byStep.get(step) ?? []);
    along.set(group.lead, found);
    for (const { step } of found) folded.add(step);
  }
  const leads = dangers.filter(({ step }) => !folded.has(step));
  const alike = new Map<string, Danger[]>();
  const keys = leads.map(({ step, clauses, forClients }) =>
    forClients.length + (along.get(step)?.length ?? 0) > 0 ? step.address : JSON.stringify([step.type, clauses]),
  );
  for (const [at, danger] of leads.entries()) {
    const key = keys[at] ?? '';
    const found = alike.get(key);
    if (found === undefined) alike.set(key, [danger]);
    else found.push(danger);
  }
  return leads.flatMap((lead, at): readonly DangerGroup[] => {
    const same = alike.get(keys[at] ?? '') ?? [lead];
    if (same.length < fewest) return [{ lead, alike: [], along: along.get(lead.step) ?? [] }];
    return same[0] === lead ? [{ lead, alike: same.slice(1), along: [] }] : [];
  });
}

export const dangerTitles: Readonly<Record<DangerKind, string>> = {
  deletes: 'Deletes',
  replaces: 'Deletes and makes anew',
  unpublishes: 'Disappears from the live portal',
  breaks: 'Breaks the clients of an API',
  unprotects: 'Loses its protection',
  'stops-retaining': 'Will be deleted once it leaves the catalogue',
  'steps-aside': 'Has another name for a moment',
  publishes: 'Becomes visible on the live portal',
  'may-break': 'May break the clients of an API',
};

/** Every step that can hurt, once each, in the order of the plan. */
export function dangersOf(plan: Plan, views: PlanViews): readonly Danger[] {
  return plan.steps.flatMap((step) => {
    const forClients = views.forClients(step);
    const kind = worstKind(step, forClients);
    if (kind === undefined) return [];
    const clauses = step.risks
      .filter((risk) => risk.kind !== kind || 'what' in risk)
      .map((risk) => riskClause(risk, step.action))
      .filter((clause) => clause !== undefined);
    return [{ kind, step, clauses, forClients }];
  });
}

function worstKind(step: PlanStep, forClients: readonly SpecChange[]): DangerKind | undefined {
  const kinds = new Set<string>(step.risks.map((risk) => risk.kind));
  // What goes along goes because of an end.
  if (kinds.has('cascades') && !kinds.has('replaces')) return 'deletes';
  for (const { effect } of forClients) kinds.add(effect);
  return dangerKinds.find((kind) => kinds.has(kind));
}
