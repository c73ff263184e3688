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

interface DangerFacts {
  readonly title: string;
  readonly description: string;
}

/** What each kind means. Worst first: what can't be undone, what the public notices, what it will see. */
export const dangerKinds: Readonly<Record<DangerKind, DangerFacts>> = {
  deletes: { title: 'Deletes', description: 'The object is deleted on the platform.' },
  replaces: {
    title: 'Deletes and makes anew',
    description: 'The object gets another id, and what belongs to it goes with it.',
  },
  unpublishes: {
    title: 'Disappears from the live portal',
    description: 'The content is no longer visible on the live portal.',
  },
  breaks: {
    title: 'Breaks the clients of an API',
    description: 'The new API description takes something away that callers may rely on.',
  },
  unprotects: {
    title: 'Loses its protection',
    description: 'From here on the object can be deleted and replaced like any other.',
  },
  'stops-retaining': {
    title: 'Will be deleted once it leaves the catalogue',
    description: 'Until now the object would have stayed on the platform.',
  },
  'steps-aside': {
    title: 'Has another name for a moment',
    description: 'The object first gets a passing name, so that another one can have its present name.',
  },
  publishes: {
    title: 'Becomes visible on the live portal',
    description: 'The content is published on the live portal.',
  },
  'may-break': {
    title: 'May break the clients of an API',
    description: 'Whether the new API description takes something away depends on the program that calls the API.',
  },
};

/** Whether a rule is about what can hurt. */
export function isDanger(rule: string): rule is DangerKind {
  return Object.hasOwn(dangerKinds, rule);
}

export type FindingRule =
  'guard' | 'not-compared' | DangerKind | 'warning' | 'changed-outside' | 'unmanaged' | 'left-out' | 'change' | 'error';
/** Worst first. */
export const findingLevels = ['error', 'warning', 'note'] as const;
export type FindingLevel = (typeof findingLevels)[number];

interface RuleFacts {
  readonly level: FindingLevel;
  readonly title: string;
  readonly description: string;
}

const warning = { level: 'warning' } as const;

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
  deletes: { ...warning, ...dangerKinds.deletes },
  replaces: { ...warning, ...dangerKinds.replaces },
  unpublishes: { ...warning, ...dangerKinds.unpublishes },
  breaks: { ...warning, ...dangerKinds.breaks },
  unprotects: { ...warning, ...dangerKinds.unprotects },
  'stops-retaining': { ...warning, ...dangerKinds['stops-retaining'] },
  'steps-aside': { ...warning, ...dangerKinds['steps-aside'] },
  publishes: { ...warning, ...dangerKinds.publishes },
  'may-break': { ...warning, ...dangerKinds['may-break'] },
  warning: { ...warning, title: 'Warning', description: 'The plan was made, and something should be known about it.' },
  'changed-outside': {
    ...warning,
    title: 'Changed outside',
    description: 'Somebody changed the object on the platform; applying puts back what the catalogue says.',
  },
  unmanaged: {
    ...warning,
    title: 'Unmanaged',
    description: 'The object exists, but no catalogue and no state has it; drift.unmanaged reports it.',
  },
  'left-out': {
    level: 'note',
    title: 'Skipped, because nothing is deleted',
    description: 'The plan was made with --no-delete; without it, this is done, too.',
  },
  change: { level: 'note', title: 'Change', description: 'The plan changes this object.' },
  error: { level: 'error', title: 'Error', description: 'It keeps the plan from being made or carried out.' },
};
