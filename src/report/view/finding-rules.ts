import type { DangerKind } from './danger.js';

export type FindingRule =
  'guard' | 'not-compared' | DangerKind | 'warning' | 'changed-outside' | 'unmanaged' | 'change' | 'error';
/** Worst first. */
export const findingLevels = ['error', 'warning', 'note'] as const;
export type FindingLevel = (typeof findingLevels)[number];

interface RuleFacts {
  readonly level: FindingLevel;
  readonly title: string;
  readonly description: string;
}

/** What each rule means, worst first. */
export const findingRules: Readonly<Record<FindingRule, RuleFacts>> = {
  guard: {
    level: 'error',
    title: 'A guard blocks the plan',
    description: 'The plan is not carried out until the guard is lifted by its name, with a reason.',
  },
  'not-compared': {
    level: 'error',
    title: 'Not compared',
    description: 'The object could not be read, so nothing is claimed about it.',
  },
  deletes: { level: 'warning', title: 'Deletes', description: 'The object is deleted on the platform.' },
  replaces: {
    level: 'warning',
    title: 'Replaces',
    description: 'The object is deleted and made anew: it gets another id, and what belongs to it goes with it.',
  },
  unpublishes: { level: 'warning', title: 'Unpublishes', description: 'The content disappears from the live portal.' },
  breaks: {
    level: 'warning',
    title: 'Breaks clients',
    description: 'The new API description takes something away that callers may rely on.',
  },
  unprotects: {
    level: 'warning',
    title: 'Loses its protection',
    description: 'From here on the object can be deleted and replaced like any other.',
  },
  'stops-retaining': {
    level: 'warning',
    title: 'Is retained no longer',
    description: 'Once it leaves the catalogue, the object is deleted; so far it would have stayed.',
  },
  'steps-aside': {
    level: 'warning',
    title: 'Has another name for a moment',
    description: 'The object is first given a passing name, so that another one can have its present name.',
  },
  publishes: {
    level: 'warning',
    title: 'Publishes',
    description: 'The content becomes visible on the live portal.',
  },
  'may-break': {
    level: 'warning',
    title: 'May break clients',
    description: 'Whether the new API description takes something away depends on the program that calls the API.',
  },
  warning: { level: 'warning', title: 'Warning', description: 'Planning went well, but something should be known.' },
  'changed-outside': {
    level: 'warning',
    title: 'Changed outside',
    description: 'Somebody changed the object on the platform; applying puts back what the catalogue says.',
  },
  unmanaged: {
    level: 'warning',
    title: 'Nobody manages it',
    description: 'The object exists, and neither a catalogue nor a state knows it; drift.unmanaged asks for it.',
  },
  change: { level: 'note', title: 'Change', description: 'The plan changes this object.' },
  // Never beside the others: where there are errors there is no plan.
  error: { level: 'error', title: 'Error', description: 'It keeps the plan from being made.' },
};
