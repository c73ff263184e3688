import { defined } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { groupBy } from '@platform-sync/core/model/graph';
import { isEmptyPlan, type Plan, type PlanStep } from '@platform-sync/core/model/plan';
import type { PlanViews } from '../view/plan-views.js';
import { placeInPlan } from '../view/review-place.js';
import { stepGroups, type StepGroup } from '../view/step-groups.js';
import { isBlocked } from '../words/guards.js';
import { besidesFirst, failedReads } from '../words/diagnostics.js';
import {
  applyCommand,
  importCommand,
  type NextStepsContext,
  unmanagedHint,
  unmanagedWords,
} from '../words/next-steps.js';
import { originClauses, originLine, originOf, othersLines } from '../words/origin.js';
import { count, inline, typeName } from '../words/value.js';
import { visible } from '../words/escape.js';
import { planChanges } from './changes.js';
import { dangerSection, dangersOf, type Danger } from './danger.js';
import type { Cure, Document, Fact, Item, Line, Section } from './document.js';
import { guardSection } from './guards.js';
import { firstFacts, notComparedSection, problemItems, section, strangerSection, valueItem } from './section.js';
import { needsApproval, summaryLine, verdictMarks, verdictOf, verdictText } from './verdict.js';

/** What a plan tells. `groups`: what is told once for many, where it is known already. */
export function planDocument(plan: Plan, views: PlanViews, context: NextStepsContext = {}): Document {
  const dangers = dangersOf(plan, views);
  const groups = stepGroups(plan);
  const verdict = verdictOf(plan, dangers);
  const changes = planChanges(plan, groups, dangers, views);
  return {
    subject: {
      what: plan.mode === 'apply' ? 'Plan for' : `Plan to ${plan.mode} for`,
      project: plan.project,
      stack: plan.stack,
      targets: plan.targets,
    },
    verdict: verdictText(plan, dangers),
    mark: verdictMarks[verdict],
    tone: verdict,
    ending: summaryLine(plan),
    facts: factsOf(plan, dangers),
    ...defined({ changes }),
    sections: sectionsOf(plan, dangers, groups),
    next: nextSteps(plan, context),
    source: ['Plan ', { code: plan.digest.slice(0, 12) }, `, state serial ${Number(plan.serial)}`],
    engine: plan.engine,
    values: valuesOf(plan, dangers),
    made: [`made ${plan.meta.createdAt} on `, { code: plan.meta.host }, ` by version ${plan.engine}`],
  };
}

/** For later steps of a job. */
function valuesOf(plan: Plan, dangers: readonly Danger[]): Document['values'] {
  const { create, update, replace, delete: deletes, forget, adopt, move, unchanged } = plan.summary;
  return {
    verdict: verdictOf(plan, dangers),
    'verdict-text': verdictText(plan, dangers),
    summary: summaryLine(plan),
    'has-changes': !isEmptyPlan(plan),
    'needs-approval': needsApproval(plan, dangers),
    blocked: isBlocked(plan.guards),
    dangers: dangers.length,
    'not-compared': plan.notCompared.length,
    ...{ create, update, replace, delete: deletes, forget, adopt, move, unchanged },
    digest: plan.digest,
    ...(plan.effectDigest === undefined ? {} : { 'effect-digest': plan.effectDigest }),
    project: plan.project,
    stack: plan.stack,
  };
}

function factsOf(plan: Plan, dangers: readonly Danger[]): readonly Fact[] {
  const plain = (text: string | undefined, weight: Fact['weight'] = 'plain'): readonly Fact[] =>
    text === undefined ? [] : [{ weight, line: [text] }];
  return [
    ...firstFacts(plan.notices),
    ...plain(summaryLine(plan), 'summary'),
    ...plain(parametersLine(plan)),
    ...plain(originLine(plan), 'ending'),
    ...othersLines(plan, dangers).flatMap((line) => plain(line, 'ending')),
    ...effectFacts(plan),
    ...(plan.partial === undefined ? [] : [{ weight: 'notice', line: partialLine(plan.partial) } as const]),
  ];
}

/** What an approval is of; where nothing is to be done nobody approves. */
function effectFacts(plan: Plan): readonly Fact[] {
  if (plan.effectDigest === undefined || isEmptyPlan(plan)) return [];
  return [{ weight: 'ending', line: ['Effect ', { code: plan.effectDigest.slice(0, 12) }] }];
}

// A specification as a value would push the plan off the page; the JSON form has all of it.
const longest = 60;

/** `Parameters: region = "eu", token = (secret !env TOKEN)`. Undefined without any. */
function parametersLine({ parameters }: Plan): string | undefined {
  const parts = Object.entries(parameters ?? {}).map(([name, value]) => `${visible(name)} = ${short(inline(value))}`);
  return parts.length === 0 ? undefined : `Parameters: ${parts.join(', ')}`;
}

function short(text: string): string {
  const letters = [...text];
  return letters.length <= longest ? text : `${letters.slice(0, longest - 1).join('')}…`;
}

function partialLine({ targets, excludes }: NonNullable<Plan['partial']>): Line {
  const names = (addresses: readonly string[]): { readonly names: readonly { readonly address: string }[] } => ({
    names: addresses.map((address) => ({ address })),
  });
  return [
    'Partial plan: ',
    ...(targets.length > 0 ? ['only ', names(targets), ' and what they need'] : []),
    ...(targets.length > 0 && excludes.length > 0 ? [', '] : []),
    ...(excludes.length > 0 ? ['without ', names(excludes)] : []),
    '. The rest was not checked.',
  ];
}

function sectionsOf(plan: Plan, dangers: readonly Danger[], groups: readonly StepGroup[]): readonly Section[] {
  return [
    dangerSection(plan, dangers, groups),
    guardSection(plan, (address) => placeInPlan(plan, address)),
    originSection(plan),
    notComparedSection(notComparedItems(plan)),
    section(
      'outputs',
      'Outputs',
      'aside',
      plan.outputs.map(({ name, old, new: now }) => valueItem(name, old, now)),
    ),
    section('left-out', 'Skipped, because nothing is deleted', 'aside', leftOutItems(plan), {
      lead: 'Without --no-delete they are part of the plan.',
    }),
    section('notices', 'Warnings', 'aside', problemItems(otherNotices(plan))),
    section(
      'undeclared',
      'Changed outside in fields the catalogue does not mention (left alone)',
      'aside',
      plan.undeclaredChanges.map(({ address, field, old, new: now }) => valueItem(`${address}.${field}`, old, now)),
    ),
    section('watched', 'Unmanaged objects', 'aside', watchedItems(plan), { lead: unmanagedHint }),
    strangerSection(strangers(plan)),
  ].flat();
}

/** What no section of its own tells. */
function otherNotices({ notices, leftOut = [] }: Plan): readonly Diagnostic[] {
  return besidesFirst(notices).filter(({ code }) => code !== 'left-out' || leftOut.length === 0);
}

/** One answer is told once, however many objects it kept from being compared. */
function notComparedItems(plan: Plan): readonly Item[] {
  return failedReads(plan.notCompared).map(({ diagnostic, types, addresses }) => {
    const [first, ...others] = addresses;
    const about: Diagnostic = {
      ...diagnostic,
      ...defined({ address: first }),
      ...(others.length === 0
        ? {}
        : { detail: [diagnostic.detail ?? [], `also: ${others.join(', ')}`].flat().join('\n') }),
    };
    const names = types.flatMap((type, at): Line => [...(at === 0 ? [] : [', ']), { type: typeName(type) }]);
    return {
      line: [
        ...(first === undefined ? names : [{ names: [{ address: first }] }]),
        ...(others.length === 0 ? [] : [` and ${count(others.length, 'other')}`]),
        ` could not be compared: ${diagnostic.summary}`,
      ],
      finding: {
        rule: 'not-compared',
        subject: types.join(' '),
        ...(first === undefined ? {} : defined({ address: first, place: placeInPlan(plan, first) })),
      },
      problem: about,
    };
  });
}

function leftOutItems(plan: Plan): readonly Item[] {
  return (plan.leftOut ?? []).map(({ address, type, action, needs }) => ({
    finding: { rule: 'left-out', subject: action, address, ...defined({ place: placeInPlan(plan, address) }) },
    line: [
      `${action} `,
      { strong: address },
      ' (',
      { type: typeName(type) },
      ')',
      ...(needs === undefined ? [] : [', which waits for ', { code: needs }]),
    ],
  }));
}

/** What sync.yaml asks to be told of by name. */
function watchedItems({ meta: { unmanaged = [] } }: Plan): readonly Item[] {
  return unmanaged.map((object) => ({
    line: [{ strong: object.name }, ` (${unmanagedWords(object)})`],
    below: [[{ command: importCommand(object) }]],
    finding: {
      rule: 'unmanaged',
      subject: `${object.type} ${object.importId}`,
      help: `To take it over: ${importCommand(object)}`,
    },
  }));
}

/** What lives in managed objects, and what a plan creates and may be there already. Of all else a check for drift tells. */
function strangers({ unmanaged, steps }: Plan): Plan['unmanaged'] {
  const created = new Set(steps.flatMap(({ action, type }) => (action === 'create' ? [type] : [])));
  return unmanaged.filter(({ type, under, count }) => count > 0 && (under !== undefined || created.has(type)));
}

/** Changes the reviewed branch does not cause: what was pending before it, and what undoes a change by hand. */
function originSection(plan: Plan): readonly Section[] {
  const foreign = plan.steps.filter((step) => foreignClause(plan, step) !== undefined);
  const items = [...groupBy(foreign, (step) => foreignClause(plan, step) ?? '')].map(([clause, steps]) => ({
    line: [
      { names: steps.map(({ address }) => ({ address, ...defined({ place: placeInPlan(plan, address) }) })) },
      `: ${clause}`,
    ],
    number: steps.length,
  }));
  return section('origins', originTitle(plan), 'plain', items);
}

/** What this branch changes is not from elsewhere, also where somebody changed the same object by hand. */
function originTitle(plan: Plan): string {
  const told = plan.steps.filter((step) => foreignClause(plan, step) !== undefined);
  const foreign = told.filter(({ address }) => (originOf(plan, address) ?? 'branch') !== 'branch').length;
  if (foreign === 0) return 'Changed outside';
  return foreign === told.length ? 'Not from this branch' : 'Not from this branch, or changed outside, too';
}

function foreignClause(plan: Plan, step: PlanStep): string | undefined {
  const origin = originOf(plan, step.address);
  const clauses = [
    origin === undefined || origin === 'branch' ? undefined : originClauses[origin],
    outsideClause(step),
  ].filter((clause) => clause !== undefined);
  return clauses.length === 0 ? undefined : clauses.join('; ');
}

const shownFields = 10;

function outsideClause(step: PlanStep): string | undefined {
  if (step.reasons.some((reason) => reason.kind === 'gone')) return 'was deleted outside and is made again';
  if (step.cause !== 'drift' && step.cause !== 'both') return undefined;
  const fields = step.fields.filter((field) => field.cause !== 'config').map(({ field }) => field);
  const names = fields.slice(0, shownFields).join(', ');
  const also = step.cause === 'both' ? ' (the catalogue changed, too)' : '';
  return `applying puts back ${names === '' ? 'what was changed' : names}${also}`;
}

function nextSteps(plan: Plan, context: NextStepsContext): readonly Cure[] {
  if (context.suggest === false) return [];
  const { planFile } = context;
  // What is said on top names the run that may write.
  const isFrozen = plan.notices.some(({ code }) => code === 'state-frozen');
  const command = isFrozen ? undefined : applyCommand(plan, context);
  const lines = command === undefined ? [] : [command];
  return [
    ...(planFile === undefined
      ? []
      : [{ words: `The plan is in ${visible(planFile)}.`, language: 'sh', lines: [], where: 'terminal' } as const]),
    ...(command === undefined
      ? []
      : ([
          { words: 'To carry it out, type:', language: 'sh', lines, where: 'terminal' },
          { words: 'After the review:', language: 'sh', lines, where: 'review' },
        ] as const)),
  ];
}
