import { defined } from '@platform-sync/core/model/defined';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import { clientClause } from '../openapi/words.js';
import { dangerGroups, dangerKinds, dangerTitles, type Danger, type DangerGroup } from '../view/danger.js';
import { leadingField, placeInPlan } from '../view/review-place.js';
import type { StepGroup } from '../view/step-groups.js';
import { originClauses, originOf } from '../words/origin.js';
import { typeName } from '../words/type-name.js';
import type { Item, Line, Name, Section } from './document.js';
import { section } from './section.js';

/** What can hurt, worst first: every step by its name; what is the same of many, and what goes along, is told once. */
export function dangerSection(
  plan: Plan,
  dangers: readonly Danger[],
  groups: readonly StepGroup[],
): readonly Section[] {
  const items = dangerKinds.flatMap((kind) => {
    const found = dangers.filter((danger) => danger.kind === kind);
    return dangerGroups(found, groups).map((group) => dangerItem(plan, dangerTitles[kind], group));
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
