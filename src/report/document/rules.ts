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

/** Worst first. */
export const findingLevels = ['error', 'warning', 'note'] as const;
export type FindingLevel = (typeof findingLevels)[number];

interface RuleFacts {
  readonly level: FindingLevel;
  readonly title: string;
  readonly description: string;
}

const risk = (title: string, description: string): RuleFacts => ({ level: 'warning', title, description });

/** What each kind means. Worst first: what can't be undone, what the public notices, what it will see. */
export const dangerKinds: Readonly<Record<DangerKind, RuleFacts>> = {
  deletes: risk('Deletes', 'The object is deleted on the platform.'),
  replaces: risk('Deletes and makes anew', 'The object gets another id, and what belongs to it goes with it.'),
  unpublishes: risk('Disappears from the live portal', 'The content is no longer visible on the live portal.'),
  breaks: risk(
    'Breaks the clients of an API',
    'The new API description takes something away that callers may rely on.',
  ),
  unprotects: risk('Loses its protection', 'From here on the object can be deleted and replaced like any other.'),
  'stops-retaining': risk(
    'Will be deleted once it leaves the catalogue',
    'Until now the object would have stayed on the platform.',
  ),
  'steps-aside': risk(
    'Has another name for a moment',
    'The object first gets a passing name, so that another one can have its present name.',
  ),
  publishes: risk('Becomes visible on the live portal', 'The content is published on the live portal.'),
  'may-break': risk(
    'May break the clients of an API',
    'Whether the new API description takes something away depends on the program that calls the API.',
  ),
};

/** Whether a rule is about what can hurt. */
export function isDanger(rule: string): rule is DangerKind {
  return Object.hasOwn(dangerKinds, rule);
}

export type FindingRule =
  'guard' | 'not-compared' | DangerKind | 'warning' | 'changed-outside' | 'unmanaged' | 'left-out' | 'change' | 'error';
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
  ...dangerKinds,
  warning: risk('Warning', 'The plan was made, and something should be known about it.'),
  'changed-outside': risk(
    'Changed outside',
    'Somebody changed the object on the platform; applying puts back what the catalogue says.',
  ),
  unmanaged: risk('Unmanaged', 'The object exists, but no catalogue and no state has it; drift.unmanaged reports it.'),
  'left-out': {
    level: 'note',
    title: 'Skipped, because nothing is deleted',
    description: 'The plan was made with --no-delete; without it, this is done, too.',
  },
  change: { level: 'note', title: 'Change', description: 'The plan changes this object.' },
  error: { level: 'error', title: 'Error', description: 'It keeps the plan from being made or carried out.' },
};
