import { parentAddress } from '@platform-sync/core/model/address';
import { defined, ownMember } from '@platform-sync/core/model/value';
import type { Action, Plan, PlanStep } from '@platform-sync/core/model/plan';
import { clientClause, effectWords } from '../openapi/rules.js';
import type { PlanViews } from '../view/plan-views.js';
import { filePlace, leadingField, placeInPlan, type FilePlace } from '../view/review-place.js';
import { alongWords, kindOf, type StepGroup } from '../view/step-groups.js';
import { originClauses, originOf } from '../words/origin.js';
import { optionSentence, reasonSentence, riskClause, stepSymbol } from '../words/reasons.js';
import { typeName } from '../words/value.js';
import type { Danger } from './danger.js';
import type { Change, ChangeGroup, Changes, Line, Note } from './document.js';

/** Every step of a plan, those told once for many as one. */
export function planChanges(
  plan: Plan,
  groups: readonly StepGroup[],
  dangers: readonly Danger[],
  views: PlanViews,
): Changes | undefined {
  if (plan.steps.length === 0) return undefined;
  const addresses = new Set(plan.steps.map(({ address }) => address));
  const dangerOf = new Map(dangers.map((danger) => [danger.step, danger]));
  const changed = (step: PlanStep, among: Among): Change => changeOf(step, plan, views, dangerOf.get(step), among);
  const shown = (steps: readonly PlanStep[], below?: string): readonly Change[] =>
    steps.map((step) => changed(step, { below: below ?? livesIn(step.address, addresses) }));
  return {
    title: 'Changes',
    noun: 'change',
    detailTitle: 'Differences',
    kindTitle: 'Action',
    alertTitle: 'only what can hurt',
    kinds: actions.map((action) => [action, plan.summary[action] ?? 0] as const).filter(([, number]) => number > 0),
    legend: actions
      .filter((action) => plan.summary[action] ?? 0)
      .map((action) => legend[action])
      .join('   '),
    columns: ['resource', 'type', 'fields'],
    number: plan.steps.length,
    groups: groups.map((group): ChangeGroup => ({
      lead: changed(group.lead, {
        below: livesIn(group.lead.address, addresses),
        sameKind: kindOf(group),
      }),
      alike: shown(group.alike),
      along: shown(group.along, group.lead.address),
      alongWords: alongWords(group.along),
    })),
  };
}

/** The nearest resource above that changes, too. */
function livesIn(address: string, changed: ReadonlySet<string>): string | undefined {
  for (let parent = parentAddress(address); parent !== undefined; parent = parentAddress(parent))
    if (changed.has(parent)) return parent;
  return undefined;
}

const actions: readonly Action[] = ['create', 'update', 'replace', 'delete', 'adopt', 'move', 'forget', 'options'];

const legend: Readonly<Record<Action, string>> = {
  create: '+ create',
  update: '~ update',
  replace: '-/+ replace',
  delete: '- delete',
  adopt: '= adopt into state',
  move: '> move in state',
  forget: '. forget, object stays',
  options: '! options, in state',
};

/** What an action does, as an order. */
const verbs: Readonly<Record<Action, string>> = {
  create: 'create',
  update: 'update',
  replace: 'replace',
  delete: 'delete',
  forget: 'forget',
  adopt: 'adopt',
  move: 'move',
  options: 'change the options of',
};

const tones: Readonly<Record<Action, Change['tone']>> = {
  create: 'add',
  update: 'change',
  replace: 'remove',
  delete: 'remove',
  forget: 'state',
  adopt: 'state',
  move: 'state',
  options: 'state',
};

interface Among {
  readonly below: string | undefined;
  readonly sameKind?: string | undefined;
}

function changeOf(step: PlanStep, plan: Plan, views: PlanViews, danger: Danger | undefined, among: Among): Change {
  const fieldCount = step.action === 'forget' ? 0 : step.fields.length;
  // Of many that are told as one, most say no more than their name.
  return {
    key: step.address,
    name: step.address,
    mark: stepSymbol(step),
    kind: step.action,
    tone: tones[step.action],
    verb: verbs[step.action],
    type: typeName(step.type),
    fieldCount,
    get finding() {
      return findingOf(step, plan, danger);
    },
    commands: [],
    ...defined(among),
    get place() {
      return filePlace(ownMember(plan.meta.sources, step.address));
    },
    alert: alertOf(danger),
    get cells() {
      return cellsOf(step, this.place);
    },
    get notes() {
      return notesOf(step, plan);
    },
    fields: () => views.fields(step),
    rank: rankOf(step),
  };
}

/** What must be seen before it is opened. */
function alertOf(danger: Danger | undefined): Change['alert'] {
  if (danger === undefined) return undefined;
  const isSure = danger.kind !== 'may-break';
  return { words: isSure ? 'can hurt' : effectWords['may-break'], isSure };
}

/** A step stands at the line of its first changed field. */
function findingOf(step: PlanStep, plan: Plan, danger: Danger | undefined): NonNullable<Change['finding']> {
  const isOutside = step.cause === 'drift' || step.cause === 'both';
  return {
    rule: danger?.kind ?? (isOutside ? 'changed-outside' : 'change'),
    clauses: [
      ...(danger?.clauses ?? []),
      ...(danger?.forClients ?? []).map(clientClause),
      ...(isOutside ? ['it was changed outside'] : []),
    ],
    ...defined({ place: placeInPlan(plan, step.address, leadingField(step)) }),
  };
}

function rankOf({ risks, action }: PlanStep): Change['rank'] {
  if (risks.some((risk) => risk.kind !== 'publishes')) return 0;
  return action === 'update' || action === 'replace' ? 1 : 2;
}

const shownFields = 6;

function cellsOf(
  { address, type, action, from, fields, options = [] }: PlanStep,
  place: FilePlace | undefined,
): readonly Line[] {
  // What goes is told by its name.
  const isGoing = action === 'delete' || action === 'forget';
  const names = isGoing ? [] : [...fields.map(({ field }) => field), ...options.map(({ option }) => option)];
  const hidden = names.length - shownFields;
  return [
    [{ names: [{ address, ...defined({ place }) }] }, ...(from === undefined ? [] : [' (was ', { code: from }, ')'])],
    [{ type: typeName(type) }],
    [
      ...names.slice(0, shownFields).flatMap((name, at): Line => [at === 0 ? '' : ', ', { code: name }]),
      ...(hidden > 0 ? [`, ${hidden} more`] : []),
    ],
  ];
}

const orders = {
  'delete-first': 'the old object is deleted before the new one is created',
  'create-first': 'the new object is created before the old one is deleted',
} as const;

/** What there is to know besides the fields: identity, reasons, whose it is, options, risks, order. */
function notesOf(step: PlanStep, plan: Plan): readonly Note[] {
  const { action, id, from, reasons, options = [], risks, order, dependsOn } = step;
  const origin = originOf(plan, step.address);
  const clauses = (found: readonly (string | undefined)[], label: 'because' | 'risk'): readonly Note[] =>
    found.flatMap((text) => (text === undefined ? [] : [{ label, line: [text] }]));
  return [
    ...(id === undefined || action === 'move' ? [] : [{ line: ['id ', { code: id }], weight: 'aside' } as const]),
    ...(from === undefined ? [] : [{ line: ['moves from ', { code: from }] }]),
    ...clauses(
      // Where it comes from says that already.
      reasons.map((reason) =>
        reason.kind === 'alias' && from !== undefined ? undefined : reasonSentence(reason, action),
      ),
      'because',
    ),
    // The branch's own changes are what a reader expects: only the others are marked.
    ...(origin === undefined || origin === 'branch'
      ? []
      : [{ line: [originClauses[origin]], weight: 'aside' } as const]),
    ...options.map((change) => ({ line: [optionSentence(change)] })),
    ...clauses(
      risks.map((risk) => riskClause(risk, action)),
      'risk',
    ),
    ...(action === 'replace' && order !== undefined ? [{ line: [orders[order]] }] : []),
    ...(dependsOn.length === 0
      ? []
      : [{ line: ['after ', { names: dependsOn.map((address) => ({ address })) }], weight: 'graph' } as const]),
  ];
}
