import { defined, ownMember } from '@platform-sync/core/model/value';
import type { PlanOutline } from '@platform-sync/core/model/plan';
import type { PlanMismatch, StepResult } from '@platform-sync/core/model/results';
import {
  applyState,
  applyStates,
  applyTitle,
  endingOf,
  outputsToShow,
  skippedByCause,
  whySkipped,
  type ApplyOutcome,
} from '../view/apply-outcome.js';
import { filePlace } from '../view/review-place.js';
import { planCommands, selectionWords } from '../words/next-steps.js';
import { count, inline } from '../words/value.js';
import type { Cure, Document, Item, Line, Section } from './document.js';
import { guardSection } from './guards.js';
import { problemSection, section } from './section.js';

/** What of an outcome is told; a run at a terminal knows less of itself than its document says. */
type AppliedSoFar = Omit<ApplyOutcome, 'formatVersion' | 'kind' | 'exitCode'> & {
  readonly exitCode?: number;
};

/** What an apply came to. `plan`: where what is left is to be typed. */
export function applyDocument(outcome: AppliedSoFar, plan?: PlanOutline): Document {
  const { project, stack, targets = {}, steps, diagnostics, mismatches = [], guards = [], open = [] } = outcome;
  const { mark, tone } = applyStates[applyState(outcome)];
  const ofOutcome = (name: StepResult['outcome']): readonly StepResult[] =>
    steps.filter((step) => step.outcome === name);
  // Half of a replacement may have been done.
  const halfDone = ofOutcome('skipped').filter(({ diagnostics: found = [] }) => found.length > 0);
  const outputs = outputsToShow(outcome);
  return {
    subject: { what: 'Apply of', ...defined({ project, stack }), targets },
    verdict: applyTitle(outcome),
    mark,
    tone,
    ending: endingOf(outcome),
    facts:
      outcome.exitCode === 3
        ? [
            {
              weight: 'notice',
              line: ['Some objects could not be compared, so they were left alone.'],
            },
          ]
        : [],
    sections: [
      section(
        'failed',
        'Failed',
        'grave',
        [...ofOutcome('failed'), ...halfDone].map((step) => failedItem(step, outcome)),
      ),
      section('open', 'May have been done', 'grave', open.map(stepItem)),
      supersededSection(mismatches),
      guardSection({ guards, notices: [] }),
      section(
        'skipped',
        'Not begun',
        'plain',
        [...skippedByCause(steps.filter((step) => !halfDone.includes(step)))].map(([why, found]) => ({
          line: [{ names: found.map(({ address }) => ({ address })) }, `: ${why}`],
          number: found.length,
        })),
      ),
      problemSection(diagnostics),
      section(
        'outputs',
        'Outputs',
        'aside',
        outputs.map(([name, value]) => ({ line: [{ strong: name }, ': ', { code: inline(value) }] })),
      ),
      section('done', 'Done', 'aside', ofOutcome('done').map(stepItem)),
    ].flat(),
    next: nextSteps(outcome, plan),
    source: sourceOf(outcome),
    values: { verdict: applyState(outcome), 'verdict-text': applyTitle(outcome), summary: `${applyTitle(outcome)}.` },
    ...defined({ engine: outcome.engine }),
    made: outcome.engine === undefined ? [] : [`made by version ${outcome.engine}`],
  };
}

function stepLine({ action, address }: Pick<StepResult, 'action' | 'address'>): Line {
  return [{ code: action }, ' ', { code: address }];
}

function stepItem(step: Pick<StepResult, 'action' | 'address'>): Item {
  return { line: stepLine(step) };
}

function failedItem(step: StepResult, { sources = {} }: AppliedSoFar): Item {
  const place = filePlace(ownMember(sources, step.address));
  return {
    line: [
      ...stepLine(step),
      ...(place === undefined ? [] : [' in ', { place }]),
      ...(step.outcome === 'skipped' ? [`: ${whySkipped(step)}`] : []),
    ],
    causes: step.diagnostics ?? [],
    about: { address: step.address, ...defined({ place }) },
  };
}

const mostMismatches = 6;

/** The one difference that explains all is the answer; of many the first are told, a line each. */
function supersededSection(mismatches: readonly PlanMismatch[]): readonly Section[] {
  const [first, ...others] = mismatches;
  if (first === undefined) return [];
  const items = mismatches.slice(0, mostMismatches).map((found) => mismatchItem(found, others.length > 0));
  const hidden = mismatches.length - items.length;
  const rest = hidden === 0 ? [] : [{ line: [`and ${hidden} more`], number: hidden }];
  const lead = others.length === 0 ? { lead: first.meaning } : {};
  return section('superseded', 'What is different now', 'grave', [...items, ...rest], lead);
}

function mismatchItem({ what, reviewed, now, meaning }: PlanMismatch, isExplained: boolean): Item {
  const sides: Line = [{ strong: what }, ': reviewed ', { code: reviewed }, ', now ', { code: now }];
  return { line: isExplained ? [...sides, `. ${meaning}`] : sides };
}

/** Where planning again is not what helps. */
const staleCures: Readonly<Record<string, string>> = {
  stack: 'Leave out the stack, or name the one of the plan.',
  project: 'Go to the folder of the project that the plan is for.',
  plan: 'There is nothing to do.',
};

function nextSteps(outcome: AppliedSoFar, plan: PlanOutline | undefined): readonly Cure[] {
  const cure = ownMember(staleCures, outcome.mismatches?.[0]?.what ?? '');
  if (outcome.status === 'stale' && cure !== undefined) return [{ words: cure, language: 'sh', lines: [] }];
  const { advice, typed } = applyStates[applyState(outcome)];
  const command = typed === 'plan' ? 'sync plan' : typed === undefined ? undefined : whatIsLeft(outcome, plan);
  if (advice === undefined) return [];
  return [
    { words: advice, language: 'sh', lines: [], where: 'review' },
    ...(command === undefined
      ? []
      : [
          { words: `${advice} To do so, type:`, language: 'sh' as const, lines: [command], where: 'terminal' as const },
        ]),
  ];
}

/** A plan file is of no use twice: what is left is planned anew, with the same choice. */
function whatIsLeft({ steps }: AppliedSoFar, plan: PlanOutline | undefined): string {
  if (plan === undefined) return planCommands.apply;
  const done = new Set(steps.filter((step) => step.outcome === 'done').map((step) => step.address));
  return [planCommands[plan.mode], ...selectionWords(plan, (step) => !done.has(step.address))].join(' ');
}

function sourceOf({ planDigest, requests, status }: AppliedSoFar): Line {
  // Nobody counted them to the end.
  const told = status === 'unknown' ? 'requests not known' : count(requests, 'request');
  return planDigest === undefined ? [told] : ['Plan ', { code: planDigest.slice(0, 12) }, `, ${told}`];
}
