import { defined } from '@platform-sync/core/model/value';
import { groupBy } from '@platform-sync/core/model/graph';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import { clientClause, type SpecChange } from '../openapi/rules.js';
import type { PlanViews } from '../view/plan-views.js';
import { leadingField, placeInPlan } from '../view/review-place.js';
import type { StepGroup } from '../view/step-groups.js';
import { originClauses, originOf } from '../words/origin.js';
import { riskClause } from '../words/reasons.js';
import { typeName } from '../words/value.js';
import type { Item, Line, Name, Section } from './document.js';
import { dangerKinds, isDanger, type DangerKind } from './rules.js';
import { section } from './section.js';

/** A step that can hurt, under the worst it does. */
export interface Danger {
  readonly kind: DangerKind;
  readonly step: PlanStep;
  /** What else it does, as clauses: what goes with it, what the public will see or miss. Visible, not escaped. */
  readonly clauses: readonly string[];
  /** What breaks the clients of an API for certain, then what may. */
  readonly forClients: readonly SpecChange[];
}

const worstFirst = Object.keys(dangerKinds).filter(isDanger);

/** Dangers that are told once: the same of many objects, or what one brings with it. */
interface DangerGroup {
  readonly lead: Danger;
  readonly alike: readonly Danger[];
  readonly along: readonly Danger[];
}

// Two alike are told as quickly as one and a count.
const fewest = 3;

/** All dangers of one kind, in one group each, in the order of their leads. */
function dangerGroups(dangers: readonly Danger[], groups: readonly StepGroup[]): readonly DangerGroup[] {
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
  const keys = leads.map(({ step, clauses, forClients }) =>
    forClients.length + (along.get(step)?.length ?? 0) > 0 ? step.address : JSON.stringify([step.type, clauses]),
  );
  const alike = groupBy(leads.keys(), (at) => keys[at] ?? '');
  return leads.flatMap((lead, at): readonly DangerGroup[] => {
    const same = alike.get(keys[at] ?? '') ?? [];
    if (same.length < fewest) return [{ lead, alike: [], along: along.get(lead.step) ?? [] }];
    // Told at the first of them: of five thousand alike, none but that one looks at all others.
    return same[0] === at ? [{ lead, alike: same.slice(1).flatMap((index) => leads[index] ?? []), along: [] }] : [];
  });
}

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
  return worstFirst.find((kind) => kinds.has(kind));
}

/** What can hurt, worst first: every step by its name; what is the same of many, and what goes along, is told once. */
export function dangerSection(
  plan: Plan,
  dangers: readonly Danger[],
  groups: readonly StepGroup[],
): readonly Section[] {
  const items = worstFirst.flatMap((kind) => {
    const found = dangers.filter((danger) => danger.kind === kind);
    return dangerGroups(found, groups).map((group) => dangerItem(plan, dangerKinds[kind].title, group));
  });
  return section('danger', 'What can hurt', 'grave', items);
}

// All of them stand with the change.
const shownClauses = 20;

function dangerItem(plan: Plan, title: string, { lead, alike, along }: DangerGroup): Item {
  const { step, clauses: own, forClients } = lead;
  const origin = originOf(plan, step.address);
  const hidden = own.length - shownClauses;
  const clauses = [
    ...own.slice(0, shownClauses),
    ...(hidden > 0 ? [`and ${hidden} more`] : []),
    ...(origin === undefined || origin === 'branch' ? [] : [originClauses[origin]]),
  ];
  const names = [step, ...alike.map((danger) => danger.step)].map((one) => nameOf(plan, one));
  return {
    group: title,
    number: names.length + along.length,
    ...(alike.length === 0 ? {} : { isAlike: true }),
    line: [
      { names },
      ' (',
      { type: typeName(step.type) },
      ')',
      ...clauses.flatMap((clause, at): Line => [at === 0 ? ': ' : '; ', clause]),
      ...(along.length === 0
        ? []
        : [
            clauses.length === 0 ? ': ' : '; ',
            `and with it ${along.length} more, such as `,
            { names: along.map((danger) => nameOf(plan, danger.step)), such: true } as const,
          ]),
    ],
    below: forClients.map((change) => [clientClause(change)]),
  };
}

function nameOf(plan: Plan, step: PlanStep): Name {
  return { address: step.address, ...defined({ place: placeInPlan(plan, step.address, leadingField(step)) }) };
}
