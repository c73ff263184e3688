import { isEmptyPlan, type Plan, type PlanOutline } from '@platform-sync/core/model/plan';
import { isBlocked } from './guards.js';
import { shellWord } from './shell-word.js';

export interface NextStepsContext {
  /** Path of the file the plan was written to, or read from. */
  readonly planFile?: string;
  /** False where the reader is about to be asked, or types nothing next. Default true. */
  readonly suggest?: boolean;
  /** How much was read to make the plan; `auto` unless given. */
  readonly refresh?: 'auto' | 'full' | 'none' | undefined;
  /** The command line as it has to be typed where this is read; as it is unless given. */
  readonly typed?: (commandLine: string) => string;
}

/** The command that makes and carries out a plan of that kind. */
export const planCommands: Readonly<Record<Plan['mode'], string>> = {
  apply: 'sync apply',
  destroy: 'sync destroy',
  adopt: 'sync adopt',
  refresh: 'sync refresh',
};

/** The command that carries the plan out; undefined when there is nothing to do, or a guard holds it back. */
export function applyCommand(plan: Plan, context: NextStepsContext): string | undefined {
  if (isBlocked(plan.guards) || isEmptyPlan(plan)) return undefined;
  const { planFile, refresh = 'auto', typed = (line) => line } = context;
  if (planFile !== undefined) return typed(`sync apply ${shellWord(planFile)}`);
  const reading = refresh === 'auto' ? [] : ['--refresh', refresh];
  return typed([planCommands[plan.mode], ...selectionWords(plan), ...reading].join(' '));
}

type OutlinedStep = PlanOutline['steps'][number];

/** The flags that choose what the plan is about and lift its guards, for typing them again. */
export function selectionWords(
  plan: PlanOutline,
  isOpen: (step: OutlinedStep) => boolean = () => true,
): readonly string[] {
  const { targets = [], excludes = [] } = plan.partial ?? {};
  const replaced = plan.steps.filter((step) => isRequested(step) && isOpen(step)).map((step) => step.address);
  const resent = plan.steps
    .filter((step) => step.reasons.some(({ kind }) => kind === 'resend') && isOpen(step))
    .map((step) => step.address);
  const lifted = plan.guards.filter((guard) => guard.lifted !== undefined);
  const reason = [...new Set(lifted.map((guard) => guard.lifted ?? ''))].join('; ');
  return [
    ...repeated('--target', targets),
    ...repeated('--exclude', excludes),
    ...(plan.leftOut === undefined ? [] : ['--no-delete']),
    ...repeated('--replace', replaced),
    ...repeated('--resend', resent),
    ...repeated('--allow', [...new Set(lifted.map((guard) => guard.name))]),
    ...(lifted.length === 0 ? [] : ['--reason', shellWord(reason)]),
  ];
}

function repeated(flag: string, values: readonly string[]): readonly string[] {
  return values.flatMap((value) => [flag, shellWord(value)]);
}

/** Replaced because the command line said so, and by nothing else. */
function isRequested({ reasons }: OutlinedStep): boolean {
  return reasons.some((reason) => reason.kind === 'requested');
}
